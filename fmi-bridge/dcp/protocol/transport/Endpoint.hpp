#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "fmi-bridge/common/items/LoopbackHost.hpp"

namespace openmi::dcp {

/// An IPv4 address and port as numbers: 127.0.0.1 is 0x7F000001. Port 0 and address 0 mean any.
struct Endpoint {
  std::uint32_t address = 0;
  std::uint16_t port = 0;
  auto operator<=>(const Endpoint&) const = default;
};
inline constexpr std::uint32_t kLoopback = 0x7F000001;

using items::IsOnLoopback;

constexpr bool IsMulticast(std::uint32_t address) {
  return (address >> 28) == 0xE;
}

/// The text "127.0.0.1:8080".
std::string ToText(Endpoint endpoint);
/// The IPv4 address of a host name or dotted address; any address for an empty text.
/// \throws ArgumentError  the host is unknown, or has no IPv4 address
std::uint32_t ResolveAddress(const std::string& host);
/// Reads "host:port", "host" (port 0) or ":port" (any address).
/// \throws ArgumentError  the text has another form, or the host is unknown
Endpoint ResolveEndpoint(const std::string& text);
/// Reads the endpoint of a slave, which needs a port.
/// \throws ArgumentError  as ResolveEndpoint; also where the port is missing
Endpoint ResolveSlave(const std::string& text);

}  // namespace openmi::dcp
