// What an exchange costs: provider, one linear adaptor, consumer, as plug-ins loaded by OMI files through the runtime,
// against the same arithmetic as plain virtual calls over the very same memory. All events have a listener. The two
// alternate; the median of the paired ratios counts. Heap allocations are counted at malloc, over all steps that are
// measured. Arguments: none, all cases; else some of look and the numbers of elements.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "adaptors/kernels/Blend.hpp"
#include "bench/exchange/Arithmetic.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/ReadyRun.hpp"
#include "bench/support/Report.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/items/NumericOutput.hpp"

namespace {

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

/// Listens to all that a component and its items tell.
class Listener {
 public:
  explicit Listener(openmi::IBaseLinkableComponent& component) : component_(component) {
    status_ = component.StatusChanged().Add([this](const auto&) { ++heard; });
    for (openmi::IBaseExchangeItem* item : Items()) {
      items_.push_back(item->ItemChanged().Add([this](const auto&) { ++heard; }));
    }
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    component_.StatusChanged().Remove(status_);
    const auto items = Items();
    for (std::size_t i = 0; i < items.size(); ++i) items[i]->ItemChanged().Remove(items_[i]);
  }
  std::uint64_t heard = 0;

 private:
  std::vector<openmi::IBaseExchangeItem*> Items() {
    std::vector<openmi::IBaseExchangeItem*> items;
    for (openmi::IBaseOutput* output : component_.Outputs()) items.push_back(output);
    for (openmi::IBaseInput* input : component_.Inputs()) items.push_back(input);
    return items;
  }
  openmi::IBaseLinkableComponent& component_;
  openmi::EventSubscription status_{};
  std::vector<openmi::EventSubscription> items_;
};

void Measure(bench::Report& report, std::size_t count) {
  const std::filesystem::path path = WriteFiles(count);
  openmi::Problems problems;
  bench::ReadyRun run(openmi::ReadCompositionFile(path, problems));
  Listener provider_listener(run.Component(0));
  Listener consumer_listener(run.Component(1));

  // Short, so that most rounds are not interrupted.
  const auto steps = std::max<std::size_t>(2, std::min<std::size_t>(500, 2'000'000 / count));
  run.Steps(50);

  // The rows both sides use: what the provider keeps, and the row the consumer was given.
  auto& output = dynamic_cast<openmi::NumericOutput&>(*run.Component(0).Outputs()[0]);
  auto& input = dynamic_cast<openmi::NumericInput&>(*run.Component(1).Inputs()[0]);
  std::vector<std::span<double>> rows;
  for (std::size_t i = 0; i < 10; ++i) {
    run.Steps(1);
    const std::span<const double> row = output.LastRow();
    const std::span<double> writable(const_cast<double*>(row.data()), row.size());
    if (std::ranges::none_of(rows, [&](const auto& known) { return known.data() == writable.data(); }))
      rows.push_back(writable);
  }
  const std::span<double> answer(const_cast<double*>(input.Row().data()), input.Row().size());
  const auto provider = std::make_unique<PlainProvider>();
  const auto adaptor = std::make_unique<PlainAdaptor>();
  const auto consumer = std::make_unique<PlainConsumer>();
  double level = 0.0;
  std::size_t slot = 0;
  const auto each = [steps](double seconds) { return seconds / static_cast<double>(steps) * 1e9; };
  const auto plain = [&] {
    return each(bench::WallSeconds([&] {
      for (std::size_t i = 0; i < steps; ++i) {
        const std::span<double> earlier = rows[slot];
        slot = (slot + 1) % rows.size();
        provider->Compute(level += 1.0, rows[slot]);
        adaptor->Blend(earlier, rows[slot], 0.5, answer);
        consumer->Take(answer);
      }
    }));
  };
  std::uint64_t allocations = 0;
  const auto ours = [&] {
    const std::uint64_t before = bench::MallocCount();
    const double time = each(bench::WallSeconds([&] { run.Steps(steps); }));
    allocations += bench::MallocCount() - before;
    return time;
  };
  const int rounds = count == 1 ? 801 : 81;
  ours();
  allocations = 0;
  provider_listener.heard = consumer_listener.heard = 0;
  const bench::Pairs pairs = bench::InTurn(rounds, ours, plain);
  const bench::Bound bound = count == 1           ? bench::Bound::AtMostOver(100.0)
                             : count == 100'000   ? bench::Bound::AtMost(1.05)
                             : count == 1'000'000 ? bench::Bound::AtMost(1.10)
                                                  : bench::Bound{};
  report.Line(fmt::format("{}", count), pairs, "ns a step", "plain", bound, fmt::format("{} rows kept", rows.size()));
  const std::size_t all = (static_cast<std::size_t>(rounds) + 1) * steps;
  report.Count(fmt::format("{}-allocations", count), static_cast<double>(allocations), fmt::format("in {} steps", all));
  report.Fact(fmt::format("{}-events", count), provider_listener.heard >= all && consumer_listener.heard >= all,
              fmt::format("listeners heard {} and {} events in {} steps, at least one a step each",
                          provider_listener.heard, consumer_listener.heard, all));
  std::filesystem::remove_all(path.parent_path());
}

/// A component's call as the run makes it, which looks at the process afterwards, against the call alone.
void MeasureLook(bench::Report& report) {
  class Adding : public PlainConsumer {
   public:
    void Take(std::span<const double> row) override { sum += row[0]; }
  };
  const std::unique_ptr<PlainConsumer> component = std::make_unique<Adding>();
  openmi::Conduct conduct("component");
  const double value = 1.0;
  const std::span<const double> row(&value, 1);
  constexpr int kCalls = 2000;  // short, so that most rounds are not interrupted
  constexpr int kRounds = 2001;
  const auto time = [](const auto& work) {
    return bench::WallSeconds([&] {
             for (int i = 0; i < kCalls; ++i) work();
           }) /
           kCalls * 1e9;
  };
  const openmi::CurrentComponent current(conduct);  // as where a component calls the run
  const auto plain = [&] { return time([&] { component->Take(row); }); };
  const auto looked = [&] { return time([&] { openmi::CallComponent(conduct, [&] { component->Take(row); }); }); };
  const auto from_within = [&] {
    return time([&] {
      const openmi::HostWork work;
      component->Take(row);
    });
  };
  report.Line("look", bench::InTurn(kRounds, looked, plain), "ns a call", "the call alone",
              bench::Bound::AtMostOver(40.0));
  report.Line("look-from-within", bench::InTurn(kRounds, from_within, plain), "ns a call", "the call alone", {});
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("exchange", count, words, [](bench::Report& report) {
    if (report.Wants("look")) MeasureLook(report);
    for (const std::size_t elements : {1, 1'000, 100'000, 1'000'000}) {
      if (report.Wants(std::to_string(elements))) Measure(report, elements);
    }
  });
}
