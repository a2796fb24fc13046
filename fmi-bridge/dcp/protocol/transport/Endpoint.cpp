#include "fmi-bridge/dcp/protocol/transport/Endpoint.hpp"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include <memory>
#include <string_view>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi::dcp {

std::string ToText(Endpoint endpoint) {
  return fmt::format("{}.{}.{}.{}:{}", endpoint.address >> 24, (endpoint.address >> 16) & 0xFF,
                     (endpoint.address >> 8) & 0xFF, endpoint.address & 0xFF, endpoint.port);
}

std::uint32_t ResolveAddress(const std::string& host) {
  if (host.empty()) return 0;
  addrinfo wanted{};
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  const int outcome = getaddrinfo(host.c_str(), nullptr, &wanted, &found);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(outcome == 0 ? found : nullptr, &freeaddrinfo);
  if (!owner) {
    throw ArgumentError(
        {}, fmt::format("expected a host with an IPv4 address, found '{}' ({})", host, gai_strerror(outcome)),
        "write an address such as 127.0.0.1, or a name that this machine can resolve");
  }
  return ntohl(reinterpret_cast<const sockaddr_in*>(owner->ai_addr)->sin_addr.s_addr);
}

Endpoint ResolveEndpoint(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) return {.address = ResolveAddress(text), .port = 0};
  const std::string_view digits = std::string_view(text).substr(colon + 1);
  const auto port = AsNumber<std::uint16_t>(digits);
  if (!port) {
    throw ArgumentError({}, fmt::format("expected host:port with a port from 0 to 65535, found '{}'", text),
                        "write for example 127.0.0.1:8080");
  }
  return {.address = ResolveAddress(text.substr(0, colon)), .port = *port};
}

Endpoint ResolveSlave(const std::string& text) {
  const Endpoint slave = ResolveEndpoint(text);
  if (slave.port != 0) return slave;
  throw ArgumentError({}, fmt::format("expected the host and port of a slave, found '{}' without a port", text),
                      fmt::format("write for example {}:8080; `openmi dcp info` says what the slave's description has",
                                  text.substr(0, text.rfind(':'))));
}

}  // namespace openmi::dcp
