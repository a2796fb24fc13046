#pragma once

#include <cstddef>

namespace openmi {

/// Told when components of a composition leave it and come back, by whoever holds pointers to them or to what they own.
class IExchangeListener {
 public:
  virtual ~IExchangeListener() = default;
  /// The component is whole and about to go: let go of everything that is its own.
  virtual void OnLeaving(std::size_t component) = 0;
  /// All that left (or came) together is out (or back, and prepared): Instance says which. What was left is found anew.
  virtual void OnExchanged() = 0;
};

}  // namespace openmi
