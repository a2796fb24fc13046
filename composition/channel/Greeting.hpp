#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace openmi {

/// The number of the protocol between a run and the programs that hold its components: raised with every change of
/// what is written in docs/isolation.md under "The protocol".
inline constexpr unsigned kIsolationProtocol = 3;

/// The bytes of a greeting; its text is followed by zeros.
inline constexpr std::size_t kGreetingSize = 256;
/// What every greeting begins with.
inline constexpr std::string_view kGreetingMark = "openmi-component-host ";

/// What the program sends over its socket before anything else: the protocol, the byte order, the size of the shared
/// page and the build, as `key=value` words. Two programs talk only where the whole text is the same.
/// `openmi-component-host protocol=3 byte-order=little page=135168 openmi abi=1 ... headers=6f0c9a41d2b7e583`
/// \returns kGreetingSize bytes
std::string GreetingText();

}  // namespace openmi
