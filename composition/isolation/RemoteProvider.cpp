#include "composition/isolation/RemoteProvider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/Wire.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/TimeSet.hpp"

namespace openmi {
namespace {

std::size_t WordsOf(std::size_t bytes) {
  return (bytes + sizeof(double) - 1) / sizeof(double);
}

}  // namespace

RemoteProvider::RemoteProvider(ITimeSpaceInput& input, Channel& channel, RowArena& arena, std::int64_t instance,
                               std::int64_t number)
    : OutputOf(input.Id(), nullptr, nullptr),
      input_(input),
      demand_(dynamic_cast<const IDemand*>(&input)),
      channel_(channel),
      arena_(arena),
      instance_(instance),
      number_(number),
      owner_("the provider of " + input.Id()) {
  AddConsumer(input_);
}

RemoteProvider::~RemoteProvider() {
  RemoveConsumer(input_);
  for (const Slot& slot : slots_) {
    if (slot.row != nullptr) arena_.Give(slot.row, slot.capacity);
  }
  if (spare_.row != nullptr) arena_.Give(spare_.row, spare_.capacity);
}

void RemoteProvider::Describe(std::unique_ptr<const IValueDefinition> definition,
                              std::unique_ptr<openmi::TimeSet> times) {
  definition_ = std::move(definition);
  times_ = std::move(times);
  const ValueKind kind = definition_->ValueType().kind;
  is_numeric_ = kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
  is_bytes_ = kind == ValueKind::Binary;
  view_ = RowsView(is_numeric_ ? kind : ValueKind::Double);
}

void RemoteProvider::TakeNews(StateReader& reader) {
  if (reader.ReadBool()) TakePlaces(reader);
  if (!reader.ReadBool()) return;
  const Stamp time{reader.ReadDouble()};
  owner_.Detach(time, Stamp{reader.ReadDouble()});
  SetComponent(&owner_);
}

void RemoteProvider::TakePlaces(StateReader& reader) {
  const bool have_moved = reader.ReadBool();
  std::shared_ptr<const ISpatialDefinition> places = ReadSpatial(reader);
  const auto* before = dynamic_cast<const ElementSet*>(spatial_.get());
  const auto* after = dynamic_cast<const ElementSet*>(places.get());
  if (!have_moved || before == nullptr || after == nullptr) {
    spatial_ = std::move(places);
    moved_.reset();
    return;
  }
  if (moved_ == nullptr) spatial_ = moved_ = std::make_shared<ElementSet>(*before);
  *moved_ = *after;
}

const IValueDefinition& RemoteProvider::ValueDefinition() const {
  return definition_ ? *definition_ : input_.ValueDefinition();
}

const ITimeSpaceValueSet& RemoteProvider::Values() const {
  if (is_bytes_) return bytes_;
  if (other_values_) return *other_values_;
  return view_;
}

Stamp RemoteProvider::EarliestNeeded() const {
  if (demand_ != nullptr) return demand_->EarliestNeeded();
  const openmi::ITimeSet* times = input_.TimeSet();
  if (times == nullptr) return kFarFuture;
  return Stamp{times->TimeHorizon().StampAsModifiedJulianDay()} - Hours(times->OffsetFromUtcInHours());
}

StateWriter& RemoteProvider::BeginRequest(std::int64_t request, const openmi::ITimeSet* times) {
  const std::size_t count = times != nullptr ? times->Times().size() : 0;
  request_.Clear();
  request_.Write(request);
  request_.Write(instance_);
  request_.Write(number_);
  request_.Write(times != nullptr && times->HasDurations());
  request_.Write(EarliestNeeded().mjd);
  request_.Write(static_cast<std::int64_t>(count));
  const double offset = times != nullptr ? times->OffsetFromUtcInHours() / 24.0 : 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    request_.Write(times->Times()[i]->StampAsModifiedJulianDay() - offset);
    request_.Write(times->Times()[i]->DurationInDays());
  }
  return request_;
}

void RemoteProvider::TakeAhead(bool has_durations, Time asked, std::size_t size) {
  const Slot place = is_bytes_ && !slots_.empty() ? slots_[0] : spare_;
  const std::size_t words = is_bytes_ ? WordsOf(size) : size;
  if (words > place.capacity) {
    throw RangeError({.item = input_.Id()},
                     fmt::format("expected an answer of {} values at most, found one of {}", place.capacity, words));
  }
  ahead_ = {asked, size, has_durations};
}

bool RemoteProvider::DropAhead() {
  const bool was_there = ahead_.has_value();
  ahead_.reset();
  return std::exchange(missed_ahead_, false) || was_there;
}

bool RemoteProvider::AnswersAhead(const openmi::ITimeSet* times) {
  if (times == nullptr || times->Times().size() != 1 || times->HasDurations() != ahead_->has_durations) return false;
  const ITime& asked = *times->Times()[0];
  const double offset = times->OffsetFromUtcInHours() / 24.0;
  if (asked.StampAsModifiedJulianDay() - offset != ahead_->asked.StampAsModifiedJulianDay() ||
      asked.DurationInDays() != ahead_->asked.DurationInDays()) {
    return false;
  }
  if (is_bytes_) {
    bytes_.Show(0, {reinterpret_cast<const std::byte*>(slots_[0].row), ahead_->size});
  } else {
    std::swap(slots_[0], spare_);
    view_.Clear();
    view_.Add({slots_[0].row, ahead_->size});
  }
  ahead_.reset();
  return true;
}

void RemoteProvider::WriteSlot(const Slot& slot) {
  const auto offset = slot.row != nullptr ? arena_.OffsetOf(slot.row) : std::nullopt;
  request_.Write(static_cast<std::int64_t>(offset.value_or(0)));
  request_.Write(static_cast<std::int64_t>(slot.capacity));
}

void RemoteProvider::MakeSpare() {
  if (spare_.capacity >= slots_[0].capacity) return;
  if (spare_.row != nullptr) arena_.Give(spare_.row, spare_.capacity);
  spare_ = {};
  spare_ = {arena_.Take(slots_[0].capacity), slots_[0].capacity};
}

const ITimeSpaceValueSet* RemoteProvider::AskForBytes() {
  if (slots_.empty()) slots_.resize(1);
  Slot& slot = slots_[0];
  const std::size_t written = request_.Bytes().size();
  while (true) {
    request_.CutTo(written);
    arena_.WriteNews(request_);
    request_.Write(std::int64_t{1});
    WriteSlot(slot);
    WriteSlot(slot);  // large messages stay in the cache this way, and the last one is not read any more
    StateReader reply(channel_.Call(request_.Bytes()));
    TakeNews(reply);
    const std::int64_t size = reply.ReadInteger();
    if (size < 0) return nullptr;
    const std::size_t words = WordsOf(static_cast<std::size_t>(size));
    if (words <= slot.capacity) {
      bytes_.Show(0, {reinterpret_cast<const std::byte*>(slot.row), static_cast<std::size_t>(size)});
      return &bytes_;
    }
    if (slot.row != nullptr) arena_.Give(slot.row, slot.capacity);
    slot.capacity = words + words / 4;  // the next message may be a little larger
    slot.row = arena_.Take(slot.capacity);
  }
}

const ITimeSpaceValueSet& RemoteProvider::GetValues(const IBaseExchangeItem& query_specifier) {
  const ITimeSpaceExchangeItem* item = as_time_space_(query_specifier);
  const openmi::ITimeSet* times = item != nullptr ? item->TimeSet() : nullptr;
  if (ahead_) {
    if (AnswersAhead(times)) return Values();
    ahead_.reset();  // its place may be allocated again
    missed_ahead_ = true;
  }
  if (is_bytes_) {
    BeginRequest(static_cast<std::int64_t>(EngineRequest::PullBytes), times);
    if (const ITimeSpaceValueSet* bytes = AskForBytes()) return *bytes;
    is_bytes_ = false;
  }
  BeginRequest(static_cast<std::int64_t>(is_numeric_ ? EngineRequest::Pull : EngineRequest::PullValues), times);
  if (is_numeric_) return AskForRows(std::max<std::size_t>(times != nullptr ? times->Times().size() : 0, 1));
  StateReader reply(channel_.Call(request_.Bytes()));
  TakeNews(reply);
  other_values_ = ReadValues(reply);
  return *other_values_;
}

const ITimeSpaceValueSet& RemoteProvider::AskForRows(std::size_t count) {
  if (slots_.size() < count) slots_.resize(count);
  // Room for as many values as the provider has elements, so that a question is asked once: an iterated loop counts
  // questions.
  const std::size_t width = spatial_ != nullptr ? static_cast<std::size_t>(std::max(spatial_->ElementCount(), 1)) : 1;
  for (Slot& slot : std::span(slots_).first(count)) {
    if (slot.row == nullptr) slot = {arena_.Take(width), width};
  }
  const std::size_t written = request_.Bytes().size();
  while (true) {
    request_.CutTo(written);
    if (count == 1) MakeSpare();
    arena_.WriteNews(request_);
    request_.Write(static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) WriteSlot(slots_[i]);
    WriteSlot(spare_);
    StateReader reply(channel_.Call(request_.Bytes()));
    TakeNews(reply);
    const auto rows = static_cast<std::size_t>(reply.ReadInteger());
    if (slots_.size() < rows) slots_.resize(rows);
    view_.Clear();
    bool is_there = true;
    for (std::size_t i = 0; i < rows; ++i) {
      const auto size = static_cast<std::size_t>(reply.ReadInteger());
      Slot& slot = slots_[i];
      if (slot.capacity < size || slot.row == nullptr) {
        if (slot.row != nullptr) arena_.Give(slot.row, slot.capacity);
        slot.row = arena_.Take(size);
        slot.capacity = size;
        is_there = false;
      } else {
        view_.Add({slot.row, size});
      }
    }
    count = std::max(count, rows);
    if (is_there) return view_;  // else the reply stated how much room it needs, and the question is asked again
  }
}

}  // namespace openmi
