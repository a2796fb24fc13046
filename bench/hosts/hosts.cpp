// What a step of a component on another host costs, against the same messages, and the same work, on raw TCP sockets.
// `provider` and `consumer`: the other end of the link is in the run. `link`: the two are on two hosts, and the row
// goes from one to the other; the run asks both. Hosts are network namespaces behind veth pairs and a bridge, each with
// a core of its own as far as there are any, on idle cores and on busy ones: where the system chooses, two processes
// that talk share a core or not by luck. All send by the rules of TCP that each system has, reno: BBR guesses a pace
// for each connection, ours or raw, and keep to it. The sides alternate, and the median of the paired ratios counts.
// The time in which values are made is measured where it is done and left out, on both sides. Then two sub-basins that
// compute long, on two workers beside one. Needs a user that may make network namespaces. Arguments: none, all cases;
// else some of provider, consumer, link, basins.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "bench/hosts/RawSockets.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/Measure.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/isolation/IsolatedComponent.hpp"

namespace {

constexpr double kBound = 1.5;
constexpr int kRounds = 41;

int Core(unsigned i) {
  return static_cast<int>(i % std::max(1u, std::thread::hardware_concurrency()));
}

/// From now on this process, and what it starts, computes on one core.
void StayOnCore(unsigned i) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(Core(i), &cores);
  if (sched_setaffinity(0, sizeof cores, &cores) != 0) throw std::runtime_error("expected a core of this machine");
}

/// \param command  of a shell
void Do(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("expected that '" + command + "' succeeds");
}

/// All processes of each host stay on a core of its own, none of which is this process's if there are three.
void GiveCores(const openmi::test::NetworkHosts& hosts) {
  for (unsigned i = 0; i < openmi::test::NetworkHosts::kCount; ++i) {
    Do(fmt::format("for p in $(ip netns pids {}); do taskset -acp {} $p; done >/dev/null",
                   hosts.Name(static_cast<int>(i)), Core(i + 1)));
  }
}

/// This process gets a network of its own, in which the hosts are made.
void LeaveNetwork() {
  if (unshare(CLONE_NEWNET) != 0) return;
  Do("ip link set lo up; echo reno >/proc/sys/net/ipv4/tcp_congestion_control");
}

/// A process that computes on each core.
class BusyCores {
 public:
  BusyCores() {
    for (unsigned i = 0; i < std::thread::hardware_concurrency(); ++i) {
      const pid_t child = fork();
      if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        StayOnCore(i);
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

/// Which components are elsewhere.
struct Case {
  const char* name;
  const char* provider;  // the group of the provider; empty: in the run
  const char* consumer;
};
constexpr Case kCases[] = {{"provider", "one", ""}, {"consumer", "", "two"}, {"link", "one", "two"}};

std::string Text(std::size_t count, const Case& where) {
  const auto component = [count](const std::string& id, const std::string& type, const std::string& group) {
    return fmt::format(
        "<Component Id=\"{}\" Type=\"{}\" Assembly=\"{}/lib/openmi2/libbench_isolation_components.so\"{}>"
        "<Argument Key=\"count\" Value=\"{}\"/></Component>",
        id, type, OPENMI_BINARY_DIR, group.empty() ? "" : fmt::format(" Group=\"{}\"", group), count);
  };
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"hosts\">" +
         component("provider", "IsolationProvider", where.provider) +
         component("consumer", "IsolationConsumer", where.consumer) +
         "<Link From=\"provider.level\" To=\"consumer.level\"/>"
         "<Run From=\"2000-01-01T00:00:00Z\" To=\"2400-01-01T00:00Z\" Trigger=\"consumer\"/></Composition>";
}

openmi::Placement At(const openmi::test::NetworkHosts& hosts, const std::map<std::string, std::string>& groups) {
  return {
      .hosts = groups, .launcher = hosts.kLauncher, .listen = hosts.Here(), .program = OPENMI_BINARY_DIR "/bin/openmi"};
}

/// One step on raw sockets. \returns how long values were made, seconds
double RawStep(const Case& where, raw::Worker& one, raw::Worker& two, std::span<double> values) {
  static volatile double sum = 0.0;
  const std::string_view name = where.name;
  double made = 0.0;
  if (name == "provider") {
    one.Ask({.taken = values.size()}, {});
    made = one.Answer(values);
    sum = sum + exchange::Consume(values);
  } else if (name == "consumer") {
    made = raw::Make(1.0, values);
    two.Ask({.given = values.size()}, values);
    two.Answer({});
  } else {
    one.Ask({.passed = values.size()}, {});
    made = one.Answer({});
    two.Ask({.from = values.size()}, {});
    two.Answer({});
  }
  return made;
}

void Measure(bench::Report& report, const openmi::test::NetworkHosts& hosts, raw::Worker& one, raw::Worker& two,
             const Case& where, std::size_t count, const char* cores) {
  std::map<std::string, std::string> groups;
  if (*where.provider != '\0') groups[where.provider] = hosts.Name(0);
  if (*where.consumer != '\0') groups[where.consumer] = hosts.Name(1);
  bench::ReadyRun run(bench::CompositionOf(Text(count, where)), 1, {}, At(hosts, groups));
  GiveCores(hosts);
  const std::string name = fmt::format("{}-{}-bytes-{}", where.name, 8 * count, cores);
  const std::size_t steps = count >= 100'000 ? 10 : 100;
  if (groups.size() == 2) {
    run.Steps(steps);
    std::uint64_t bytes = 0;
    for (const std::size_t component : {0, 1}) {
      bytes += dynamic_cast<openmi::IsolatedComponent&>(run.Component(component)).Process().RowBytes();
    }
    report.Count(name + "-row-bytes-through-the-run", static_cast<double>(bytes), fmt::format("in {} steps", steps));
  }
  const auto number = [&run](std::size_t component, std::size_t output) {
    const auto& item = dynamic_cast<const openmi::ITimeSpaceOutput&>(*run.Component(component).Outputs()[output]);
    return *item.Values().GetValue(0, 0).Number();
  };
  const auto each = [steps](double seconds) { return seconds / static_cast<double>(steps) * 1e6; };
  const auto ours = [&] {
    const double worked = number(0, 1);
    const double seconds = bench::WallSeconds([&] { run.Steps(steps); });
    return each(seconds - (number(0, 1) - worked));
  };
  std::vector<double> values(count, 1.0);
  const auto limit = [&] {
    double made = 0.0;
    const double seconds = bench::WallSeconds([&] {
      for (std::size_t i = 0; i < steps; ++i) made += RawStep(where, one, two, values);
    });
    return each(seconds - made);
  };
  for (int i = 0; i < 4; ++i) {  // a value that is read often is sent without being fetched
    ours();
    limit();
  }
  std::uint64_t allocations = 0;
  const auto counted = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = ours();
    allocations += bench::MallocCount() - before;
    return time;
  };
  report.Line(name, bench::InTurn(kRounds, counted, limit), "us a step", "raw TCP", bench::Bound::AtMost(kBound));
  // Components in two processes are updated side by side. Tasks are grouped again by their times twice in these steps,
  // and less often the longer a run takes.
  constexpr double kToGroupAgain = 40.0;
  report.Count(name + "-allocations", static_cast<double>(allocations),
               fmt::format("in {} steps", (kRounds + 1) * steps), groups.size() == 2 ? kToGroupAgain : 0.0);
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
  GiveCores(hosts);
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
  LeaveNetwork();
  const openmi::test::NetworkHosts hosts;
  if (!hosts.AreThere()) {
    fmt::print(stderr, "hosts: expected a user that may make network namespaces, found another\n");
    return 2;
  }
  StayOnCore(0);
  for (int i = 0; i < openmi::test::NetworkHosts::kCount; ++i) {
    Do("ip netns exec " + hosts.Name(i) + " sh -c 'echo reno >/proc/sys/net/ipv4/tcp_congestion_control'");
  }
  raw::Worker one(hosts, 0);
  raw::Worker two(hosts, 1, &one);
  return bench::Main("hosts", count, words, [&](bench::Report& report) {
    for (const Case& where : kCases) {
      if (!report.Wants(where.name)) continue;
      for (const std::size_t elements : {std::size_t{1}, std::size_t{1'000}, std::size_t{100'000}}) {
        Measure(report, hosts, one, two, where, elements, "idle");
        const BusyCores busy;
        Measure(report, hosts, one, two, where, elements, "busy");
      }
    }
    if (report.Wants("basins")) MeasureBasins(report, hosts);
  });
}
