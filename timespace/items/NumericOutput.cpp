#include "timespace/items/NumericOutput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"

namespace openmi {
namespace {

/// Compares bit by bit, so that missing values are equal too.
bool SameValues(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

bool SameRow(const RowHistory& a, std::size_t i, const RowHistory& b, std::size_t j) {
  return a.Begin(i) == b.Begin(j) && a.Duration(i) == b.Duration(j) && SameValues(a.Row(i), b.Row(j));
}

/// Whether `rows` ends with the rows of `end`.
bool EndsWith(const RowHistory& rows, const RowHistory& end) {
  if (end.Empty() || end.Count() > rows.Count()) return end.Empty() && rows.Empty();
  const std::size_t before = rows.Count() - end.Count();
  for (std::size_t i = 0; i < end.Count(); ++i) {
    if (!SameRow(end, i, rows, before + i)) return false;
  }
  return true;
}

/// Adds the rows of `from` after those of `rows`.
///
/// Equal rows stay in `rows`, so that they do not count as new; a consumer that has read them may have discarded
/// earlier ones. Other rows that end when the first remaining row of `from` ends, or later, are dropped.
void AppendOthers(const RowHistory& from, RowHistory& rows) {
  if (from.Empty()) return;
  std::size_t same = 0;
  for (std::size_t at = rows.LastEndingBy(from.End(0)); at < rows.Count() && same < from.Count(); ++at, ++same) {
    if (!SameRow(from, same, rows, at)) break;
  }
  rows.TrimAfter(same > 0 ? from.End(same - 1) : from.End(0) - kTimeTolerance * 2.0);
  for (std::size_t i = same; i < from.Count(); ++i) rows.Append(from.Begin(i), from.Duration(i), from.Row(i));
}

}  // namespace

NumericOutput::NumericOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                             std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component,
                             OutputTime gives)
    : OutputOf(std::move(id), std::move(definition), component),
      gives_(gives),
      where_(std::move(where)),
      time_set_(history_, gives == OutputTime::Span),
      current_(history_, ValueDefinition().ValueType().kind),
      answers_(ValueDefinition().ValueType().kind) {}

const RowHistory& NumericOutput::History() const {
  if (const std::size_t count = history_->Count(); count > 2) {
    history_->TrimBefore(std::min(demand_.EarliestNeeded(), history_->End(count - 2)));
  }
  return *history_;
}

void NumericOutput::RepeatLast() {
  const std::span<double> next = NextRow();
  const std::span<const double> last = LastRow();
  std::fill(next.begin(), next.end(), kNotANumber);
  std::copy_n(last.begin(), std::min(last.size(), next.size()), next.begin());
}

bool NumericOutput::KeepRowsIn(RowHistory* rows) {
  RowHistory* to = rows != nullptr ? rows : &own_;
  if (to == history_) return true;
  RowHistory& from = *history_;
  if (rows == nullptr) {
    own_.Clear();
    if (!from.Empty()) {
      const std::size_t last = from.LastIndex();
      if (from.Fetcher() == nullptr) {
        own_.Append(from.Begin(last), from.Duration(last), from.LastRow());
      } else {
        own_.AppendView(from.Begin(last), from.Duration(last), from.LastPlace(), from.Fetcher());
      }
    }
  } else if (rows->Empty() && rows->Trimmed() == 0 && !rows->IsWriting() && !rows->HasStore()) {
    *rows = std::move(from);  // rows do not move in memory: views of them stay valid
    from = RowHistory();
  } else {
    AppendOthers(from, *rows);
    if (from.IsWriting()) {
      const std::span<const double> begun = from.NextRow(ElementCount());
      std::ranges::copy(begun, rows->NextRow(begun.size()).begin());
    }
    from = RowHistory();
  }
  to->SetTimeless(timeless_);
  history_ = to;
  return true;
}

bool NumericOutput::ShowRows(std::span<const ShownRow> rows) {
  if (rows.empty()) {  // back to the time before the first row
    history_->Clear();
    return false;
  }
  history_->TrimBefore(demand_.EarliestNeeded());
  const auto is_kept = [this](const ShownRow& row) {
    const std::size_t at = history_->LastEndingBy(row.begin + row.duration);
    if (at == history_->Count() || history_->End(at) != row.begin + row.duration) return false;
    const std::span<const double> kept = history_->Place(at);
    if (kept.data() == row.values.data()) return true;
    // A copy, from the component that this one replaced.
    return history_->IsOwn(at) && history_->Begin(at) == row.begin && SameValues(kept, row.values);
  };
  // Rows before the first kept one are no longer needed.
  const auto first = std::ranges::find_if(rows, is_kept);
  if (first != rows.end()) rows = rows.subspan(static_cast<std::size_t>(first - rows.begin()));
  std::size_t kept = 0;
  while (kept < rows.size() && is_kept(rows[kept])) ++kept;
  const ShownRow& last = rows[kept > 0 ? kept - 1 : 0];
  const Stamp until = last.begin + last.duration;
  history_->TrimAfter(kept > 0 ? until : until - kTimeTolerance * 4.0);
  for (const ShownRow& row : rows.subspan(kept)) history_->AppendView(row.begin, row.duration, row.values, row.fetcher);
  return kept < rows.size();
}

void NumericOutput::Lend(double* next, double* last) {
  *step_ = {.next = next, .last = last, .count = ElementCount(), .output = this, .after = step_->after};
  lent_ = next != nullptr ? step_ : nullptr;
}

bool NumericOutput::EndLentStart() {
  step_->published = 0;
  return step_->has_last;
}

void NumericOutput::RefuseLentRows() const {
  throw ModelError({.component = Component() != nullptr ? Component()->Caption() : "", .item = Id()},
                   fmt::format("expected one row for each step from a member of a population, found {}",
                               step_->published == 0 ? "a row that ends later" : std::to_string(step_->published)),
                   "run it as a component of its own");
}

void NumericOutput::Reset() {
  history_->Clear();
  step_->end = kFarPast;
  step_->has_last = step_->is_written = false;
}

void NumericOutput::ForgetAfter(Stamp time) {
  history_->TrimAfter(time);
  step_->end = std::min(step_->end, time);
}

void NumericOutput::RestoreRows(const RowHistory& rows) {
  if (!rows.Empty()) {
    history_->TrimAfter(rows.LatestEnd());
    history_->TrimBefore(rows.End(0));
  }
  if (EndsWith(rows, *history_)) {
    // Kept rows stay in place, because views of them may exist; rows discarded meanwhile are put back.
    for (std::size_t i = rows.Count() - history_->Count(); i-- > 0;) {
      history_->PutBack(rows.Begin(i), rows.Duration(i), rows.Row(i));
    }
  } else {
    history_->Clear();
    for (std::size_t i = 0; i < rows.Count(); ++i) history_->Append(rows.Begin(i), rows.Duration(i), rows.Row(i));
  }
}

void NumericOutput::OnConsumerAdded(IBaseInput& consumer) {
  answers_.Register(consumer);
  demand_.Add(consumer);
}

void NumericOutput::OnConsumerRemoved(IBaseInput& consumer) {
  answers_.Unregister(consumer);
  demand_.Remove(consumer);
}

}  // namespace openmi
