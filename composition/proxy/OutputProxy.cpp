#include "composition/proxy/OutputProxy.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "composition/proxy/ComponentProxy.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/OutputOf.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/TimeSet.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {
namespace {

bool SameBits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace

OutputProxy::OutputProxy(ITimeSpaceOutput& output, IBaseLinkableComponent* component, IRowStore* store)
    : AdaptedOutput(output.Id(), output), rows_(store) {
  if (component != nullptr) SetComponent(component);
  host_ = dynamic_cast<ComponentProxy*>(component);
  numeric_ = HoldsNumbers(output.ValueDefinition());
  TakeUp(output);
}

OutputProxy::~OutputProxy() {
  if (frozen_ != nullptr) return;
  if (lent_) AdapteeProvider()->KeepRowsIn(nullptr);
  Adaptee().RemoveAdaptedOutput(*this);
}

void OutputProxy::TakeUp(ITimeSpaceOutput& output) {
  output.AddAdaptedOutput(*this);
  const auto* host = dynamic_cast<const ComponentProxy*>(Component());
  is_bound_ = host != nullptr && host->HasThread();
  lent_ = numeric_ && AdapteeProvider() != nullptr && AdapteeProvider()->KeepRowsIn(&rows_);
}

void OutputProxy::OnInitialize() {
  reported_ = 0;
  reported_until_ = heard_until_ = kFarPast;
  if (lent_) return;
  rows_.Clear();
  // A component of the SDK initializes the whole chain of adapted outputs; a third-party component may know only the
  // first one.
  detail::InitializeAdaptedOutputs(*this);
}

std::unique_ptr<FrozenOutput> OutputProxy::Freeze(PlaceCopies& places) const {
  return std::make_unique<FrozenOutput>(AdapteeItems(), Component(), places);
}

void OutputProxy::Detach(std::unique_ptr<FrozenOutput> shown) {
  heard_until_ = std::max(heard_until_, rows_.LatestEnd());
  if (lent_) AdapteeProvider()->KeepRowsIn(nullptr);
  rows_.OwnRows();  // rows of a component in another process are in memory that is released with it
  Adaptee().RemoveAdaptedOutput(*this);
  frozen_ = std::move(shown);
  SetAdaptee(*frozen_);
}

std::unique_ptr<FrozenOutput> OutputProxy::Attach(ITimeSpaceOutput& output) {
  RequireFits(output);
  SetAdaptee(output);
  std::unique_ptr<FrozenOutput> shown = std::move(frozen_);
  TakeUp(output);
  const ITimeSet* times = output.TimeSet();
  if (numeric_ && !lent_ && times != nullptr && !times->Times().empty()) {
    // Rows that were repeated for times from the component's first one on are replaced.
    rows_.TrimAfter(EndOf(*times->Times().front()) - Hours(times->OffsetFromUtcInHours()) - kTimeTolerance * 2.0);
  }
  return shown;
}

void OutputProxy::Refresh() {
  const HostWork published;            // by the component that runs
  if (!IsInitialized()) Initialize();  // a third-party component may leave this to the owner of the adapted outputs
  OnRefresh();
  RaiseItemChanged("values");
  RefreshAdaptedOutputs();
}

const ITimeSpaceValueSet& OutputProxy::Compute(const Question& question, Answer& answer) {
  if (PassesOn()) {  // no times: the present values hold
    GuardStack();
    AdvanceInPlace(question);
    return AdapteeItems().GetValues(question.asker);
  }
  const ITimeSpaceValueSet& values = AnswerFromHistory(*this, *this, rows_, question, answer);
  if (rows_.Fetcher() != nullptr) {
    const auto* demand = dynamic_cast<const IDemand*>(&question.asker);
    if (demand == nullptr || demand->ReadsRows()) rows_.FetchRows();
  }
  return values;
}

Advance OutputProxy::AdvanceTo(Stamp time) {
  return stepper_ != nullptr ? stepper_->AdvanceTo(time) : AdvanceComponent(time);
}

Advance OutputProxy::AdvanceComponent(Stamp time) {
  if (frozen_ != nullptr || (host_ != nullptr && host_->IsHeld())) return HoldUntil(time);
  if (host_ == nullptr || !host_->Freezes()) return AdvanceFreely(time);
  try {
    return AdvanceFreely(time);
  } catch (const std::exception& error) {
    host_->Hold(error.what());
    return HoldUntil(time);
  }
}

Advance OutputProxy::AdvanceFreely(Stamp time) {
  Conduct* const conduct = host_ != nullptr ? host_->TheConduct() : nullptr;
  const bool is_there = !rows_.IsTimeless() && !Before(rows_.LatestEnd(), time);
  if (conduct == nullptr || is_there || PassesOn()) return AdvanceHere(time);
  Advance advance = Advance::Held;
  CallComponent(*conduct, [&] { advance = AdvanceHere(time); });
  return advance;
}

Advance OutputProxy::AdvanceHere(Stamp time) {
  if (lent_ && !is_bound_) return AdapteeProvider()->AdvanceTo(time);
  if (lent_) return AdvanceByUpdating(Component(), rows_, time);
  if (PassesOn()) return StepInPlace(time);
  if (Before(rows_.LatestEnd(), time)) Capture(false);  // the component may have stepped without a notification
  return AdvanceByUpdating(Component(), rows_, time, [this] { Capture(false); });
}

Advance OutputProxy::HoldUntil(Stamp time) {
  if (rows_.Empty() || rows_.IsTimeless()) return Advance::Held;
  const Stamp begin = rows_.LatestEnd();
  if (!Before(begin, time)) return Advance::Held;
  rows_.TrimBefore(EarliestNeeded());
  // An amount over a span is the amount of one step: as many steps are repeated as needed.
  const Days span = rows_.Duration(rows_.LastIndex());
  for (int steps = 0; Before(rows_.LatestEnd(), time); ++steps) {
    const std::span<const double> last = rows_.Row(rows_.LastIndex());
    const std::span<double> next = rows_.NextRow(last.size());
    std::ranges::copy(last, next.begin());
    if (span.count > 0.0) {
      rows_.Commit(begin + span * steps, span);
    } else {
      rows_.Commit(time, Days{});
    }
  }
  reported_ = rows_.Trimmed() + rows_.Count();  // no component computed these rows
  reported_until_ = rows_.LatestEnd();
  RefreshAdaptedOutputs();
  return Advance::Held;
}

void OutputProxy::SetQuiet(bool quiet) {
  if (quiet) {
    if (quiet_++ > 0) return;
    if (!listeners_.empty()) quiet_since_ = rows_.LatestEnd();
    is_rewound_ = false;
    return;
  }
  if (--quiet_ > 0) return;
  quiet_since_ = kFarFuture;
  if (is_rewound_) {
    // Numbers of rows start again when a component in another process shows its rows again; times do not.
    std::size_t told = 0;
    while (told < rows_.Count() && !Before(reported_until_, rows_.End(told))) ++told;
    reported_ = rows_.Trimmed() + told;
  }
  if (!listeners_.empty() && numeric_) NotifyListeners();
}

Stamp OutputProxy::EarliestNeeded() const {
  return std::min(quiet_since_, AdaptedOutput::EarliestNeeded());
}

bool OutputProxy::ReadsRows() const {
  const bool may_be_held = host_ != nullptr && host_->Freezes();  // then the last row is repeated here
  return !lent_ || !listeners_.empty() || may_be_held || AreRowsRead();
}

void OutputProxy::Rewind(Stamp time) {
  if (!lent_) rows_.TrimAfter(time);
  is_rewound_ = true;
}

void OutputProxy::TakeBack(Stamp time) {
  rows_.TrimAfter(time);
  is_rewound_ = true;
}

void OutputProxy::AdvanceInPlace(const Question& question) {
  if (question.times.empty() || AdapteeItems().TimeSet() == nullptr || Component() == nullptr) return;
  const Stamp wanted = question.times.back().End();
  if (stepper_ != nullptr) {
    stepper_->AdvanceTo(wanted);
  } else {
    StepInPlace(wanted);
  }
}

Advance OutputProxy::StepInPlace(Stamp wanted) {
  const openmi::ITimeSet* there = AdapteeItems().TimeSet();
  if (there == nullptr) return Advance::Reached;
  for (Stamp now = LastEndOf(*there); Before(now, wanted);) {
    if (Component()->Status() != LinkableComponentStatus::Updated) return Advance::Busy;  // or done
    if (host_ != nullptr && host_->TheConduct() != nullptr) {
      CallComponent(*host_->TheConduct(), [this] { Component()->Update({}); });
    } else {
      Component()->Update({});
    }
    const Stamp before = now;
    now = LastEndOf(*there);
    if (!Before(before, now)) return Advance::Ended;
  }
  return Advance::Reached;
}

void OutputProxy::OnRefresh() {
  if (!numeric_) return;
  if (!lent_) Capture(true);
  if (!listeners_.empty() && quiet_ == 0 && !is_muted_) NotifyListeners();
}

void OutputProxy::UnmuteFrom(Stamp begin) {
  if (!lent_) rows_.Clear();
  std::size_t row = 0;
  while (row < rows_.Count() && Before(rows_.End(row), begin)) ++row;
  reported_ = rows_.Trimmed() + row;
  reported_until_ = row > 0 ? rows_.End(row - 1) : kFarPast;
  is_muted_ = false;
  Refresh();
}

void OutputProxy::SaveState(StateWriter& writer) const {
  // The rows that listeners know are counted from the newest row, since numbers may start again.
  const std::uint64_t end = rows_.Trimmed() + rows_.Count();
  writer.Write(static_cast<std::int64_t>(end - std::min(end, reported_)));
  writer.Write(heard_until_.mjd);
  static const RowHistory none;
  WriteRows(writer, lent_ ? none : rows_);  // rows that the component writes are part of its own state
}

void OutputProxy::LoadState(StateReader& reader) {
  const auto unreported = static_cast<std::uint64_t>(std::max<std::int64_t>(0, reader.ReadInteger()));
  heard_until_ = Stamp{reader.ReadDouble()};
  const RowHistory rows = ReadRows(reader);
  if (!lent_) ReplaceRows(rows_, rows);
  const std::uint64_t end = rows_.Trimmed() + rows_.Count();
  reported_ = end - std::min(end, unreported);
  const std::size_t told = rows_.Count() - std::min<std::size_t>(rows_.Count(), unreported);
  reported_until_ = told > 0 ? rows_.End(told - 1) : kFarPast;
}

void OutputProxy::Capture(bool again) {
  const ITimeSet* times = AdapteeItems().TimeSet();
  if (times == nullptr || times->Times().empty()) return;
  rows_.TrimBefore(EarliestNeeded());
  const INumericRows& rows = Present();
  const double offset = times->OffsetFromUtcInHours() / 24.0;
  for (std::size_t i = 0; i < times->Times().size() && i < rows.RowCount(); ++i) {
    const ITime& time = *times->Times()[i];
    const Stamp begin{time.StampAsModifiedJulianDay() - offset};
    const Days duration{time.DurationInDays()};
    const Stamp latest = rows_.LatestEnd();
    if (rows_.Empty() || Before(latest, begin + duration)) {
      rows_.Append(begin, duration, rows.Row(i));
    } else if (again && SameTime(latest, begin + duration) && !SameBits(rows_.Row(rows_.LastIndex()), rows.Row(i))) {
      rows_.Append(begin, duration, rows.Row(i));  // other values for the same time
    }
  }
}

void OutputProxy::NotifyListeners() {
  const std::uint64_t trimmed = rows_.Trimmed();
  if (!rows_.Empty() && reported_ + 1 == trimmed + rows_.Count() &&
      heard_until_ == kFarPast) {  // usually there is one row more
    const std::size_t last = rows_.LastIndex();
    for (IRowListener* listener : listeners_) listener->OnRow(rows_.LastBegin(), rows_.Duration(last), rows_.LastRow());
    ++reported_;
    reported_until_ = rows_.LatestEnd();
    return;
  }
  for (std::size_t row = reported_ > trimmed ? static_cast<std::size_t>(reported_ - trimmed) : 0; row < rows_.Count();
       ++row) {
    if (heard_until_ != kFarPast && !Before(heard_until_, rows_.End(row))) continue;
    for (IRowListener* listener : listeners_) listener->OnRow(rows_.Begin(row), rows_.Duration(row), rows_.Row(row));
  }
  reported_ = trimmed + rows_.Count();
  reported_until_ = rows_.LatestEnd();
}

}  // namespace openmi
