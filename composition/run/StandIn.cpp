#include "composition/run/StandIn.hpp"

#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/StackGuard.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {

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
    return AdapteeItems().GetValues(query_specifier);
  }
  return AnswerFromHistory(*this, *this, Answers(), query_specifier);
}

void StandIn::Compute(const IBaseExchangeItem&, Answer&) {}  // GetValues answers by itself

Advance StandIn::AdvanceTo(Stamp time) {
  if (native_ != nullptr) return AdapteeDoor()->AdvanceTo(time);
  if (Before(copied_.LatestEnd(), time)) Capture();  // it may have gone on without telling
  return AdvanceByUpdating(Component(), copied_, time, [this] { Capture(); });
}

void StandIn::OnRefresh() {
  if (!numeric_) return;
  if (native_ == nullptr) Capture();
  if (!listeners_.empty()) TellListeners();
}

void StandIn::Capture() {
  const ITimeSet* times = AdapteeItems().TimeSet();
  if (times == nullptr || times->Times().empty()) return;
  copied_.TrimBefore(EarliestNeeded());
  const INumericRows& rows = Present();
  const double offset = times->OffsetFromUtcInHours() / 24.0;
  for (std::size_t i = 0; i < times->Times().size() && i < rows.RowCount(); ++i) {
    const ITime& time = *times->Times()[i];
    const Stamp begin{time.StampAsModifiedJulianDay() - offset};
    const Days duration{time.DurationInDays()};
    if (copied_.Empty() || !Before(begin + duration, copied_.LatestEnd())) {
      copied_.Append(begin, duration, rows.Row(i));  // the same time again replaces the row
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
