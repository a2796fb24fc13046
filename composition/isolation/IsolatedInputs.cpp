// What its component asks the providers in the run for: answered when it asks, or foreseen and sent along.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

void IsolatedComponent::Ask(In& input, bool has_durations, std::span<const Time> times, Stamp earliest) {
  TimeSet* set = input.rows ? &input.rows->EditTimeSet() : input.values->EditTimeSet();
  if (set == nullptr) return;
  set->SetOffsetFromUtcInHours(0.0);
  set->SetHasDurations(has_durations);
  set->Assign(times);
  if (earliest != kFarFuture) set->MoveHorizonBegin(earliest);
}

void IsolatedComponent::Serve(std::int64_t request, StateReader& reader, StateWriter& reply) {
  const std::int64_t number = reader.ReadInteger();
  if (number < 0 || static_cast<std::size_t>(number) >= inputs_.size()) {
    throw RangeError({.component = Caption()},
                     fmt::format("expected an input below {}, found {}", inputs_.size(), number));
  }
  In& input = inputs_[static_cast<std::size_t>(number)];
  const bool has_durations = reader.ReadBool();
  const Stamp earliest{reader.ReadDouble()};
  asked_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    const Stamp stamp{reader.ReadDouble()};
    asked_.emplace_back(stamp, Days{reader.ReadDouble()});
  }
  Ask(input, has_durations, asked_, earliest);
  input.asks_spans = has_durations;
  input.asks_bytes = request == static_cast<std::int64_t>(EngineRequest::PullBytes);
  const Time step_end = StepEnd(has_durations);
  const bool at_step_end = has_steps_ && asked_.size() == 1 &&
                           request != static_cast<std::int64_t>(EngineRequest::PullValues) &&
                           asked_[0].Begin() == step_end.Begin() && asked_[0].Duration() == step_end.Duration();
  if (status_ == LinkableComponentStatus::Updating) plan_.OnAsked(static_cast<std::size_t>(number), at_step_end);
  if (const std::exception_ptr refused = std::exchange(input.is_refused, nullptr); refused && at_step_end) {
    std::rethrow_exception(refused);
  }
  IBaseOutput* provider = input.item->Provider();
  if (provider == nullptr) {
    throw LinkError({.component = Caption(), .item = input.item->Id()}, "expected a provider, found none",
                    "link the input");
  }
  if (request == static_cast<std::int64_t>(EngineRequest::PullValues)) {
    const IBaseValueSet& values = provider->GetValues(*input.item);
    WriteProviderNews(reply, input);
    WriteValues(reply, values);
    input.item->SetValues(&values);
    return;
  }
  process_->Rows().ReadNews(reader);
  const auto read_slot = [&reader] {
    const auto offset = static_cast<std::size_t>(reader.ReadInteger());
    return Slot{offset, static_cast<std::size_t>(reader.ReadInteger())};
  };
  slots_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) slots_.push_back(read_slot());
  input.slot = slots_.empty() ? Slot{} : slots_[0];
  input.spare = read_slot();
  if (input.asks_bytes) {
    const Slot to = input.slot;
    const IBaseValueSet& values = provider->GetValues(*input.item);
    const auto bytes = OneOfBytes(values);
    WriteProviderNews(reply, input);
    reply.Write(bytes ? static_cast<std::int64_t>(bytes->size()) : std::int64_t{-1});
    if (CopyOne(input, values, to)) input.item->SetValues(&values);  // else it makes room and asks again
    return;
  }
  std::vector<Slot> slots = std::exchange(slots_, {});  // the pull below may come back here
  const IBaseValueSet& values = provider->GetValues(*input.item);
  const INumericRows* rows = rows_door_(values);
  const std::size_t count = rows != nullptr ? rows->RowCount() : values.GetIndexCount({});
  WriteProviderNews(reply, input);
  reply.Write(static_cast<std::int64_t>(count));
  for (std::size_t row = 0; row < count; ++row) {
    const std::size_t size = rows != nullptr ? rows->Row(row).size() : values.GetIndexCount(std::span(&row, 1));
    reply.Write(static_cast<std::int64_t>(size));
    if (row >= slots.size() || slots[row].size < size || size == 0) continue;  // it makes room and asks again
    CopyRow(values, rows, row, process_->Rows().At(slots[row].offset, size));
  }
  input.item->SetValues(&values);
  slots_ = std::move(slots);
}

void IsolatedComponent::CopyRow(const IBaseValueSet& values, const INumericRows* rows, std::size_t row,
                                std::span<double> to) {
  if (rows != nullptr) {
    std::ranges::copy(rows->Row(row), to.begin());
    return;
  }
  for (std::size_t element = 0; element < to.size(); ++element) {
    const std::size_t place[] = {row, element};
    to[element] = values.GetValue(std::span<const std::size_t>(place)).Number().value_or(kNotANumber);
  }
}

std::optional<std::span<const std::byte>> IsolatedComponent::OneOfBytes(const IBaseValueSet& values) {
  const IBytesRows* door = bytes_door_(values);
  const std::size_t times = door != nullptr ? values.GetIndexCount({}) : 0;
  const std::size_t last = times - 1;
  if (times == 0 || values.GetIndexCount(std::span(&last, 1)) != 1) return std::nullopt;
  return door->BytesAt(last, 0);
}

std::optional<std::size_t> IsolatedComponent::CopyOne(const In& input, const IBaseValueSet& values, Slot to) {
  if (input.asks_bytes) {
    const auto bytes = OneOfBytes(values);
    const std::size_t words = bytes ? (bytes->size() + sizeof(double) - 1) / sizeof(double) : 0;
    if (!bytes || words > to.size) return std::nullopt;
    if (words > 0) std::memcpy(process_->Rows().At(to.offset, words).data(), bytes->data(), bytes->size());
    return bytes->size();
  }
  const INumericRows* rows = rows_door_(values);
  const std::size_t row = 0;
  if ((rows != nullptr ? rows->RowCount() : values.GetIndexCount({})) != 1) return std::nullopt;
  const std::size_t size = rows != nullptr ? rows->Row(row).size() : values.GetIndexCount(std::span(&row, 1));
  if (size > to.size) return std::nullopt;
  if (size > 0) CopyRow(values, rows, row, process_->Rows().At(to.offset, size));
  return size;
}

void IsolatedComponent::AskAhead() {
  plan_.Begin();
  ahead_.clear();
  for (const std::size_t number : plan_.Ahead()) {
    In& input = inputs_[number];
    IBaseOutput* provider = input.item->Provider();
    if (provider == nullptr || provider != input.told_provider) return;
    const Time asked = StepEnd(input.asks_spans);
    Ask(input, input.asks_spans, std::span(&asked, 1), input.earliest);
    std::optional<std::size_t> size;
    try {
      const IBaseValueSet& values = provider->GetValues(*input.item);
      size = CopyOne(input, values, input.spare);
      if (size) input.item->SetValues(&values);
    } catch (...) {
      input.is_refused = std::current_exception();
    }
    if (!size) return;  // the component asks by itself, and in its order
    plan_.OnAsked(number, true);
    ahead_.push_back({number, *size});
    std::swap(input.slot, input.spare);  // the answer before stays where it is, as long as this one is the last
  }
}

void IsolatedComponent::WriteAhead(StateWriter& request) const {
  request.Write(static_cast<std::int64_t>(ahead_.size()));
  for (const Ahead& one : ahead_) {
    const bool has_durations = inputs_[one.input].asks_spans;
    const Time asked = StepEnd(has_durations);
    request.Write(static_cast<std::int64_t>(one.input));
    request.Write(has_durations);
    request.Write(asked.Begin().mjd);
    request.Write(asked.Duration().count);
    request.Write(static_cast<std::int64_t>(one.size));
  }
}

}  // namespace openmi
