#pragma once

namespace openmi {

/// A component that states whether it may be called at the same time as others of its family.
///
/// Optional interface. Only one thread at a time calls a component. In a run with several threads this is not always
/// the same thread, and other components compute at the same time. A component returns false when it shares unguarded
/// data with other instances of its code, such as the globals of an old solver or a library that is not thread-safe. A
/// component without this interface is treated as if it returned false. Then the run never calls two members of the
/// family at once.
class IThreadSafety {
 public:
  virtual ~IThreadSafety() = default;
  /// Whether members of the family may be called at once. The answer does not change from the status Initialized on.
  virtual bool IsThreadSafe() const = 0;
};

}  // namespace openmi
