#pragma once

#include <optional>
#include <string>
#include <vector>

namespace openmi {

/// Something of which a process can hold one only.
struct ProcessClaim {
  std::string what;   ///< "osi_common.proto of libprotobuf.so.32"
  std::string owner;  ///< whose it is: two claims to the same thing by one owner are one
};

/// A component whose code claims something for itself in the process that it is loaded into. Two of different owners
/// that claim the same cannot live in one process; whoever loads components asks, and keeps them apart.
class IProcessClaims {
 public:
  virtual ~IProcessClaims() = default;
  /// Known once the component is initialized, which must not load what claims.
  virtual std::vector<ProcessClaim> ProcessClaims() const = 0;
  /// The first of them that something in the process has already which is no component, or none any more: the program
  /// itself, or a library that stayed when its component went. \returns the owner is that; nothing where there is none
  virtual std::optional<ProcessClaim> HeldClaim() const { return std::nullopt; }
};

}  // namespace openmi
