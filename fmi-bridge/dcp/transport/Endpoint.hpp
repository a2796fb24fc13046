#pragma once

#include <compare>
#include <cstdint>
#include <string>

#include "fmi-bridge/items/LoopbackHost.hpp"

namespace openmi::dcp {

/// An IPv4 address and port, as numbers: 127.0.0.1 is 0x7F000001. Port 0 and address 0 mean any.
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

/// "127.0.0.1:8080".
std::string ToText(Endpoint endpoint);
/// Finds the IPv4 address of a host name or dotted address; empty: any.
/// \throws ArgumentError  unknown, or without an IPv4 address
std::uint32_t ResolveAddress(const std::string& host);
/// "host:port", "host" (port 0) or ":port" (any address).
/// \throws ArgumentError
Endpoint ResolveEndpoint(const std::string& text);
/// The same of a slave that is spoken to: it needs a port.
/// \throws ArgumentError
Endpoint ResolveSlave(const std::string& text);

}  // namespace openmi::dcp
