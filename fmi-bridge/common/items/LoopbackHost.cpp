#include "fmi-bridge/common/items/LoopbackHost.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <strings.h>

namespace openmi::items {

bool NamesLoopback(const std::string& host) {
  if (strcasecmp(host.c_str(), "localhost") == 0) return true;
  if (in_addr address{}; inet_pton(AF_INET, host.c_str(), &address) == 1) return IsOnLoopback(ntohl(address.s_addr));
  in6_addr address{};
  if (inet_pton(AF_INET6, host.c_str(), &address) != 1) return false;
  return IN6_IS_ADDR_LOOPBACK(&address) || (IN6_IS_ADDR_V4MAPPED(&address) && address.s6_addr[12] == 127);
}

}  // namespace openmi::items
