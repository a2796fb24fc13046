#pragma once

#include <string>

namespace openmi {

/// A component that states to which family it belongs.
///
/// Optional interface. A family is a set of components that can only be exchanged together: usually all instances of
/// one library. A component without this interface belongs to the family of its library; the key is then the real path
/// of the library. A bridge implements the interface when its components have other families: all instances of one FMU,
/// all items of one DCP slave.
class IFamilyKey {
 public:
  virtual ~IFamilyKey() = default;
  /// The key; the same for all members during their whole life. May be called from the status Initialized on.
  virtual std::string FamilyKey() const = 0;
};

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
