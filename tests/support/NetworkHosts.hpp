#pragma once

#include <unistd.h>

#include <cstdlib>
#include <string>

namespace openmi::test {

/// Two other hosts on this machine: network namespaces with links to a bridge. Removed at the end.
class NetworkHosts {
 public:
  static constexpr int kCount = 2;
  NetworkHosts() {
    are_there_ = Do("ip link add " + Bridge() + " type bridge") &&
                 Do("ip addr add " + Here() + "/24 dev " + Bridge()) && Do("ip link set " + Bridge() + " up");
    for (int i = 0; i < kCount; ++i) {
      const std::string inside = "ip -n " + Name(i) + " ";
      are_there_ = are_there_ && Do("ip netns add " + Name(i)) &&
                   Do("ip link add " + Link(i) + " type veth peer name eth0 netns " + Name(i)) &&
                   Do("ip link set " + Link(i) + " master " + Bridge() + " up") &&
                   Do(inside + "addr add " + There(i) + "/24 dev eth0") && Do(inside + "link set eth0 up") &&
                   Do(inside + "link set lo up");
    }
  }
  ~NetworkHosts() {
    for (int i = 0; i < kCount; ++i) Do("ip link del " + Link(i) + "; ip netns del " + Name(i));
    Do("ip link del " + Bridge());
  }
  NetworkHosts(const NetworkHosts&) = delete;
  NetworkHosts& operator=(const NetworkHosts&) = delete;

  /// False if this user may not make them.
  bool AreThere() const { return are_there_; }
  std::string Name(int i) const { return "omi" + std::to_string(id_) + (i == 0 ? "a" : "b"); }
  /// The address of this host at the bridge, and that of the other host.
  std::string Here() const { return Net() + "1"; }
  std::string There(int i) const { return Net() + std::to_string(i + 11); }
  /// Cuts the host off, or connects it again.
  bool SetLink(int i, bool up) const { return Do("ip link set " + Link(i) + (up ? " up" : " down")); }
  /// Lets the other hosts no longer reach each other.
  bool Separate() const {
    return Do("ip -n " + Name(0) + " route add unreachable " + There(1)) &&
           Do("ip -n " + Name(1) + " route add unreachable " + There(0));
  }
  /// A command like ssh.
  static constexpr char kLauncher[] = "nsenter --net=/var/run/netns/{host} {command}";

 private:
  static bool Do(const std::string& command) { return std::system(("{ " + command + "; } 2>/dev/null").c_str()) == 0; }
  std::string Link(int i) const { return "v" + Name(i); }
  std::string Bridge() const { return "b" + Name(0); }
  std::string Net() const {
    return "10." + std::to_string(64 + id_ % 128) + "." + std::to_string(id_ / 128 % 256) + ".";
  }
  int id_ = getpid();  // of the process that made them
  bool are_there_ = true;
};

}  // namespace openmi::test
