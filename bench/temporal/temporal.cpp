// What an interpolation in time of 10^6 elements costs through the adaptor, from question to answer, against the
// triad a = b + s c in the same run: over the same rows, and over arrays of 2*10^7 doubles.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "bench/support/MallocCount.hpp"
#include "bench/support/Report.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/elements/ElementSet.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace {

constexpr std::size_t kElements = 1'000'000;
constexpr std::size_t kLong = 20'000'000;
constexpr int kRows = 21;  // 168 MB: no cache keeps them
constexpr int kRounds = 41;
constexpr double kBegin = 60000.0;
constexpr double kBytes = 24.0;  // two reads and a write an element

/// Gives kRows instants, an hour apart.
class Field final : public openmi::SteppingComponent {
 public:
  Field() : SteppingComponent("field", "PT1H") {
    auto ids = std::vector<std::string>(kElements);
    for (std::size_t i = 0; i < kElements; ++i) ids[i] = std::to_string(i);
    where_ = std::make_shared<const openmi::ElementSet>(openmi::ElementSet::IdBased("elements", ids));
  }
  openmi::NumericOutput& Output() const { return output_.Item(); }

 private:
  void Setup() override {
    SetDefaultTimes(openmi::Stamp{kBegin}, openmi::Stamp{kBegin} + openmi::Hours(kRows - 1));
    output_ = AddOutput("values", "m3 s-1", where_);
  }
  void Step(openmi::Stamp, openmi::Stamp to) override {
    const std::span<double> row = output_.Next();
    for (std::size_t i = 0; i < row.size(); ++i) row[i] = to.mjd - kBegin + 1e-6 * static_cast<double>(i);
  }
  std::shared_ptr<const openmi::ElementSet> where_;
  openmi::ArrayOutput output_;
};

void Triad(const double* b, const double* c, double s, double* a, std::size_t count) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + s * c[i];
}

}  // namespace

int main(int count, char** words) {
  return bench::Main("temporal", count, words, [](bench::Report& report) {
    Field field;
    field.Initialize();
    openmi::StandardAdaptors factory;
    const auto ids = factory.AllIds();
    const auto linear = std::ranges::find_if(ids, [](const openmi::IIdentifiable* id) { return id->Id() == "linear"; });
    auto adaptor = factory.CreateAdaptedOutput(**linear, field.Output(), nullptr);
    auto& output = dynamic_cast<openmi::ITimeSpaceOutput&>(*adaptor);
    openmi::ProbeInput probe;
    probe.PromiseNothingBefore(openmi::Stamp{kBegin});
    output.AddConsumer(probe);
    field.Prepare();
    while (field.Status() == openmi::LinkableComponentStatus::Updated) field.Update({});
    const openmi::RowHistory& history = *field.Output().UseHistory();

    std::vector<double> a(kLong), b(kLong, 1.0), c(kLong, 2.0);
    std::uint64_t mallocs = 0;
    std::uint64_t asked = 0;
    double check = 0.0;
    std::size_t row = 0;
    const auto rate = [](std::size_t elements, const auto& work) {
      return static_cast<double>(elements) * kBytes / bench::WallSeconds(work) * 1e-9;
    };
    const auto ours = [&] {
      row = (row + 1) % (kRows - 1);
      const openmi::Stamp time = openmi::Stamp{kBegin} + openmi::Hours(static_cast<double>(row) + 0.3);
      return rate(kElements, [&] {
        const std::uint64_t before = bench::MallocCount();
        const auto& values = probe.Ask(output, time);
        if (asked++ > 0) mallocs += bench::MallocCount() - before;
        check += dynamic_cast<const openmi::INumericRows&>(values).Row(0)[row];
      });
    };
    const auto same_rows = [&] {
      const std::size_t peer_row = (row + kRows / 2) % (kRows - 1);
      return rate(kElements, [&] {
        Triad(history.Row(peer_row).data(), history.Row(peer_row + 1).data(), 0.3, a.data(), kElements);
        check += a[row];
      });
    };
    const auto streams = [&] {
      return rate(kLong, [&] {
        Triad(b.data(), c.data(), 0.3, a.data(), kLong);
        check += a[row];
      });
    };
    // The long triad leaves nothing of the rows in the caches.
    const auto from_memory = [&streams](auto&& measure) {
      return [&streams, &measure] {
        streams();
        return measure();
      };
    };
    const auto least = bench::Bound::AtLeast(0.95);
    report.Line("linear-against-triad-of-the-same-rows",
                bench::InTurn(kRounds, from_memory(ours), from_memory(same_rows)), "GB/s", "triad", least);
    report.Line("linear-against-triad-of-20000000", bench::InTurn(kRounds, from_memory(ours), streams), "GB/s", "triad",
                least);
    report.Count("allocations", static_cast<double>(mallocs), fmt::format("in {} questions", asked - 1));
    output.RemoveConsumer(probe);
    field.Output().RemoveAdaptedOutput(*adaptor);
    if (!(check > 0.0)) throw std::runtime_error("expected sums above 0");  // so that nothing is left out as unused
  });
}
