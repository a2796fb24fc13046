#pragma once

#include <optional>
#include <string>
#include <vector>

namespace openmi {

/// Something that only one owner can hold in a process.
struct ProcessClaim {
  std::string what;   ///< "osi_common.proto of libprotobuf.so.32"
  std::string owner;  ///< two claims to the same thing by one owner are one claim
};

/// A component whose code claims something exclusively in the process that it is loaded into. Two components of
/// different owners with the same claim cannot be in one process. A program that loads components reads the claims and
/// separates such components.
class IProcessClaims {
 public:
  virtual ~IProcessClaims() = default;
  /// Known once the component is initialized; initialization must not load the code that makes the claims.
  virtual std::vector<ProcessClaim> ProcessClaims() const = 0;
  /// The first claim that is already held in the process by something other than a present component: the program
  /// itself, or a library that stayed loaded after its component left.
  /// \returns the claim with that owner; no value if there is none
  virtual std::optional<ProcessClaim> HeldClaim() const { return std::nullopt; }
};

}  // namespace openmi
