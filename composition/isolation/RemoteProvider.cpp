#include "composition/isolation/RemoteProvider.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "composition/isolation/SharedAnswers.hpp"
#include "composition/isolation/Wire.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/TimeSet.hpp"

namespace openmi {
RemoteProvider::RemoteProvider(ITimeSpaceInput& input, Channel& channel, RowPeers& peers, std::int64_t instance,
                               std::int64_t number)
    : OutputOf(input.Id(), nullptr, nullptr),
      input_(input),
      demand_(dynamic_cast<const IDemand*>(&input)),
      channel_(channel),
      peers_(peers),
      instance_(instance),
      number_(number),
      owner_("the provider of " + input.Id()),
      spare_(peers.Arena()) {
  AddConsumer(input_);
}

RemoteProvider::~RemoteProvider() {
  RemoveConsumer(input_);
}

void RemoteProvider::Describe(std::unique_ptr<const IValueDefinition> definition,
                              std::unique_ptr<openmi::TimeSet> times) {
  definition_ = std::move(definition);
  times_ = std::move(times);
  const ValueKind kind = definition_->ValueType().kind;
  const bool is_numeric = HoldsNumbers(*definition_);
  answers_ = is_numeric ? Answers::InRows : kind == ValueKind::Binary ? Answers::InBytes : Answers::AsValues;
  view_ = RowsView(is_numeric ? kind : ValueKind::Double);
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
  std::shared_ptr<const ISpatialDefinition> places = ReadSpatial(reader, &peers_.Places());
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
  if (answers_ == Answers::InBytes) return bytes_;
  if (other_values_) return *other_values_;
  return view_;
}

Stamp RemoteProvider::EarliestNeeded() const {
  if (demand_ != nullptr) return demand_->EarliestNeeded();
  const openmi::ITimeSet* times = input_.TimeSet();
  if (times == nullptr) return kFarFuture;
  return Stamp{times->TimeHorizon().StampAsModifiedJulianDay()} - Hours(times->OffsetFromUtcInHours());
}

void RemoteProvider::BeginRequest(EngineRequest request, const openmi::ITimeSet* times) {
  const std::size_t count = times != nullptr ? times->Times().size() : 0;
  request_.Clear();
  request_.Write(static_cast<std::int64_t>(request));
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
}

void RemoteProvider::TakeRow(const RowName& name, std::size_t size, AnswerRow& into) {
  if (!name.IsHere()) return peers_.Take(name, into.Room(size), into.Held());
  into.Held().reset();
  peers_.Arena().Carrier().Receive(into.Room(size));
}

void RemoteProvider::TakeAhead(bool has_durations, const Time& asked, std::size_t size, const RowName& name) {
  const bool is_bytes = answers_ == Answers::InBytes;
  const std::size_t capacity = (is_bytes && !rows_.empty() ? rows_[0] : spare_).Capacity();
  const std::size_t words = is_bytes ? WordsOf(size) : size;
  if (words > capacity) {
    throw RangeError({.item = input_.Id()},
                     fmt::format("expected an answer of {} values at most, found one of {}", capacity, words));
  }
  ahead_.Take(has_durations, asked, size);
  TakeRow(name, words, is_bytes && !rows_.empty() ? rows_[0] : spare_);
}

const ITimeSpaceValueSet& RemoteProvider::UseAhead() {
  if (answers_ == Answers::InBytes) {
    bytes_.Show(0, rows_[0].Bytes(ahead_.Size()));
  } else {
    std::swap(rows_[0], spare_);
    view_.Clear();
    view_.Add(rows_[0].Numbers(ahead_.Size()));
  }
  ahead_.Use();
  return Values();
}

const ITimeSpaceValueSet* RemoteProvider::AskForBytes() {
  if (rows_.empty()) rows_.emplace_back(peers_.Arena());
  AnswerRow& row = rows_[0];
  const std::size_t written = request_.Bytes().size();
  while (true) {
    request_.CutTo(written);
    peers_.Arena().WriteNews(request_);
    request_.Write(std::int64_t{1});
    row.Write(request_);
    row.Write(request_);  // large messages stay in the cache this way, and the last one is not read any more
    StateReader reply(channel_.Call(request_.Bytes()));
    TakeNews(reply);
    const std::int64_t size = reply.ReadInteger();
    if (size < 0) return nullptr;
    const std::size_t words = WordsOf(static_cast<std::size_t>(size));
    if (words <= row.Capacity()) {
      peers_.Arena().Carrier().Receive(row.Room(words));
      bytes_.Show(0, row.Bytes(static_cast<std::size_t>(size)));
      return &bytes_;
    }
    row.Renew(words + words / 4);  // the next message may be a little larger
  }
}

const ITimeSpaceValueSet& RemoteProvider::GetValues(const IBaseExchangeItem& query_specifier) {
  const ITimeSpaceExchangeItem* item = as_time_space_(query_specifier);
  const openmi::ITimeSet* times = item != nullptr ? item->TimeSet() : nullptr;
  if (ahead_.IsThere()) {
    if (ahead_.Fits(times)) return UseAhead();
    ahead_.Miss();  // its place may be allocated again
  }
  if (answers_ == Answers::InBytes) {
    BeginRequest(EngineRequest::PullBytes, times);
    if (const ITimeSpaceValueSet* bytes = AskForBytes()) return *bytes;
    answers_ = Answers::AsValues;
  }
  const bool is_numeric = answers_ == Answers::InRows;
  BeginRequest(is_numeric ? EngineRequest::Pull : EngineRequest::PullValues, times);
  if (is_numeric) return AskForRows(std::max<std::size_t>(times != nullptr ? times->Times().size() : 0, 1));
  StateReader reply(channel_.Call(request_.Bytes()));
  TakeNews(reply);
  other_values_ = ReadValues(reply);
  return *other_values_;
}

const ITimeSpaceValueSet& RemoteProvider::AskForRows(std::size_t count) {
  const auto make_rows = [this](std::size_t wanted) {
    while (rows_.size() < wanted) rows_.emplace_back(peers_.Arena());
  };
  make_rows(count);
  // Room for as many values as the provider has elements, so that a question is asked once: an iterated loop counts
  // questions.
  const std::size_t width = spatial_ != nullptr ? static_cast<std::size_t>(std::max(spatial_->ElementCount(), 1)) : 1;
  for (AnswerRow& row : std::span(rows_).first(count)) {
    if (!row.IsThere()) row.Renew(width);
  }
  const std::size_t written = request_.Bytes().size();
  while (true) {
    request_.CutTo(written);
    if (count == 1 && spare_.Capacity() < rows_[0].Capacity()) spare_.Renew(rows_[0].Capacity());
    peers_.Arena().WriteNews(request_);
    request_.Write(static_cast<std::int64_t>(count));
    for (std::size_t i = 0; i < count; ++i) rows_[i].Write(request_);
    spare_.Write(request_);
    StateReader reply(channel_.Call(request_.Bytes()));
    TakeNews(reply);
    const auto rows = static_cast<std::size_t>(reply.ReadInteger());
    make_rows(rows);
    view_.Clear();
    bool is_there = true;
    for (AnswerRow& row : std::span(rows_).first(rows)) {
      const auto size = static_cast<std::size_t>(reply.ReadInteger());
      if (row.Capacity() < size || !row.IsThere()) {
        row.Renew(size);
        is_there = false;
      } else {
        TakeRow(RowName::Read(reply), size, row);
        view_.Add(row.Numbers(size));
      }
    }
    count = std::max(count, rows);
    if (is_there) return view_;  // else the reply stated how much room it needs, and the question is asked again
  }
}

}  // namespace openmi
