#pragma once

#include "openmi/sdk/Problem.hpp"

namespace openmi {

/// A component that has something to say about what it met during a run that did not stop it: a member of messages that
/// never came, an id that is nobody's. Optional; discovered by asking for it.
class IRemarks {
 public:
  virtual ~IRemarks() = default;
  /// What a reader of the results should know, a warning each, placed at the argument or item it is about. Asked for at
  /// the end of a run and once more after `Finish`, which may have met something; nothing before a run.
  virtual Problems Remarks() const = 0;
};

}  // namespace openmi
