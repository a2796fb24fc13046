#include "composition/run/StandIn.hpp"

#include <cstring>

#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/StackGuard.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/TimeSet.hpp"

namespace openmi {
namespace {

bool SameBits(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

}  // namespace

StandIn::StandIn(ITimeSpaceOutput& output) : AdaptedOutput(output.Id(), output) {
  const ValueKind kind = output.ValueDefinition().ValueType().kind;
  numeric_ = kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
  if (IHistoryProvider* door = AdapteeDoor()) native_ = door->UseHistory();
  output.AddAdaptedOutput(*this);
}

StandIn::~StandIn() {
  Adaptee().RemoveAdaptedOutput(*this);
}

void StandIn::OnInitialize() {
  told_ = 0;
  copied_.Clear();
  // A component of the SDK initializes all that stands above; one of others may know of the first only.
  if (native_ == nullptr) detail::InitializeAdaptedOutputs(*this);
}

void StandIn::Refresh() {
  if (!IsInitialized()) Initialize();  // by a component that leaves this to whoever made the adapted output
  AdaptedOutput::Refresh();
}

const ITimeSpaceValueSet& StandIn::GetValues(const IBaseExchangeItem& query_specifier) {
  if (!numeric_ || (native_ == nullptr && AdapteeItems().TimeSet() == nullptr)) {  // no times: what there is, holds
    GuardStack();
    AdvanceInPlace(query_specifier);
    return AdapteeItems().GetValues(query_specifier);
  }
  return AnswerFromHistory(*this, *this, Answers(), query_specifier);
}

void StandIn::Compute(const IBaseExchangeItem&, Answer&) {}  // GetValues answers by itself

Advance StandIn::AdvanceTo(Stamp time) {
  if (native_ != nullptr) return AdapteeDoor()->AdvanceTo(time);
  if (Before(copied_.LatestEnd(), time)) Capture(false);  // it may have gone on without telling
  return AdvanceByUpdating(Component(), copied_, time, [this] { Capture(false); });
}

void StandIn::AdvanceInPlace(const IBaseExchangeItem& query) {
  const auto* item = dynamic_cast<const ITimeSpaceExchangeItem*>(&query);
  const openmi::ITimeSet* asked = item != nullptr ? item->TimeSet() : nullptr;
  const openmi::ITimeSet* there = AdapteeItems().TimeSet();
  if (asked == nullptr || asked->Times().empty() || there == nullptr || Component() == nullptr) return;
  const auto end_of = [](const openmi::ITimeSet& times) {
    return times.Times().empty() ? kFarPast : EndOf(*times.Times().back()) - Hours(times.OffsetFromUtcInHours());
  };
  const Stamp wanted = end_of(*asked);
  for (Stamp now = end_of(*there); Before(now, wanted);) {
    if (Component()->Status() != LinkableComponentStatus::Updated) return;  // busy or done: what there is
    Component()->Update({});
    const Stamp before = now;
    now = end_of(*there);
    if (!Before(before, now)) return;
  }
}

void StandIn::OnRefresh() {
  if (!numeric_) return;
  if (native_ == nullptr) Capture(true);
  if (!listeners_.empty()) TellListeners();
}

void StandIn::Capture(bool again) {
  const ITimeSet* times = AdapteeItems().TimeSet();
  if (times == nullptr || times->Times().empty()) return;
  copied_.TrimBefore(EarliestNeeded());
  const INumericRows& rows = Present();
  const double offset = times->OffsetFromUtcInHours() / 24.0;
  for (std::size_t i = 0; i < times->Times().size() && i < rows.RowCount(); ++i) {
    const ITime& time = *times->Times()[i];
    const Stamp begin{time.StampAsModifiedJulianDay() - offset};
    const Days duration{time.DurationInDays()};
    const Stamp latest = copied_.LatestEnd();
    if (copied_.Empty() || Before(latest, begin + duration)) {
      copied_.Append(begin, duration, rows.Row(i));
    } else if (again && SameTime(latest, begin + duration) &&
               !SameBits(copied_.Row(copied_.LastIndex()), rows.Row(i))) {
      copied_.Append(begin, duration, rows.Row(i));  // other values for the same time
    }
  }
}

void StandIn::TellListeners() {
  const RowHistory& history = *UseHistory();
  const std::uint64_t trimmed = history.Trimmed();
  for (std::size_t row = told_ > trimmed ? static_cast<std::size_t>(told_ - trimmed) : 0; row < history.Count();
       ++row) {
    for (IRowListener* listener : listeners_)
      listener->OnRow(history.Begin(row), history.Duration(row), history.Row(row));
  }
  told_ = trimmed + history.Count();
}

}  // namespace openmi
