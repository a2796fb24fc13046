#pragma once

#include <cstdint>
#include <string>

namespace openmi::items {

/// Whether an IPv4 address, as a number (127.0.0.1 is 0x7F000001), refers to this machine.
///
/// Source: RFC 1122, section 3.2.1.3.
constexpr bool IsOnLoopback(std::uint32_t address) {
  return address >> 24 == 127;
}

/// Whether a host, as a user wrote it, is this machine: `localhost` in upper or lower case, or a loopback address of
/// IPv4 or IPv6.
///
/// No name is resolved: any other name counts as that of another machine.
///
/// Source: RFC 6761, section 6.3; RFC 4291, sections 2.5.3 and 2.5.5.2.
bool NamesLoopback(const std::string& host);

}  // namespace openmi::items
