#include "dotnet-bridge/plugin/Output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "dotnet-bridge/plugin/Border.hpp"
#include "dotnet-bridge/plugin/Meaning.hpp"
#include "dotnet-bridge/plugin/Values.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "openmi/standard/IQuality.hpp"
#include "timespace/items/AnswerCache.hpp"
#include "timespace/values/ValueSets.hpp"

namespace openmi::dotnet {

template <class Interface>
OutputThing<Interface>::OutputThing(Thing thing, IBaseLinkableComponent* component)
    : OutputOf<Interface>(TheBorder().Id(thing.Number()),
                          DefinitionOf(Thing(TheBorder().ValueDefinition(thing.Number()))), component),
      thing_(std::move(thing)) {
  TheBorder().Listen(Number(), this->Key());
}

template <class Interface>
OutputThing<Interface>::~OutputThing() {
  for (const auto& [item, consumer] : consumers_) Unregister(consumer->number);
  if (watcher_ != 0) Unregister(watcher_);
}

template <class Interface>
std::string OutputThing<Interface>::Caption() const {
  return TheBorder().Caption(Number());
}
template <class Interface>
void OutputThing<Interface>::SetCaption(const std::string& caption) {
  TheBorder().SetCaption(Number(), caption);
}
template <class Interface>
std::string OutputThing<Interface>::Description() const {
  return TheBorder().Description(Number());
}
template <class Interface>
void OutputThing<Interface>::SetDescription(const std::string& description) {
  TheBorder().SetDescription(Number(), description);
}

template <class Interface>
void OutputThing<Interface>::RemoveAdaptedOutput(IBaseAdaptedOutput& adapted_output) {
  OutputOf<Interface>::RemoveAdaptedOutput(adapted_output);
  const auto* managed = dynamic_cast<const IManaged*>(&adapted_output);
  if (managed == nullptr) return;
  try {
    TheBorder().RemoveAdaptedOutput(Number(), managed->Number());
  } catch (const ModelError&) {  // NOLINT(bugprone-empty-catch): it is not used any more, whatever the component thinks
  }
}

template <class Interface>
const ITimeSpaceValueSet& OutputThing<Interface>::Values() const {
  Thing values(TheBorder().OutputValues(Number()));
  if (values) {
    values_ = ValuesOf(std::move(values));
  } else {
    values_ = std::make_unique<NumericValueSet>();
  }
  return *values_;
}

template <class Interface>
const ITimeSpaceValueSet& OutputThing<Interface>::GetValues(const IBaseExchangeItem& query_specifier) {
  const auto found = consumers_.find(&query_specifier);
  if (found != consumers_.end()) {
    Consumer& consumer = *found->second;
    consumer.answer = ValuesOf(Thing(TheBorder().GetValues(Number(), consumer.number, consumer.Key(), {})));
    if (auto* owner = dynamic_cast<IOwner*>(this->Component())) owner->TakeRows();
    return *consumer.answer;
  }
  Consumer asker(query_specifier);
  other_answer_ = ValuesOf(Thing(TheBorder().GetValues(Number(), 0, asker.Key(), query_specifier.Id())));
  if (auto* owner = dynamic_cast<IOwner*>(this->Component())) owner->TakeRows();
  return *other_answer_;
}

template <class Interface>
const openmi::ITimeSet* OutputThing<Interface>::TimeSet() const {
  return times_.Read([this](double* to, int room) { return TheBorder().ItemTimes(Number(), to, room); });
}

template <class Interface>
void OutputThing<Interface>::OnConsumerAdded(IBaseInput& consumer) {
  demand_.Add(consumer);
  auto added = std::make_unique<Consumer>(consumer);
  try {
    added->number = TheBorder().AddConsumer(Number(), added->Key(), consumer.Id());
  } catch (const ModelError& error) {
    this->RemoveConsumer(consumer);
    throw LinkError({.item = this->Id()}, error.Problem(), error.Remedy());
  }
  consumers_[&consumer] = std::move(added);
}

template <class Interface>
void OutputThing<Interface>::OnConsumerRemoved(IBaseInput& consumer) {
  demand_.Remove(consumer);
  const auto found = consumers_.find(&consumer);
  if (found == consumers_.end()) return;
  const std::unique_ptr<Consumer> removed = std::move(found->second);
  consumers_.erase(found);
  Unregister(removed->number);
}

template <class Interface>
void OutputThing<Interface>::Unregister(int consumer) {
  try {
    TheBorder().RemoveConsumer(Number(), consumer);
  } catch (
      const ModelError&) {  // NOLINT(bugprone-empty-catch): it does not ask any more, whatever the component thinks
  }
}

template <class Interface>
void OutputThing<Interface>::OnAdaptedOutputsChanged() {
  demand_.SetAdaptedOutputs(this->AdaptedOutputs());
  bool is_watched = false;  // by adapted outputs that the component does not know
  for (const IBaseAdaptedOutput* adapted : this->AdaptedOutputs()) {
    is_watched = is_watched || dynamic_cast<const IManaged*>(adapted) == nullptr;
  }
  if (is_watched && watcher_ == 0) {
    watcher_ = TheBorder().AddConsumer(Number(), this->Key(), "consumers of " + this->Id());
  } else if (!is_watched && watcher_ != 0) {
    Unregister(std::exchange(watcher_, 0));
  }
}

template <class Interface>
void OutputThing<Interface>::RefreshOthers() {
  for (IBaseAdaptedOutput* adapted : this->AdaptedOutputs()) {
    if (IHasOthers* const own = as_owner_(*adapted)) {
      own->RefreshOthers();
    } else {
      adapted->Refresh();
    }
  }
}

template <class Interface>
void OutputThing<Interface>::InitializeOthers() {
  for (IBaseAdaptedOutput* adapted : this->AdaptedOutputs()) {
    if (auto* own = dynamic_cast<IHasOthers*>(adapted)) {
      own->InitializeOthers();
    } else {
      adapted->Initialize();
      openmi::detail::InitializeAdaptedOutputs(*adapted);
    }
  }
}

template class OutputThing<ITimeSpaceOutput>;
template class OutputThing<ITimeSpaceAdaptedOutput>;

Output::Output(Thing thing, IBaseLinkableComponent* component) : OutputThing(std::move(thing), component) {
  const ValueKind kind = ValueDefinition().ValueType().kind;
  has_rows_ = TimeSet() != nullptr &&
              (kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean) &&
              dynamic_cast<const IQuality*>(&ValueDefinition()) == nullptr;
}

Advance Output::AdvanceTo(Stamp time) {
  TakeRows();
  return AdvanceByUpdating(Component(), *history_, time);
}

bool Output::KeepRowsIn(RowHistory* rows) {
  if (!has_rows_) return false;
  RowHistory* const to = rows != nullptr ? rows : &own_;
  if (to == history_) return true;
  if (rows == nullptr) own_.Clear();
  for (std::size_t row = rows == nullptr && !history_->Empty() ? history_->LastIndex() : 0; row < history_->Count();
       ++row) {
    if (!to->Empty() && !Before(to->LatestEnd(), history_->End(row))) continue;
    to->Append(history_->Begin(row), history_->Duration(row), history_->Row(row));
  }
  if (rows != nullptr) own_.Clear();
  history_ = to;
  return true;
}

/// Border.Look brings the values of rows that are not longer.
constexpr int kShortRow = 8;

void Output::TakeRows() {
  if (!has_rows_) return;
  const auto look = [this] { return TheBorder().Look(Number(), look_.data(), static_cast<int>(look_.size())); };
  int size = look();
  while (size > static_cast<int>(look_.size())) {
    look_.resize(static_cast<std::size_t>(size) + 8);
    size = look();
  }
  TakeRows(std::span(look_).first(static_cast<std::size_t>(size)));
}

void Output::TakeRows(std::span<const double> looked) {
  if (looked.empty()) return;
  const auto times_size = static_cast<std::size_t>(looked[0]);
  const openmi::TimeSet& times = times_.Take(looked.subspan(1, times_size));
  const Days offset = Hours(times.OffsetFromUtcInHours());
  std::optional<Stamp> first;  // of the new rows: none of them goes before it was seen
  std::span<const double> rest = looked.subspan(1 + times_size);
  int row = -1;
  for (const Time& time : times.OwnTimes()) {
    ++row;
    const int size = static_cast<int>(rest[0]);
    const std::span<const double> carried =
        rest.subspan(1, size > 0 && size <= kShortRow ? static_cast<std::size_t>(size) : 0);
    rest = rest.subspan(1 + carried.size());
    const Stamp begin = time.Begin() - offset;
    if (!history_->Empty() && !Before(history_->LatestEnd(), begin + time.Duration())) continue;
    if (size < 0) {
      throw ModelError(
          {.component = Component()->Caption(), .item = Id()},
          fmt::format("expected a row of values for each of {} times, found {} rows", times.Times().size(), row),
          "an output has as many rows in Values as times in TimeSet");
    }
    if (history_->IsFull()) {
      const Stamp needed = std::min(Demand().EarliestNeeded(), first.value_or(begin));
      history_->TrimBefore(needed);
      Needed().MoveHorizonBegin(needed);
    }
    const std::span<double> to = history_->NextRow(static_cast<std::size_t>(size));
    if (carried.empty() && size > 0) {
      TheBorder().TakeRow(Number(), row, to.data(), size);
    } else {
      std::ranges::copy(carried, to.begin());
    }
    history_->Commit(begin, time.Duration());
    if (!first) first = begin;
  }
  if (!first) return;
  RaiseItemChanged("values");
  RefreshOthers();  // the component refreshes its own
}

void Output::Rewind() {
  if (!has_rows_) return;
  const openmi::ITimeSet* times = TimeSet();
  history_->TrimAfter(times != nullptr ? LastEndOf(*times) : kFarPast);
  TakeRows();
}

}  // namespace openmi::dotnet
