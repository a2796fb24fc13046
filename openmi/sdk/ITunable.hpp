#pragma once

#include <string>

namespace openmi {

/// A component that takes up changes of some of its arguments while it runs.
class ITunable {
 public:
  virtual ~ITunable() = default;
  /// Whether a change of the argument with that id, made between two updates, is taken up by the next one.
  virtual bool IsTunable(const std::string& argument) const = 0;
};

}  // namespace openmi
