#pragma once

#include <string>

namespace openmi {

/// A component that applies changes of some of its arguments during a run.
///
/// Optional interface.
class ITunable {
 public:
  virtual ~ITunable() = default;
  /// Whether the component applies a change of this argument, made between two updates, in the next update.
  /// \param argument  an id
  virtual bool IsTunable(const std::string& argument) const = 0;
};

}  // namespace openmi
