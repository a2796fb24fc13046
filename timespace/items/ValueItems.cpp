#include "timespace/items/ValueItems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/times/Iso8601.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
namespace {

std::size_t CountOf(const std::shared_ptr<const ISpatialDefinition>& where) {
  return where ? static_cast<std::size_t>(where->ElementCount()) : 1;
}

}  // namespace

bool TakeText(const Value& value, std::string& text) {
  if (const auto* own = value.As<std::string>()) {
    text = *own;
  } else if (const auto* bytes = value.As<Bytes>()) {
    text.assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  } else if (const auto number = value.Number()) {
    text = fmt::format("{}", *number);
  } else {
    return false;
  }
  return true;
}

ValueOutput::ValueOutput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                         std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component)
    : OutputOf(std::move(id), std::move(definition), component),
      steps_(dynamic_cast<const ISteps&>(*component)),
      where_(std::move(where)),
      count_(CountOf(where_)),
      next_(MakeRow()) {}

ValueOutput::Row ValueOutput::MakeRow() const {
  Row row;
  const openmi::ValueType type = ValueDefinition().ValueType();
  if (type.kind == ValueKind::Binary) {
    auto bytes = std::make_unique<BytesValueSet>(count_);
    row.bytes = bytes.get();
    row.values = std::move(bytes);
  } else {
    row.values = std::make_unique<ObjectValueSet>(type, 1, count_);
  }
  return row;
}

const ITimeSpaceValueSet& ValueOutput::GetValues(const IBaseExchangeItem& query_specifier) {
  const ITimeSpaceExchangeItem* query = as_time_space_(query_specifier);
  const openmi::ITimeSet* times = query != nullptr ? query->TimeSet() : nullptr;
  if (times == nullptr || times->Times().empty()) return Values();
  const Stamp asked = LastEndOf(*times);
  while (Before(steps_.CurrentTime(), asked) && Component()->Status() == LinkableComponentStatus::Updated) {
    Component()->Update({});
  }
  for (std::size_t i = rows_.size(); i-- > 0;) {
    if (!Before(asked, rows_[i].begin)) return *rows_[i].values;
  }
  if (rows_.empty()) return Values();
  throw RangeError({.component = Component()->Caption(), .item = Id()},
                   fmt::format("expected a time from {}, found that '{}' asks for {}",
                               FormatIsoTime(rows_.front().begin), query_specifier.Id(), FormatIsoTime(asked)),
                   "earlier values are gone, or there were none");
}

Stamp ValueOutput::NextRow(Stamp time) const {
  const auto later = std::ranges::find_if(rows_, [time](const Row& row) { return Before(time, row.begin); });
  return later != rows_.end() ? later->begin : kFarFuture;
}

void ValueOutput::GiveUp(std::size_t first, std::size_t last) {
  if (first >= last) return;
  for (std::size_t i = first; i < last; ++i) {
    rows_[i].is_set = rows_[i].is_borrowed = rows_[i].is_ending = false;
    spare_.push_back(std::move(rows_[i]));
  }
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(first), rows_.begin() + static_cast<std::ptrdiff_t>(last));
}

ValueOutput::Row ValueOutput::NewRow() {
  if (spare_.empty()) return MakeRow();
  Row row = std::move(spare_.back());
  spare_.pop_back();
  return row;
}

void ValueOutput::Commit(Stamp time) {
  time_set_.SetSingle(time);
  if (!next_.is_set && !rows_.empty()) return;  // the last row stays valid
  // Rows from here on are of a time after that to which the component went back.
  std::size_t kept = rows_.size();
  while (kept > 0 && !Before(rows_[kept - 1].begin, time)) --kept;
  GiveUp(kept, rows_.size());
  next_.begin = time;
  const Stamp needed = demand_.EarliestNeeded();
  std::size_t gone = 0;
  while (gone < kept && (rows_[gone].is_ending || !Before(needed, gone + 1 < kept ? rows_[gone + 1].begin : time))) {
    ++gone;
  }
  if (gone == 0) {
    rows_.push_back(std::move(next_));
    next_ = NewRow();
    return;
  }
  GiveUp(1, gone);
  std::swap(rows_.front(), next_);  // reuses the memory of a row that is no longer needed
  std::rotate(rows_.begin(), rows_.begin() + 1, rows_.end());
  next_.is_set = next_.is_borrowed = next_.is_ending = false;
}

void ValueOutput::Copy(Row& row) const {
  for (std::size_t element = 0; element < count_; ++element) {
    row.bytes->Keep(element, row.bytes->BytesAt(0, element));
  }
  row.is_borrowed = row.is_ending = false;
}

void ValueOutput::KeepShown(std::optional<Stamp> next) {
  if (!next) {
    for (Row& row : rows_) {
      if (row.is_borrowed) Copy(row);
    }
    return;
  }
  if (rows_.empty() || !rows_.back().is_borrowed) return;
  if (Before(demand_.EarliestNeeded(), *next)) {
    Copy(rows_.back());
  } else {
    rows_.back().is_ending = true;
  }
}

void ValueOutput::KeepShownBefore() {
  if (rows_.size() < 2) return;
  const Stamp needed = demand_.EarliestNeeded();
  for (std::size_t i = 0; i + 1 < rows_.size(); ++i) {
    if (!rows_[i].is_borrowed) continue;
    if (Before(needed, rows_[i + 1].begin)) {
      Copy(rows_[i]);
    } else {
      rows_[i].is_ending = true;
    }
  }
}

void ValueOutput::Publish(Stamp time) {
  Commit(time);
  RefreshAdaptedOutputs();
  RaiseItemChanged("values");
}

void ValueOutput::SaveRows(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(count_));
  writer.Write(static_cast<std::int64_t>(rows_.size()));
  for (const Row& row : rows_) {
    writer.Write(row.begin.mjd);
    for (std::size_t element = 0; element < count_; ++element) {
      if (row.bytes != nullptr) {
        writer.Write(row.bytes->BytesAt(0, element));
        continue;
      }
      const Value value = row.values->GetValue(0, static_cast<int>(element));
      const auto* text = value.As<std::string>();
      writer.Write(text != nullptr);
      if (text != nullptr) writer.Write(*text);
    }
  }
}

void ValueOutput::LoadRows(StateReader& reader) {
  if (const std::int64_t count = reader.ReadInteger(); count != static_cast<std::int64_t>(count_)) {
    throw FormatError({.component = Component()->Caption(), .item = Id()},
                      fmt::format("expected a state with {} values, found one with {}", count_, count),
                      "restore a state of the same component");
  }
  GiveUp(0, rows_.size());
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    Row row = NewRow();
    row.begin = Stamp{reader.ReadDouble()};
    for (std::size_t element = 0; element < count_; ++element) {
      if (row.bytes != nullptr) {
        row.bytes->Keep(element, reader.ReadBytes());
      } else {
        row.values->SetValue(0, static_cast<int>(element), reader.ReadBool() ? Value(reader.ReadText()) : Value());
      }
    }
    rows_.push_back(std::move(row));
  }
  next_.is_set = next_.is_borrowed = false;
  if (!rows_.empty()) time_set_.SetSingle(rows_.back().begin);
}

ValueInput::ValueInput(std::string id, std::unique_ptr<const IValueDefinition> definition,
                       std::shared_ptr<const ISpatialDefinition> where, IBaseLinkableComponent* component)
    : InputOf(std::move(id), std::move(definition), component),
      where_(std::move(where)),
      count_(CountOf(where_)),
      steps_(dynamic_cast<const ISteps*>(component)) {}

Stamp ValueInput::EarliestNeeded() const {
  if (asks_no_more_) return kFarFuture;
  const auto times = time_set_.OwnTimes();
  const Stamp asked = times.empty() ? time_set_.Horizon().Begin() : times.back().Begin();
  return steps_ != nullptr ? std::max(asked, steps_->CurrentTime()) : asked;
}

void ValueInput::SetProvider(IBaseOutput* provider) {
  InputOf::SetProvider(provider);
  provider_items_ = dynamic_cast<ITimeSpaceOutput*>(provider);
}

void ValueInput::Take(const ITimeSpaceValueSet& values) {
  values_ = &values;
  only_ = bytes_rows_(values);
  if (only_ != nullptr && only_->Only() == nullptr) only_ = nullptr;
  RaiseItemChanged("values");
}

void ValueInput::SetValues(const IBaseValueSet* values) {
  values_ = dynamic_cast<const ITimeSpaceValueSet*>(values);
  only_ = nullptr;
  if (values != nullptr && values_ == nullptr) {
    throw TypeError(
        {.component = Component()->Caption(), .item = Id()},
        fmt::format("expected values by time and element, found a set of {} indices", values->NumberOfIndices()));
  }
  RaiseItemChanged("values");
}

void ValueInput::Pull(Stamp to) {
  IBaseOutput* provider = Provider();
  if (provider == nullptr) return;
  asks_no_more_ = false;
  time_set_.SetSingle(to);
  if (provider_items_ != nullptr) {
    Take(provider_items_->GetValues(*this));
  } else {
    SetValues(&provider->GetValues(*this));
  }
  if (only_ != nullptr && count_ == 1) return;
  const std::size_t times = values_->GetIndexCount({});
  const std::array<std::size_t, 1> last{times == 0 ? 0 : times - 1};
  const std::size_t found = times == 0 ? 0 : values_->GetIndexCount(last);
  if (found != count_) {
    throw LinkError({.component = Component()->Caption(), .item = Id()},
                    fmt::format("expected {} values from '{}', found {}", count_, provider->Id(), found));
  }
}

Value ValueInput::Get(std::size_t element) const {
  if (values_ == nullptr) return {};
  const std::size_t times = values_->GetIndexCount({});
  if (times == 0) return {};
  return values_->GetValue(static_cast<int>(times - 1), static_cast<int>(element));
}

ByteView ValueInput::GetBytes(std::size_t element) {
  if (only_ != nullptr && element == 0) {
    if (const ByteView* only = only_->Only()) return *only;
  }
  if (values_ == nullptr) return {};
  const std::size_t times = values_->GetIndexCount({});
  if (times == 0) return {};
  if (const IBytesRows* rows = bytes_rows_(*values_)) return rows->BytesAt(times - 1, element);
  copy_ = values_->GetValue(static_cast<int>(times - 1), static_cast<int>(element));
  const auto* bytes = copy_.As<Bytes>();
  return bytes != nullptr ? ByteView(*bytes) : ByteView();
}

}  // namespace openmi
