#include "timespace/items/ShownRows.hpp"

#include <algorithm>
#include <utility>

#include "openmi/sdk/IProxy.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi {
namespace {

constexpr Days kJustBefore = kTimeTolerance * 4.0;

/// Whether the values of `output` are taken by `only` alone, each at the ends of its steps. Null: by any one component.
bool NobodyLooksBack(const IBaseOutput& output, bool is_proxy, const IBaseLinkableComponent*& only) {
  for (const IBaseInput* consumer : output.Consumers()) {
    const auto* demand = dynamic_cast<const IDemand*>(consumer);
    if (demand == nullptr || demand->Source().AskedTimes() == nullptr) return false;
    if (only == nullptr) only = consumer->Component();
    if (only == nullptr || consumer->Component() != only) return false;
  }
  return std::ranges::all_of(output.AdaptedOutputs(), [&](const IBaseAdaptedOutput* adapted) {
    return !is_proxy && dynamic_cast<const IProxy*>(adapted) != nullptr && NobodyLooksBack(*adapted, true, only);
  });
}

std::size_t Mixed(std::size_t number, const void* pointer) {
  return number * 1099511628211U + reinterpret_cast<std::uintptr_t>(pointer);
}

/// A number that changes when consumers or adapted outputs are added or removed.
std::size_t TakersOf(std::size_t number, const IBaseOutput& output) {
  for (const IBaseInput* consumer : output.Consumers()) number = Mixed(number, consumer);
  for (const IBaseAdaptedOutput* adapted : output.AdaptedOutputs()) {
    number = TakersOf(Mixed(number, adapted), *adapted);
  }
  return Mixed(number, &output);
}

}  // namespace

void ShownRows::Clear() {
  entries_.clear();
}

void ShownRows::Add(NumericOutput& item) {
  entries_.push_back({&item});
}

void ShownRows::Reset() {
  for (Entry& entry : entries_) entry.is_shown = false;
  copied_values_ = shown_rows_ = takers_ = 0;
}

bool ShownRows::MayShow() {
  if (!entries_.empty() && entries_.front().item->IsLent()) return false;
  std::size_t takers = 0;
  for (const Entry& entry : entries_) takers = TakersOf(takers, *entry.item);
  if (takers != takers_) {
    takers_ = takers;
    const IBaseLinkableComponent* only = nullptr;
    may_show_ =
        std::ranges::all_of(entries_, [&](const Entry& entry) { return NobodyLooksBack(*entry.item, false, only); });
  }
  return may_show_;
}

void ShownRows::Show(std::size_t output, Stamp begin, Days duration, std::span<const double> values) {
  Drop(output);
  const ShownRow row{.begin = begin, .duration = duration, .values = values};
  entries_[output].item->ShowRows({&row, 1});
  entries_[output].is_shown = true;
  ++shown_rows_;
}

void ShownRows::Drop(std::size_t output) {
  auto& [item, is_shown] = entries_[output];
  if (std::exchange(is_shown, false)) item->ForgetAfter(item->LatestEnd() - kJustBefore);
}

void ShownRows::Own(std::size_t output) {
  auto& [item, is_shown] = entries_[output];
  if (!is_shown) return;
  const RowHistory& rows = item->History();
  const Stamp begin = rows.Begin(rows.LastIndex());
  const Days duration = rows.Duration(rows.LastIndex());
  const std::vector<double> values(rows.LastRow().begin(), rows.LastRow().end());
  copied_values_ += values.size();
  Drop(output);
  std::ranges::copy(values, item->NextRow().begin());
  item->PublishAt(begin, duration);
}

void ShownRows::Keep() {
  if (shown_rows_ == 0) return;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const auto& [item, is_shown] = entries_[i];
    if (is_shown && (!MayShow() || Before(item->EarliestNeeded(), item->LatestEnd()))) Own(i);
  }
}

void ShownRows::OwnAll() {
  for (std::size_t i = 0; i < entries_.size(); ++i) Own(i);
}

void ShownRows::DropAll() {
  for (std::size_t i = 0; i < entries_.size(); ++i) Drop(i);
}

}  // namespace openmi
