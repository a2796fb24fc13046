#pragma once

#include <cstddef>

namespace openmi {

/// Is notified when components of a composition leave it and come back. For objects that hold pointers to components or
/// to what components own.
class IExchangeListener {
 public:
  virtual ~IExchangeListener() = default;
  /// A component is about to leave, and is still complete: drop every pointer to what it owns.
  /// \param component  index of its instance
  virtual void OnLeaving(std::size_t component) = 0;
  /// All components that leave (or come back) together have left (or are back, and prepared). Instance shows which;
  /// look up again what was dropped.
  virtual void OnExchanged() = 0;
};

}  // namespace openmi
