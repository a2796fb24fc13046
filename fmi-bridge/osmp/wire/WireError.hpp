#pragma once

#include <cstddef>
#include <stdexcept>

namespace openmi::osi {

/// A message that cannot be what it claims to be: cut off, with sizes that lie, nested too deep, too large. What it
/// says names the byte where that was found.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~WireError() override;
};

/// The largest message that is read or written: what the signed size of OSMP, and protobuf, can hold.
inline constexpr std::size_t kLargestMessage = 0x7FFF'FFFF;
/// How deep messages may stand in each other, as protobuf has it.
inline constexpr int kDeepestNesting = 100;

}  // namespace openmi::osi
