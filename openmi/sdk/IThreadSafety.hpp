#pragma once

namespace openmi {

/// A component that says whether it may be called while others of its family are. Optional; discovered by asking for
/// it.
///
/// A component is only ever called by one thread at a time, but in a run with several threads not always by the same
/// one, and other components compute meanwhile. One that shares something with other instances of its code that is not
/// guarded (globals of an old solver, a library that is not made for threads) answers no; so counts every component
/// without this door. Then no two members of its family are called at once.
class IThreadSafety {
 public:
  virtual ~IThreadSafety() = default;
  /// The same answer from Initialized on.
  virtual bool IsThreadSafe() const = 0;
};

}  // namespace openmi
