// What an exchange costs: provider, one linear adaptor, consumer, as plug-ins loaded by OMI files through the runtime,
// against the same arithmetic as plain virtual calls over the very same memory. The two alternate; the median of the
// paired ratios counts. Heap allocations are counted at malloc.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "adaptors/kernels/Blend.hpp"
#include "bench/exchange/Arithmetic.hpp"
#include "bench/support/MallocCount.hpp"
#include "composition/model/CompositionFile.hpp"
#include "composition/run/AtWork.hpp"
#include "composition/run/Composition.hpp"
#include "composition/run/RunLoop.hpp"
#include "timespace/NumericInput.hpp"
#include "timespace/NumericOutput.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// The plain side: three objects behind virtual calls.
class PlainProvider {
 public:
  virtual ~PlainProvider() = default;
  virtual void Compute(double level, std::span<double> row) { exchange::Produce(level, row); }
};
class PlainAdaptor {
 public:
  virtual ~PlainAdaptor() = default;
  virtual void Blend(std::span<const double> a, std::span<const double> b, double weight, std::span<double> out) {
    openmi::BlendRows(a, b, weight, out);
  }
};
class PlainConsumer {
 public:
  virtual ~PlainConsumer() = default;
  virtual void Take(std::span<const double> row) { sum += exchange::Consume(row); }
  double sum = 0.0;
};

std::filesystem::path WriteFiles(std::size_t count) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("openmi-bench-exchange-{}", ::getpid());
  std::filesystem::create_directories(folder);
  for (const char* type : {"ExchangeProvider", "ExchangeConsumer"}) {
    std::ofstream(folder / fmt::format("{}.omi", type)) << fmt::format(
        "<LinkableComponent xmlns=\"http://www.openmi.org/v2_0\" Type=\"{}\" Assembly=\"bench_exchange_components\">"
        "<Arguments><Argument Key=\"count\" Value=\"{}\"/></Arguments></LinkableComponent>\n",
        type, count);
  }
  const std::filesystem::path path = folder / "exchange.xml";
  std::ofstream(path) << R"(<Composition xmlns="urn:openmi2:composition:1" Id="exchange">
  <Component Id="provider" Omi="ExchangeProvider.omi"/>
  <Component Id="consumer" Omi="ExchangeConsumer.omi"><Argument Key="start-time" Value="2000-01-01T00:00:00.5Z"/></Component>
  <Link From="provider.level" To="consumer.level"><Adaptor Id="linear"/></Link>
  <Run From="2000-01-01T00:00:00Z" To="2400-01-01T00:00Z" Trigger="consumer"/>
</Composition>
)";
  return path;
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

/// \returns whether the bound holds
bool Measure(std::size_t count) {
  const std::filesystem::path path = WriteFiles(count);
  openmi::Problems problems;
  openmi::Composition composition(openmi::ReadCompositionFile(path, problems));
  composition.Load(problems);
  composition.Connect(problems);
  composition.Validate(problems);
  openmi::ThrowIfErrors(problems);
  composition.Prepare();
  openmi::RunLoop loop(composition, openmi::RunMode::Pull);

  const auto steps = std::max<std::size_t>(2, std::min<std::size_t>(20000, 2'000'000 / count));
  for (std::size_t i = 0; i < 50; ++i) loop.Advance();

  // The rows both sides use: what the provider keeps, and the row the consumer was given.
  auto& output = dynamic_cast<openmi::NumericOutput&>(*composition.Instances()[0].Component().Outputs()[0]);
  auto& input = dynamic_cast<openmi::NumericInput&>(*composition.Instances()[1].Component().Inputs()[0]);
  std::vector<std::span<double>> rows;
  const auto collect = [&] {
    const std::span<const double> row = output.LastRow();
    const std::span<double> writable(const_cast<double*>(row.data()), row.size());
    if (std::ranges::none_of(rows, [&](const auto& known) { return known.data() == writable.data(); }))
      rows.push_back(writable);
  };
  for (std::size_t i = 0; i < 10; ++i) {
    loop.Advance();
    collect();
  }
  const std::span<double> answer(const_cast<double*>(input.Row().data()), input.Row().size());
  const auto provider = std::make_unique<PlainProvider>();
  const auto adaptor = std::make_unique<PlainAdaptor>();
  const auto consumer = std::make_unique<PlainConsumer>();
  double level = 0.0;
  std::size_t slot = 0;
  const auto plain = [&] {
    for (std::size_t i = 0; i < steps; ++i) {
      const std::span<double> earlier = rows[slot];
      slot = (slot + 1) % rows.size();
      provider->Compute(level += 1.0, rows[slot]);
      adaptor->Blend(earlier, rows[slot], 0.5, answer);
      consumer->Take(answer);
    }
  };
  const auto ours = [&] {
    for (std::size_t i = 0; i < steps; ++i) loop.Advance();
  };
  const auto time = [](const auto& work) {
    const auto begin = Clock::now();
    work();
    return Seconds(Clock::now() - begin).count();
  };
  plain();
  ours();
  const std::uint64_t allocations_before = bench::MallocCount();
  ours();
  const std::uint64_t allocations = bench::MallocCount() - allocations_before;

  std::vector<double> ratios;
  std::vector<double> over;
  std::vector<double> ours_ns;
  std::vector<double> plain_ns;
  constexpr int kPairs = 81;
  for (int pair = 0; pair < kPairs; ++pair) {
    double a = 0.0;
    double b = 0.0;
    if (pair % 2 == 0) {
      a = time(ours);
      b = time(plain);
    } else {
      b = time(plain);
      a = time(ours);
    }
    ratios.push_back(a / b);
    ours_ns.push_back(a / static_cast<double>(steps) * 1e9);
    plain_ns.push_back(b / static_cast<double>(steps) * 1e9);
    over.push_back(ours_ns.back() - plain_ns.back());
  }
  const double ratio = Median(ratios);
  const double over_ns = Median(over);
  bool good = allocations == 0;
  std::string bound = "none";
  if (count == 1) {
    bound = "at most 100 ns over";
    good = good && over_ns <= 100.0;
  } else if (count == 100'000 || count == 1'000'000) {
    const double most = count == 100'000 ? 1.05 : 1.10;
    bound = fmt::format("{:.2f}", most);
    good = good && ratio <= most;
  }
  fmt::print(
      "exchange/{}: ours {:.1f} ns a step, plain {:.1f} ns, ratio {:.3f} ({:+.1f} ns), bound {}; {} rows kept, {} "
      "allocations in {} steps{}\n",
      count, Median(ours_ns), Median(plain_ns), ratio, over_ns, bound, rows.size(), allocations, steps,
      good ? "" : "  EXCEEDED");
  problems.clear();
  composition.Finish(problems);
  std::filesystem::remove_all(path.parent_path());
  return good;
}

/// A component's call as the run makes it, which looks at the process afterwards, against the call alone.
/// \returns whether the bound holds
bool MeasureLook() {
  class Adding : public PlainConsumer {
   public:
    void Take(std::span<const double> row) override { sum += row[0]; }
  };
  const std::unique_ptr<PlainConsumer> component = std::make_unique<Adding>();
  openmi::Conduct conduct("component");
  const double value = 1.0;
  const std::span<const double> row(&value, 1);
  constexpr int kCalls = 2000;  // short, so that most rounds are not interrupted
  const auto time = [](const auto& work) {
    const auto begin = Clock::now();
    for (int i = 0; i < kCalls; ++i) work();
    return Seconds(Clock::now() - begin).count() / kCalls * 1e9;
  };
  const auto ours = [&] { openmi::CallComponent(conduct, [&] { component->Take(row); }); };
  const auto host = [&] {
    const openmi::HostWork work;
    component->Take(row);
  };
  const auto plain = [&] { component->Take(row); };
  std::vector<double> ours_ns;
  std::vector<double> host_ns;
  std::vector<double> plain_ns;
  std::vector<double> over;
  const openmi::AtWork at_work(conduct);  // as where a component calls the run
  constexpr int kRounds = 2001;
  for (int round = 0; round < kRounds; ++round) {
    ours_ns.push_back(time(ours));
    plain_ns.push_back(time(plain));
    host_ns.push_back(time(host));
    over.push_back(ours_ns.back() - plain_ns.back());
  }
  const double over_ns = Median(over);
  const bool good = over_ns <= 40.0;
  fmt::print(
      "exchange/look: a component's call {:.1f} ns, the call alone {:.1f} ns, ratio {:.2f} ({:+.1f} ns), bound at most "
      "40 ns over; a call of the run from within {:+.1f} ns{}\n",
      Median(ours_ns), Median(plain_ns), Median(ours_ns) / Median(plain_ns), over_ns,
      Median(host_ns) - Median(plain_ns), good ? "" : "  EXCEEDED");
  return good;
}

}  // namespace

int main() {
  bool good = MeasureLook();
  for (std::size_t count : {std::size_t{1}, std::size_t{1'000}, std::size_t{100'000}, std::size_t{1'000'000}})
    good = Measure(count) && good;
  return good ? 0 : 1;
}
