#include "adaptors/base/RowAdaptor.hpp"

#include <algorithm>

#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/values/RowHistory.hpp"

namespace openmi {

void RowAdaptor::Initialize() {
  missing_ = Adaptee().ValueDefinition().MissingDataValue().Number().value_or(kNotANumber);
  mapped_.Clear();
  next_ = source_ != nullptr ? source_->Trimmed() : 0;
  AdaptedOutput::Initialize();
}

const RowHistory* RowAdaptor::UseHistory() {
  if (source_ == nullptr && AdapteeProvider() != nullptr) {
    source_ = AdapteeProvider()->UseHistory();
    if (source_ != nullptr) next_ = source_->Trimmed();
  }
  return source_ != nullptr ? &mapped_ : nullptr;
}

void RowAdaptor::OnRefresh() {
  if (source_ != nullptr) MapNewRows();
}

void RowAdaptor::MapNewRows() {
  if (mapped_.IsFull()) mapped_.TrimBefore(EarliestNeeded());
  const std::uint64_t trimmed = source_->Trimmed();
  for (std::uint64_t row = std::max(next_, trimmed); row < trimmed + source_->Count(); ++row) {
    const auto index = static_cast<std::size_t>(row - trimmed);
    const std::span<const double> in = source_->Row(index);
    // Removes rows that were taken back when a state was restored.
    if (!Before(mapped_.LatestEnd(), source_->End(index)))
      mapped_.TrimAfter(source_->End(index) - kTimeTolerance * 2.0);
    Map(in, source_->Duration(index), mapped_.NextRow(OutWidth(in.size())));
    mapped_.Commit(source_->Begin(index), source_->Duration(index));
  }
  next_ = trimmed + source_->Count();
}

void RowAdaptor::SaveState(StateWriter& writer) const {
  // The position in the adaptee's rows follows from the newest row, since their numbers start again.
  const std::uint64_t end = source_ != nullptr ? source_->Trimmed() + source_->Count() : 0;
  writer.Write(static_cast<std::int64_t>(end - std::min(end, next_)));
  WriteRows(writer, mapped_);
}

void RowAdaptor::LoadState(StateReader& reader) {
  const auto waiting = static_cast<std::uint64_t>(std::max<std::int64_t>(0, reader.ReadInteger()));
  ReplaceRows(mapped_, ReadRows(reader));
  const std::uint64_t end = source_ != nullptr ? source_->Trimmed() + source_->Count() : 0;
  next_ = end - std::min(end, waiting);
}

const ITimeSpaceValueSet& RowAdaptor::Compute(const Question& question, Answer& answer) {
  const INumericRows& rows = Ask(question);
  answer.view.Clear();
  for (std::size_t i = 0; i < rows.RowCount(); ++i) {
    const std::span<const double> in = rows.Row(i);
    const std::span<double> out = answer.OwnRow(i, OutWidth(in.size()));
    Map(in, i < question.times.size() ? question.times[i].duration : Days{}, out);
    answer.view.Add(out);
  }
  return answer.view;
}

}  // namespace openmi
