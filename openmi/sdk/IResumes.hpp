#pragma once

namespace openmi {

/// A component that writes data besides its outputs, such as a file, and can continue it after a restart.
///
/// Optional interface. Before `Prepare` the run announces that it will restore a kept state directly afterwards, so
/// that `Prepare` does not delete what an earlier run wrote.
class IResumes {
 public:
  virtual ~IResumes() = default;
  /// Announces the restored state. Applies to the next `Prepare`.
  virtual void ExpectRestore() = 0;
};

}  // namespace openmi
