#include "composition/isolation/RemoteInputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "composition/isolation/IsolatedComponent.hpp"
#include "composition/isolation/Wire.hpp"
#include "composition/proxy/OutputProxy.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/IProxy.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "timespace/optional/IHistoryProvider.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {
namespace {

AnswerPlace ReadPlace(StateReader& reader) {
  const auto offset = static_cast<std::size_t>(reader.ReadInteger());
  return {offset, static_cast<std::size_t>(reader.ReadInteger())};
}

}  // namespace

void ReportedProvider::WriteOther(StateWriter& writer, const IBaseOutput* provider) {
  writer.Write(provider != nullptr);
  *this = {};
  provider_ = provider;
  if (provider == nullptr) return;
  items_ = dynamic_cast<const ITimeSpaceOutput*>(provider);
  steps_ = dynamic_cast<const ISteps*>(provider->Component());
  WriteDefinition(writer, provider->ValueDefinition());
  WriteTimeSet(writer, items_ != nullptr ? items_->TimeSet() : nullptr);
}

ReportedProvider::PlacesMark ReportedProvider::MarkOf(const ISpatialDefinition* places) {
  PlacesMark mark{.places = places};
  if (places == nullptr) return mark;
  mark.version = places->Version();
  mark.count = places->ElementCount();
  const auto* elements = dynamic_cast<const IElementSet*>(places);
  if (elements == nullptr || mark.count == 0 || elements->ElementType() == ElementType::IdBased) return mark;
  const int last = mark.count - 1;
  const int vertex = elements->GetVertexCount(last) - 1;
  mark.corners = {elements->GetVertexXCoordinate(0, 0), elements->GetVertexYCoordinate(0, 0),
                  elements->GetVertexXCoordinate(last, vertex), elements->GetVertexYCoordinate(last, vertex)};
  return mark;
}

void ReportedProvider::WriteNews(StateWriter& writer, KnownPlaces& known, const ITimeSet* asked) {
  const ISpatialDefinition* places = items_ != nullptr ? items_->SpatialDefinition() : nullptr;
  const PlacesMark mark = MarkOf(places);
  const bool is_news = places != nullptr && mark != places_;
  writer.Write(is_news);
  if (is_news) {
    writer.Write(places == places_.places);           // whether they moved, or are other elements
    const bool is_first = places_.places == nullptr;  // elements that change in each step are not kept
    WriteSpatial(writer, places, is_first ? &known : nullptr);
    places_ = mark;
  }
  Stamp time = steps_ != nullptr ? steps_->CurrentTime() : kFarPast;
  if (asked != nullptr && !asked->Times().empty()) {
    // Looked up each time: what is behind a proxy changes when its component leaves the run.
    const auto* rows = dynamic_cast<const IRowTimes*>(BehindProxies(provider_));
    if (rows != nullptr) time = std::min(time, rows->NextRow(LastEndOf(*asked)));
  }
  const Stamp next = steps_ != nullptr ? steps_->NextTime() : kFarPast;
  const bool has_stepped = time != time_ || next != next_;
  writer.Write(has_stepped);
  if (!has_stepped) return;
  writer.Write(time.mjd);
  writer.Write(next.mjd);
  time_ = time;
  next_ = next;
}

RemoteInputs::RemoteInputs(IsolatedComponent& owner, const RemoteProgress& progress)
    : owner_(owner), progress_(progress), answers_(owner.Process().Rows()) {}

void RemoteInputs::FindRoute(In& input) {
  if (input.route != nullptr) input.route->Close();
  input.route.reset();
  const IBaseOutput* output = BehindProxies(input.item->Provider());
  auto* provider = output != nullptr ? dynamic_cast<IsolatedComponent*>(output->Component()) : nullptr;
  if (input.rows == nullptr || provider == nullptr) return;
  input.route = std::make_shared<RowRoute>();
  input.route->to = owner_.SharedProcess();
  input.route->input = input.rows.get();
  if (!provider->AddRoute(*output, input.route)) input.route.reset();
}

void RemoteInputs::ReadItems(StateReader& reader) {
  inputs_.clear();
  items_.clear();
  plan_ = AskPlan();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ItemDescription read = ReadItem(reader, &owner_.Process().Places());
    In& input = inputs_.emplace_back();
    if (HoldsNumbers(*read.definition) && read.times != nullptr) {
      input.rows =
          std::make_unique<NumericInput>(std::move(read.id), std::move(read.definition), std::move(read.spatial),
                                         &owner_, read.times->HasDurations() ? InputTime::Span : InputTime::Instant);
      input.rows->EditTimeSet() = *read.times;
      input.item = input.rows.get();
    } else {
      input.values = std::make_unique<IsolatedValuesInput>(std::move(read.id), std::move(read.definition),
                                                           std::move(read.spatial), std::move(read.times), &owner_);
      input.item = input.values.get();
    }
    input.item->SetCaption(read.caption);
    input.item->SetDescription(read.description);
    items_.push_back(input.item);
  }
}

void RemoteInputs::ReadEarliest(StateReader& reader) {
  for (In& input : inputs_) {
    input.earliest = Stamp{reader.ReadDouble()};
    if (input.earliest == kFarFuture) continue;
    if (input.rows) {
      input.rows->MoveHorizon(input.earliest);
    } else if (TimeSet* times = input.values->EditTimeSet()) {
      times->MoveHorizonBegin(input.earliest);
    }
  }
}

void RemoteInputs::WriteNews(StateWriter& request) {
  const auto is_news = [](const In& input) { return !input.reported.Is(input.item->Provider()); };
  request.Write(static_cast<std::int64_t>(std::ranges::count_if(inputs_, is_news)));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    In& input = inputs_[i];
    if (!is_news(input)) continue;
    request.Write(static_cast<std::int64_t>(i));
    input.reported.WriteOther(request, input.item->Provider());
    FindRoute(input);
    input.spare = {};
    plan_.Forget();
  }
  for (In& input : inputs_) input.reported.WriteNews(request, owner_.Process().Places(), input.ValueTimes());
}

bool RemoteInputs::OnRestored() {
  bool is_news = false;
  for (In& input : inputs_) {
    TimeSet* seen = input.values != nullptr && progress_.HasSteps() ? input.values->EditTimeSet() : nullptr;
    if (seen == nullptr || input.item->Provider() == nullptr) continue;
    is_news = is_news || seen->Times().empty() || !SameTime(LastEndOf(*seen), progress_.Current());
    seen->SetSingle(progress_.Current());
  }
  return is_news;
}

void RemoteInputs::EndUpdate(bool has_missed) {
  if (has_missed) plan_.OnMissed();
  plan_.End();
  for (In& input : inputs_) input.is_refused = nullptr;
}

void RemoteInputs::In::Ask(bool has_durations, std::span<const Time> times, Stamp earliest_time) {
  TimeSet* set = rows ? &rows->EditTimeSet() : values->EditTimeSet();
  if (set == nullptr) return;
  set->SetOffsetFromUtcInHours(0.0);
  set->SetHasDurations(has_durations);
  set->Assign(times);
  if (earliest_time != kFarFuture) set->MoveHorizonBegin(earliest_time);
}

void RemoteInputs::Serve(EngineRequest request, bool is_updating, StateReader& reader, StateWriter& reply) {
  const std::int64_t number = reader.ReadInteger();
  if (number < 0 || static_cast<std::size_t>(number) >= inputs_.size()) {
    throw RangeError({.component = owner_.Caption()},
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
  input.Ask(has_durations, asked_, earliest);
  input.asks_spans = has_durations;
  input.asks_bytes = request == EngineRequest::PullBytes;
  const Time step_end = progress_.StepEnd(has_durations);
  const bool at_step_end = progress_.HasSteps() && asked_.size() == 1 && request != EngineRequest::PullValues &&
                           asked_[0].Begin() == step_end.Begin() && asked_[0].Duration() == step_end.Duration();
  if (is_updating) plan_.OnAsked(static_cast<std::size_t>(number), at_step_end);
  if (const std::exception_ptr refused = std::exchange(input.is_refused, nullptr); refused && at_step_end) {
    std::rethrow_exception(refused);
  }
  IBaseOutput* provider = input.item->Provider();
  if (provider == nullptr) {
    throw LinkError({.component = owner_.Caption(), .item = input.item->Id()}, "expected a provider, found none",
                    "link the input");
  }
  if (request == EngineRequest::PullValues) {
    const IBaseValueSet& values = provider->GetValues(*input.item);
    input.reported.WriteNews(reply, owner_.Process().Places(), input.ValueTimes());
    WriteValues(reply, values);
    input.item->SetValues(&values);
    return;
  }
  answers_.ReadNews(reader);
  places_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) places_.push_back(ReadPlace(reader));
  input.place = places_.empty() ? AnswerPlace{} : places_[0];
  input.spare = ReadPlace(reader);
  if (input.asks_bytes) {
    const AnswerPlace to = input.place;
    const IBaseValueSet& values = provider->GetValues(*input.item);
    input.reported.WriteNews(reply, owner_.Process().Places(), input.ValueTimes());
    reply.Write(answers_.ByteCount(values));
    if (const auto size = answers_.CopyBytes(values, to)) {  // else it makes room and asks again
      answers_.Send(answers_.CopiedBytes(to, *size));
      input.item->SetValues(&values);
    }
    return;
  }
  std::vector<AnswerPlace> places = std::exchange(places_, {});  // the pull below may call this function again
  const IBaseValueSet& values = provider->GetValues(*input.item);
  input.reported.WriteNews(reply, owner_.Process().Places(), input.ValueTimes());
  const bool are_here = answers_.CopyRows(values, places, input.route.get(), reply);
  input.item->SetValues(are_here ? &values : nullptr);
  places_ = std::move(places);
}

void RemoteInputs::AskAhead() {
  plan_.Begin();
  ahead_.clear();
  for (const std::size_t number : plan_.Ahead()) {
    In& input = inputs_[number];
    IBaseOutput* provider = input.item->Provider();
    if (provider == nullptr || !input.reported.Is(provider)) return;
    const Time asked = progress_.StepEnd(input.asks_spans);
    input.Ask(input.asks_spans, std::span(&asked, 1), input.earliest);
    std::optional<SentAhead> answer;
    try {
      const IBaseValueSet& values = provider->GetValues(*input.item);
      if (input.asks_bytes) {
        const auto size = answers_.CopyBytes(values, input.spare);
        if (size) answer = SentAhead{number, *size, answers_.CopiedBytes(input.spare, *size), {}};
      } else if (const auto row = answers_.CopyRow(values, input.spare, input.route.get())) {
        answer = SentAhead{number, row->row.size(), row->row, row->name};
      }
      if (answer) input.item->SetValues(answer->name.IsHere() ? &values : nullptr);
    } catch (...) {
      input.is_refused = std::current_exception();
    }
    if (!answer) return;  // the component asks itself, and in its order
    plan_.OnAsked(number, true);
    ahead_.push_back(*answer);
    std::swap(input.place, input.spare);  // the previous answer stays where it is, as long as this one is the last
  }
}

void RemoteInputs::WriteAhead(StateWriter& request) {
  request.Write(static_cast<std::int64_t>(ahead_.size()));
  for (const auto& [input, size, row, name] : ahead_) {
    const bool has_durations = inputs_[input].asks_spans;
    const Time asked = progress_.StepEnd(has_durations);
    request.Write(static_cast<std::int64_t>(input));
    request.Write(has_durations);
    request.Write(asked.Begin().mjd);
    request.Write(asked.Duration().count);
    request.Write(static_cast<std::int64_t>(size));
    name.Write(request);
    if (name.IsHere()) answers_.Send(row);
  }
}

}  // namespace openmi
