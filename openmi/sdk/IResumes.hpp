#pragma once

namespace openmi {

/// A component that writes something besides its outputs (a file, say) and can go on with it: told before Prepare that
/// a kept state will be restored right after, so that Prepare leaves what an earlier run wrote. Optional; discovered by
/// asking for it.
class IResumes {
 public:
  virtual ~IResumes() = default;
  /// Holds for the next Prepare.
  virtual void ExpectRestore() = 0;
};

}  // namespace openmi
