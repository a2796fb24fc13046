#include "timespace/NumericOutput.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace openmi {
namespace {

bool SameRow(const RowHistory& a, std::size_t i, const RowHistory& b, std::size_t j) {
  const std::span<const double> row_a = a.Row(i);
  const std::span<const double> row_b = b.Row(j);
  if (a.Begin(i) != b.Begin(j) || a.Duration(i) != b.Duration(j) || row_a.size() != row_b.size()) return false;
  // Bit by bit, so that missing values are equal too.
  return row_a.empty() || std::memcmp(row_a.data(), row_b.data(), row_a.size_bytes()) == 0;
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
  std::fill(next.begin(), next.end(), std::numeric_limits<double>::quiet_NaN());
  std::copy_n(last.begin(), std::min(last.size(), next.size()), next.begin());
}

bool NumericOutput::KeepRowsIn(RowHistory* rows) {
  RowHistory* to = rows != nullptr ? rows : &own_;
  if (to == history_) return true;
  RowHistory& from = *history_;
  if (rows == nullptr) {
    own_.Clear();
    if (!from.Empty()) own_.Append(from.Begin(from.LastIndex()), from.Duration(from.LastIndex()), LastRow());
  } else if (rows->Empty() && rows->Trimmed() == 0 && !rows->IsWriting() && !rows->HasStore()) {
    *rows = std::move(from);  // rows do not move in memory: views of them stay good
    from = RowHistory();
  } else {
    if (!from.Empty()) rows->TrimAfter(from.End(0) - kTimeTolerance * 2.0);
    for (std::size_t i = 0; i < from.Count(); ++i) rows->Append(from.Begin(i), from.Duration(i), from.Row(i));
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
  if (rows.empty()) {  // back to before the first
    history_->Clear();
    return false;
  }
  history_->TrimBefore(demand_.EarliestNeeded());
  const auto is_kept = [this](const ShownRow& row) {
    const std::size_t at = history_->LastEndingBy(row.begin + row.duration);
    return at < history_->Count() && history_->End(at) == row.begin + row.duration &&
           history_->Row(at).data() == row.values.data();
  };
  // Rows before the first that is here are those that nobody asks for any more.
  const auto first = std::ranges::find_if(rows, is_kept);
  if (first != rows.end()) rows = rows.subspan(static_cast<std::size_t>(first - rows.begin()));
  std::size_t kept = 0;
  while (kept < rows.size() && is_kept(rows[kept])) ++kept;
  const ShownRow& last = rows[kept > 0 ? kept - 1 : 0];
  const Stamp until = last.begin + last.duration;
  history_->TrimAfter(kept > 0 ? until : until - kTimeTolerance * 4.0);
  for (const ShownRow& row : rows.subspan(kept)) history_->AppendView(row.begin, row.duration, row.values);
  return kept < rows.size();
}

void NumericOutput::Reset() {
  history_->Clear();
}

void NumericOutput::ForgetAfter(Stamp time) {
  history_->TrimAfter(time);
}

void NumericOutput::RestoreRows(const RowHistory& rows) {
  if (!rows.Empty()) {
    history_->TrimAfter(rows.LatestEnd());
    history_->TrimBefore(rows.End(0));
  }
  if (EndsWith(rows, *history_)) {
    // What is still there stays in its place, since somebody may hold it; what was forgotten meanwhile is put back.
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
