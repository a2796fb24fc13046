// What an exchange with a component in another process costs: one that provides, and one that consumes, against a round
// trip of eight bytes to another process, a copy of as many doubles and the same sum over them, in the same run. The
// round trip goes over a local socket in one line and over the product's own channel in the other. The time in which
// the provider makes its values is measured where it is done and left out. The sides alternate; the median of the
// paired ratios counts. Arguments: none, all cases; else some of provider and consumer.

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/exchange/Arithmetic.hpp"
#include "bench/support/Echo.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"

namespace {

constexpr double kBound = 1.5;
constexpr int kRounds = 41;

std::string Text(std::size_t count, const std::string& apart) {
  const auto component = [&](const std::string& id, const std::string& type) {
    return fmt::format(
        "<Component Id=\"{}\" Type=\"{}\" Assembly=\"{}/lib/openmi2/libbench_isolation_components.so\"{}>"
        "<Argument Key=\"count\" Value=\"{}\"/></Component>",
        id, type, OPENMI_BINARY_DIR, id == apart ? " Isolation=\"process\"" : "", count);
  };
  return "<Composition xmlns=\"urn:openmi2:composition:1\" Id=\"isolation\">" +
         component("provider", "IsolationProvider") + component("consumer", "IsolationConsumer") +
         "<Link From=\"provider.level\" To=\"consumer.level\"/>"
         "<Run From=\"2000-01-01T00:00:00Z\" To=\"2400-01-01T00:00Z\" Trigger=\"consumer\"/></Composition>";
}

void Measure(bench::Report& report, const std::string& apart, std::size_t count, bench::Echo& echo, const char* over) {
  bench::ReadyRun run(bench::CompositionOf(Text(count, apart)));
  const auto number = [&run](std::size_t component, std::size_t output) {
    const auto& item = dynamic_cast<const openmi::ITimeSpaceOutput&>(*run.Component(component).Outputs()[output]);
    return *item.Values().GetValue(0, 0).Number();
  };
  const std::size_t steps = count == 1 ? 500 : 5;
  const auto each = [steps](double seconds) { return seconds / static_cast<double>(steps) * 1e6; };
  const auto ours = [&] {
    const double worked = number(0, 1);
    const double seconds = bench::WallSeconds([&] { run.Steps(steps); });
    return each(seconds - (number(0, 1) - worked));
  };
  std::vector<double> from(count, 1.0);
  std::vector<double> to(count, 0.0);
  double sum = 0.0;
  const auto peer = [&] {
    return each(bench::WallSeconds([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        echo.Ping();
        std::memcpy(to.data(), from.data(), count * sizeof(double));
        sum += exchange::Consume(to);
        from[i % count] += 1e-9 * sum;
      }
    }));
  };
  const std::string name = fmt::format("{}-{}-over-{}", apart, count, over);
  ours();
  peer();
  std::uint64_t allocations = 0;
  const auto counted = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = ours();
    allocations += bench::MallocCount() - before;
    return time;
  };
  report.Line(name, bench::InTurn(kRounds, counted, peer), "us a step", fmt::format("{} and copy", over),
              bench::Bound::AtMost(kBound));
  report.Count(name + "-allocations", static_cast<double>(allocations),
               fmt::format("in {} steps", (kRounds + 1) * steps));
  // What the consumer read is all that was made: a ramp over the elements, which goes up by one in each step.
  const double made = number(0, 2);
  const double wanted = static_cast<double>(count) * (made + 0.5 * 0.5 * static_cast<double>(count + 1));
  report.Fact(name + "-all-values-were-read", std::abs(number(1, 0) - wanted) <= 1e-9 * wanted,
              fmt::format("the consumer's sum is {:.6g}, expected {:.6g}", number(1, 0), wanted));
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("isolation", count, words, [](bench::Report& report) {
    bench::SocketEcho socket;
    bench::ChannelEcho channel;
    for (const char* apart : {"provider", "consumer"}) {
      if (!report.Wants(apart)) continue;
      for (const std::size_t elements : {std::size_t{1}, std::size_t{1'000'000}}) {
        Measure(report, apart, elements, socket, "socket");
        Measure(report, apart, elements, channel, "channel");
      }
    }
  });
}
