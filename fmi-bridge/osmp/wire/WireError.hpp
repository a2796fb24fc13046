#pragma once

#include <cstddef>
#include <stdexcept>

namespace openmi::osi {

/// A malformed message: cut off, with false sizes, nested too deep or too large. The text names the byte where it was
/// found.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  ~WireError() override;
};

/// The largest message that is read or written, in bytes: the limit of the signed size in OSMP, and of protobuf.
inline constexpr std::size_t kLargestMessage = 0x7FFF'FFFF;
/// How deep messages may be nested, as in protobuf.
inline constexpr int kDeepestNesting = 100;

}  // namespace openmi::osi
