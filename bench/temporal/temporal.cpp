// What an interpolation in time of 10^6 elements costs through the adaptor, from question to answer, against the
// triad a = b + s c in the same run: over the same rows, and over arrays of 2*10^7 doubles.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "adaptors/StandardAdaptors.hpp"
#include "bench/support/MallocCount.hpp"
#include "openmi/sdk/INumericRows.hpp"
#include "timespace/ElementSet.hpp"
#include "timespace/SteppingComponent.hpp"
#include "timespace/testing/ProbeInput.hpp"

namespace {

using Clock = std::chrono::steady_clock;

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

double Seconds(const std::function<void()>& work) {
  const Clock::time_point begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double Median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2), numbers.end());
  return numbers[numbers.size() / 2];
}

/// A line for scripts/bench. \returns whether the bound is kept
bool Tell(const char* name, double ours, double peer, double bound) {
  fmt::print("temporal/{}: {:.2f} GB/s, triad {:.2f} GB/s, ratio {:.3f}, bound at least {}\n", name, ours, peer,
             ours / peer, bound);
  return ours / peer >= bound;
}

}  // namespace

int main() {
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
  std::vector<double> same_rows, ours, long_triad;
  std::uint64_t mallocs = 0;
  double check = 0.0;
  for (int round = 0; round < kRounds + 1; ++round) {
    const std::size_t row = static_cast<std::size_t>(round) % (kRows - 1);
    const openmi::Stamp time = openmi::Stamp{kBegin} + openmi::Hours(static_cast<double>(row) + 0.3);
    const std::size_t peer_row = (row + kRows / 2) % (kRows - 1);
    const double interpolated = Seconds([&] {
      const std::uint64_t before = bench::MallocCount();
      const auto& values = probe.Ask(output, time);
      if (round > 0) mallocs += bench::MallocCount() - before;
      check += dynamic_cast<const openmi::INumericRows&>(values).Row(0)[row];
    });
    const double triad = Seconds([&] {
      Triad(history.Row(peer_row).data(), history.Row(peer_row + 1).data(), 0.3, a.data(), kElements);
      check += a[row];
    });
    const double streams = Seconds([&] {
      Triad(b.data(), c.data(), 0.3, a.data(), kLong);
      check += a[row];
    });
    if (round == 0) continue;  // memory is taken up
    ours.push_back(interpolated);
    same_rows.push_back(triad);
    long_triad.push_back(streams);
  }
  const auto rate = [](double elements, const std::vector<double>& times) {
    return elements * kBytes / Median(times) * 1e-9;
  };
  const double found = rate(kElements, ours);
  bool good = Tell("linear-against-triad-of-the-same-rows", found, rate(kElements, same_rows), 0.95);
  good = Tell("linear-against-triad-of-20000000", found, rate(kLong, long_triad), 0.95) && good;
  fmt::print("temporal/allocations: {} in {} steps, limit 0, ratio {}, bound at most 0\n", mallocs, kRounds, mallocs);
  output.RemoveConsumer(probe);
  field.Output().RemoveAdaptedOutput(*adaptor);
  if (!(check > 0.0)) return 2;  // so that nothing is left out as unused
  return good && mallocs == 0 ? 0 : 1;
}
