// What a step of a component on another host costs, against the same messages on raw TCP sockets: a request there, with
// the values that a consumer is given, and the reply, with the values that a provider gives. Both sides are in the same
// network namespace, behind a veth pair and a bridge, on idle cores and on busy ones; the sides alternate, and the
// median of the paired ratios counts. Then two sub-basins that compute long, on two workers beside one. Needs a user
// that may make network namespaces. Arguments: none, all cases; else some of provider, consumer, basins.

#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/exchange/Arithmetic.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/Measure.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/hosts/Address.hpp"
#include "tests/support/NetworkHosts.hpp"

namespace {

using openmi::FileDescriptor;

constexpr double kBound = 1.5;
constexpr int kRounds = 41;

auto Never() {
  return std::chrono::steady_clock::now() + std::chrono::hours(1);
}

/// A process in the namespace of a host, which sends as many bytes as it is asked for. To be made before the program
/// has other threads.
class RawPeer {
 public:
  explicit RawPeer(const openmi::test::NetworkHosts& hosts) {
    auto [listener, address] = openmi::ListenAt(hosts.Here());
    child_ = fork();
    if (child_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      const FileDescriptor there(open(("/var/run/netns/" + hosts.Name(0)).c_str(), O_RDONLY | O_CLOEXEC));
      if (setns(there.Number(), CLONE_NEWNET) == 0) Serve(openmi::ConnectTo(address, Never()));
      _exit(0);
    }
    while (!connection_.IsOpen()) connection_ = FileDescriptor(accept(listener.Number(), nullptr, nullptr));
    WithoutDelay(connection_);
  }
  ~RawPeer() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }
  RawPeer(const RawPeer&) = delete;
  RawPeer& operator=(const RawPeer&) = delete;
  /// Sends `given`, and receives into `taken`.
  void Exchange(std::span<const double> given, std::span<double> taken) {
    const Sizes sizes{given.size_bytes(), taken.size_bytes()};
    std::array<iovec, 2> parts{iovec{const_cast<Sizes*>(&sizes), sizeof sizes},
                               iovec{const_cast<double*>(given.data()), given.size_bytes()}};
    const ssize_t sent = writev(connection_.Number(), parts.data(), parts.size());
    const auto rest = std::as_bytes(given).subspan(static_cast<std::size_t>(sent) - sizeof sizes);
    if (sent < 0 || !openmi::WriteExactly(connection_.Number(), rest, Never()) ||
        !Receive(connection_, std::as_writable_bytes(taken))) {
      throw std::runtime_error("expected a peer that answers, found none");
    }
  }

 private:
  struct Sizes {
    std::size_t given;
    std::size_t taken;
  };
  static void WithoutDelay(const FileDescriptor& connection) {
    const int yes = 1;
    setsockopt(connection.Number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
  /// Blocks.
  static bool Receive(const FileDescriptor& connection, std::span<std::byte> into) {
    while (!into.empty()) {
      const ssize_t got = recv(connection.Number(), into.data(), into.size(), 0);
      if (got <= 0) return false;
      into = into.subspan(static_cast<std::size_t>(got));
    }
    return true;
  }
  static void Serve(const FileDescriptor& connection) {
    WithoutDelay(connection);
    std::vector<std::byte> bytes;
    Sizes sizes{};
    while (Receive(connection, std::as_writable_bytes(std::span(&sizes, 1)))) {
      bytes.resize(std::max({bytes.size(), sizes.given, sizes.taken}));
      if (!Receive(connection, std::span(bytes).first(sizes.given)) ||
          !openmi::WriteExactly(connection.Number(), std::span(bytes).first(sizes.taken), Never())) {
        return;
      }
    }
  }

  FileDescriptor connection_;
  pid_t child_ = -1;
};

/// A process that computes on each core.
class BusyCores {
 public:
  BusyCores() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile std::uint64_t turns = 0;;) turns = turns + 1;
      }
      children_.push_back(child);
    }
  }
  ~BusyCores() {
    for (const pid_t child : children_) kill(child, SIGKILL);
    for (const pid_t child : children_) waitpid(child, nullptr, 0);
  }
  BusyCores(const BusyCores&) = delete;
  BusyCores& operator=(const BusyCores&) = delete;

 private:
  std::vector<pid_t> children_;
};

std::string Text(std::size_t count, const std::string& apart) {
  const auto component = [&](const std::string& id, const std::string& type) {
    return fmt::format(
        "<Component Id=\"{}\" Type=\"{}\" Assembly=\"{}/lib/openmi2/libbench_isolation_components.so\"{}>"
        "<Argument Key=\"count\" Value=\"{}\"/></Component>",
        id, type, OPENMI_BINARY_DIR, id == apart ? " Group=\"far\"" : "", count);
  };
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"hosts\">" + component("provider", "IsolationProvider") +
         component("consumer", "IsolationConsumer") +
         "<Link From=\"provider.level\" To=\"consumer.level\"/>"
         "<Run From=\"2000-01-01T00:00:00Z\" To=\"2400-01-01T00:00Z\" Trigger=\"consumer\"/></Composition>";
}

openmi::Placement At(const openmi::test::NetworkHosts& hosts, const std::map<std::string, std::string>& groups) {
  return {
      .hosts = groups, .launcher = hosts.kLauncher, .listen = hosts.Here(), .program = OPENMI_BINARY_DIR "/bin/openmi"};
}

void Measure(bench::Report& report, const openmi::test::NetworkHosts& hosts, RawPeer& raw, const std::string& apart,
             std::size_t count, const char* cores) {
  bench::ReadyRun run(bench::CompositionOf(Text(count, apart)), 1, {}, At(hosts, {{"far", hosts.Name(0)}}));
  const auto number = [&run](std::size_t component, std::size_t output) {
    const auto& item = dynamic_cast<const openmi::ITimeSpaceOutput&>(*run.Component(component).Outputs()[output]);
    return *item.Values().GetValue(0, 0).Number();
  };
  const std::size_t steps = count >= 100'000 ? 10 : 100;
  const auto each = [steps](double seconds) { return seconds / static_cast<double>(steps) * 1e6; };
  const auto ours = [&] {
    const double worked = number(0, 1);
    const double seconds = bench::WallSeconds([&] { run.Steps(steps); });
    return each(seconds - (number(0, 1) - worked));
  };
  std::vector<double> values(count, 1.0);
  std::vector<double> one(1, 0.0);
  double sum = 0.0;
  const bool gives = apart == "provider";
  const auto limit = [&] {
    return each(bench::WallSeconds([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        raw.Exchange(gives ? one : values, gives ? values : one);
        sum += exchange::Consume(values);
      }
    }));
  };
  ours();
  limit();
  std::uint64_t allocations = 0;
  const auto counted = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = ours();
    allocations += bench::MallocCount() - before;
    return time;
  };
  const std::string name = fmt::format("{}-{}-bytes-{}", apart, 8 * count, cores);
  report.Line(name, bench::InTurn(kRounds, counted, limit), "us a step", "raw TCP and sum",
              bench::Bound::AtMost(kBound));
  report.Count(name + "-allocations", static_cast<double>(allocations),
               fmt::format("in {} steps", (kRounds + 1) * steps));
  const double made = number(0, 2);
  const double wanted = static_cast<double>(count) * (made + 0.5 * 0.5 * static_cast<double>(count + 1));
  report.Fact(name + "-all-values-were-read", std::abs(number(1, 0) - wanted) <= 1e-9 * wanted,
              fmt::format("the consumer's sum is {:.6g}, expected {:.6g}", number(1, 0), wanted));
}

std::string Basins(bool two) {
  const auto basin = [&](const char* id, const char* group) {
    return fmt::format(
        "<Component Id=\"{}\" Type=\"HostsBasin\" Assembly=\"{}/lib/openmi2/libbench_hosts_components.so\" "
        "Group=\"{}\">"
        "<Argument Key=\"work\" Value=\"200000\"/></Component>",
        id, OPENMI_BINARY_DIR, group);
  };
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"basins\">" + basin("north", "one") +
         basin("south", two ? "two" : "one") +
         fmt::format(
             "<Component Id=\"outlet\" Type=\"HostsOutlet\" "
             "Assembly=\"{}/lib/openmi2/libbench_hosts_components.so\"/>",
             OPENMI_BINARY_DIR) +
         "<Link From=\"north.flow\" To=\"outlet.first\"/><Link From=\"south.flow\" To=\"outlet.second\"/>"
         "<Run From=\"2000-01-01T00:00:00Z\" To=\"2400-01-01T00:00Z\" Trigger=\"outlet\"/></Composition>";
}

void MeasureBasins(bench::Report& report, const openmi::test::NetworkHosts& hosts) {
  bench::ReadyRun two(bench::CompositionOf(Basins(true)), 1, {},
                      At(hosts, {{"one", hosts.Name(0)}, {"two", hosts.Name(1)}}));
  bench::ReadyRun one(bench::CompositionOf(Basins(false)), 1, {}, At(hosts, {{"one", hosts.Name(0)}}));
  constexpr std::size_t kSteps = 10;
  const auto milliseconds = [](bench::ReadyRun& run) {
    return bench::WallSeconds([&run] { run.Steps(kSteps); }) / kSteps * 1e3;
  };
  report.Line("basins-on-two-workers",
              bench::InTurn(
                  15, [&] { return milliseconds(two); }, [&] { return milliseconds(one); }),
              "ms a step", "one worker", bench::Bound::AtMost(1.0 / 1.85));
}

}  // namespace

int main(int count, char** words) {
  const openmi::test::NetworkHosts hosts;
  if (!hosts.AreThere()) {
    fmt::print(stderr, "hosts: expected a user that may make network namespaces, found another\n");
    return 2;
  }
  RawPeer raw(hosts);
  return bench::Main("hosts", count, words, [&](bench::Report& report) {
    for (const char* apart : {"provider", "consumer"}) {
      if (!report.Wants(apart)) continue;
      for (const std::size_t elements : {std::size_t{1}, std::size_t{1'000}, std::size_t{100'000}}) {
        Measure(report, hosts, raw, apart, elements, "idle");
        const BusyCores busy;
        Measure(report, hosts, raw, apart, elements, "busy");
      }
    }
    if (report.Wants("basins")) MeasureBasins(report, hosts);
  });
}
