#include "composition/isolation/IsolatedComponent.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "composition/isolation/Protocol.hpp"
#include "composition/isolation/Wire.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ItemList.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/Quantity.hpp"
#include "openmi/sdk/Status.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi {

namespace {

using S = LinkableComponentStatus;

bool IsNumeric(const IValueDefinition& definition) {
  const ValueKind kind = definition.ValueType().kind;
  return kind == ValueKind::Double || kind == ValueKind::Integer || kind == ValueKind::Boolean;
}

S ReadStatus(StateReader& reader) {
  const std::int64_t status = reader.ReadInteger();
  if (status < 0 || status > static_cast<std::int64_t>(S::Failed)) {
    throw FormatError({}, "expected the status of a component, found an unknown one");
  }
  return static_cast<S>(status);
}

}  // namespace

IsolatedComponent::IsolatedComponent(std::shared_ptr<IsolatedProcess> process, std::int64_t instance,
                                     StateReader& description)
    : IdentifiedAs(std::string()), process_(std::move(process)), instance_(instance) {
  const std::int64_t doors = description.ReadInteger();
  has_steps_ = (doors & kOffersSteps) != 0;
  has_balance_ = (doors & kOffersBalance) != 0;
  resumes_ = (doors & kOffersResumes) != 0;
  has_remarks_ = (doors & kOffersRemarks) != 0;
  SetId(description.ReadText());
  IdentifiedAs::SetCaption(description.ReadText());
  SetDescription(description.ReadText());
  family_ = description.ReadText();
  balance_unit_ = description.ReadText();
  balance_area_ = description.ReadDouble();
  status_ = ReadStatus(description);
  time_extent_ = std::make_unique<TimeSet>();
  TakeArguments(description);
}

IsolatedComponent::~IsolatedComponent() {
  process_->RemoveInstance(instance_);
}

StateWriter& IsolatedComponent::Begin(std::int64_t request) {
  request_.Clear();
  request_.Write(request);
  request_.Write(instance_);
  return request_;
}

template <class Talk>
StateReader IsolatedComponent::Answered(Talk&& talk) {
  try {
    return talk();
  } catch (const ModelError& error) {
    if (process_->IsAlive()) throw;  // thrown by the component
    Become(S::Failed, error.Problem());
    throw ModelError({.component = Caption()}, error.Problem(), error.Remedy());
  }
}

StateReader IsolatedComponent::Call() {
  return Answered([this] { return process_->Call(request_); });
}

void IsolatedComponent::Become(S status, const std::string& message) {
  const S old = std::exchange(status_, status);
  if (old != status && changed_.HasHandlers()) changed_.Raise({this, message, status, old});
}

void IsolatedComponent::SetCaption(const std::string& caption) {
  IdentifiedAs::SetCaption(caption);
  const auto lock = Lock();
  Write(Begin(static_cast<std::int64_t>(HostRequest::SetCaption)), caption);
  Call();
}

bool IsolatedComponent::IsTunable(const std::string& argument) const {
  const auto found = std::ranges::find(arguments_, argument, [](const auto& one) { return one->Id(); });
  return found != arguments_.end() && (*found)->IsTunable();
}

void IsolatedComponent::ExpectRestore() {
  if (!resumes_) return;
  const auto lock = Lock();
  Begin(static_cast<std::int64_t>(HostRequest::ExpectRestore));
  Call();
}

Problems IsolatedComponent::Remarks() const {
  if (!has_remarks_ || !process_->IsAlive()) return {};
  const auto lock = Lock();
  StateWriter request;
  request.Write(static_cast<std::int64_t>(HostRequest::Remarks));
  request.Write(instance_);
  StateReader reply = process_->Call(request);
  return ReadProblems(reply);
}

void IsolatedComponent::EnterInitialization() {
  const auto lock = Lock();
  WriteNews(Begin(static_cast<std::int64_t>(HostRequest::EnterInitialization)));
  Call();
}

void IsolatedComponent::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  const auto lock = Lock();
  StateWriter& request = Begin(static_cast<std::int64_t>(HostRequest::SetInitialNumbers));
  request.Write(input);
  request.Write(row);
  Call();
}

void IsolatedComponent::SetInitialValues(std::string_view input, std::span<const Value> values) {
  const auto lock = Lock();
  StateWriter& request = Begin(static_cast<std::int64_t>(HostRequest::SetInitialValues));
  request.Write(input);
  request.Write(static_cast<std::int64_t>(values.size()));
  for (const Value& value : values) WriteValue(request, value);
  Call();
}

void IsolatedComponent::ShowInitialOutputs() {
  const auto lock = Lock();
  Begin(static_cast<std::int64_t>(HostRequest::ShowInitialOutputs));
  StateReader reply = Call();
  for (Out& output : outputs_) {
    std::unique_ptr<ITimeSpaceValueSet> values = ReadValues(reply);
    if (output.values != nullptr) {
      output.values->ShowAt(current_, std::move(values));
      continue;
    }
    output.rows->Reset();
    const INumericRows* rows = numeric_rows_(*values);
    if (rows == nullptr || rows->RowCount() != 1) continue;
    std::ranges::copy(rows->Row(0), output.rows->NextRow().begin());
    output.rows->PublishAt(current_, Days{});
  }
}

void IsolatedComponent::TakeArguments(StateReader& reader) {
  const auto count = static_cast<std::size_t>(reader.ReadInteger());
  for (std::size_t i = 0; i < count; ++i) {
    std::string id = reader.ReadText();
    if (i >= arguments_.size()) {
      arguments_.push_back(std::make_unique<IsolatedArgument>(std::move(id), i, *this));
      argument_list_.push_back(arguments_.back().get());
    }
    arguments_[i]->Read(reader);
  }
}

void IsolatedComponent::SetArgument(std::size_t number, const std::string* text, const Value* value) {
  const auto lock = Lock();
  StateWriter& request = Begin(static_cast<std::int64_t>(HostRequest::SetArgument));
  request.Write(static_cast<std::int64_t>(number));
  request.Write(text != nullptr);
  if (text != nullptr) {
    Write(request, *text);
  } else {
    WriteValue(request, *value);
  }
  StateReader reply = Call();
  TakeArguments(reply);
}

template <class Read>
void IsolatedComponent::Run(std::int64_t request, S during, bool with_news, Read&& read) {
  const HostWork talk;  // no code of a component runs on this thread
  const auto lock = Lock();
  Become(during);
  if (during == S::Updating) AskAhead();
  StateWriter& letter = Begin(request);
  if (with_news) WriteNews(letter);
  if (during == S::Updating) WriteAhead(letter);
  try {
    StateReader reply = Call();
    read(reply);
    TakeProgress(reply);
  } catch (const std::exception& error) {
    plan_.Forget();
    if (status_ != S::Failed) Become(S::Failed, error.what());
    throw;
  }
}

void IsolatedComponent::Initialize() {
  Run(static_cast<std::int64_t>(HostRequest::Initialize), S::Initializing, false, [this](StateReader& reply) {
    TakeItems(reply);
    TakeArguments(reply);
  });
}

std::vector<std::string> IsolatedComponent::Validate() {
  std::vector<std::string> messages;
  Run(static_cast<std::int64_t>(HostRequest::Validate), S::Validating, true, [&messages](StateReader& reply) {
    for (std::int64_t left = reply.ReadInteger(); left > 0; --left) messages.push_back(reply.ReadText());
  });
  return messages;
}

void IsolatedComponent::Prepare() {
  Run(static_cast<std::int64_t>(HostRequest::Prepare), S::Preparing, true, [](StateReader&) {});
}

void IsolatedComponent::Update(std::span<IBaseOutput* const>) {
  if (status_ == S::Done || status_ == S::Updating) return;  // re-entered through a loop of links
  Run(static_cast<std::int64_t>(HostRequest::Update), S::Updating, true,
      [this](StateReader& reply) { TakeUpdated(reply); });
}

void IsolatedComponent::TakeUpdated(StateReader& reply) {
  if (reply.ReadInteger() > 0) plan_.OnMissed();
  plan_.End();
  for (In& input : inputs_) input.is_refused = nullptr;
}

bool IsolatedComponent::BeginUpdate() {
  if (status_ == S::Done || status_ == S::Updating) return false;
  talk_ = Lock();
  Become(S::Updating);
  update_error_ = nullptr;
  try {
    AskAhead();
    StateWriter& letter = Begin(static_cast<std::int64_t>(HostRequest::Update));
    WriteNews(letter);
    WriteAhead(letter);
    static_cast<void>(Answered([&] {
      process_->Post(letter, [this] { TakeUpdate(); });
      return StateReader({});
    }));
  } catch (...) {
    update_error_ = std::current_exception();
  }
  return true;
}

void IsolatedComponent::TakeUpdate() {
  try {
    StateReader reply = Answered([this] { return process_->TakeReply(); });
    TakeUpdated(reply);
    TakeProgress(reply);
  } catch (...) {
    update_error_ = std::current_exception();
  }
}

void IsolatedComponent::EndUpdate() {
  if (update_error_ == nullptr && status_ == S::Updating) TakeUpdate();
  talk_ = {};
  if (update_error_ == nullptr) return;
  plan_.Forget();
  try {
    std::rethrow_exception(std::exchange(update_error_, nullptr));
  } catch (const std::exception& error) {
    if (status_ != S::Failed) Become(S::Failed, error.what());
    throw;
  }
}

void IsolatedComponent::Finish() {
  if (!process_->IsAlive()) {
    Become(S::Finishing);
    Become(S::Finished);
    return;
  }
  Run(static_cast<std::int64_t>(HostRequest::Finish), S::Finishing, false, [](StateReader&) {});
}

void IsolatedComponent::TakeItems(StateReader& reader) {
  inputs_.clear();
  outputs_.clear();
  input_list_.clear();
  output_list_.clear();
  plan_ = AskPlan();
  thread_safe_ = reader.ReadBool();
  family_ = reader.ReadText();
  claims_.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ProcessClaim& claim = claims_.emplace_back();
    claim.what = reader.ReadText();
    claim.owner = reader.ReadText();
  }
  held_.reset();
  if (reader.ReadBool()) {
    std::string what = reader.ReadText();
    held_ = {std::move(what), reader.ReadText()};
  }
  initial_limits_.rounds = static_cast<int>(reader.ReadInteger());
  initial_limits_.tolerance = reader.ReadDouble();
  if (auto extent = ReadTimeSet(reader)) time_extent_ = std::move(extent);
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    std::string id = reader.ReadText();
    const std::string caption = reader.ReadText();
    const std::string description = reader.ReadText();
    auto definition = ReadDefinition(reader);
    auto spatial = ReadSpatial(reader);
    auto times = ReadTimeSet(reader);
    In& input = inputs_.emplace_back();
    if (IsNumeric(*definition) && times != nullptr) {
      input.rows = std::make_unique<NumericInput>(std::move(id), std::move(definition), std::move(spatial), this,
                                                  times->HasDurations() ? InputTime::Span : InputTime::Instant);
      input.rows->EditTimeSet() = *times;
      input.item = input.rows.get();
    } else {
      input.values = std::make_unique<IsolatedValuesInput>(std::move(id), std::move(definition), std::move(spatial),
                                                           std::move(times), this);
      input.item = input.values.get();
    }
    input.item->SetCaption(caption);
    input.item->SetDescription(description);
    input_list_.push_back(input.item);
  }
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    std::string id = reader.ReadText();
    const std::string caption = reader.ReadText();
    const std::string description = reader.ReadText();
    auto definition = ReadDefinition(reader);
    auto spatial = ReadSpatial(reader);
    auto times = ReadTimeSet(reader);
    const bool has_rows = reader.ReadBool();
    Out& output = outputs_.emplace_back();
    if (has_rows && times != nullptr) {
      output.rows = std::make_unique<NumericOutput>(std::move(id), std::move(definition), std::move(spatial), this,
                                                    times->HasDurations() ? OutputTime::Span : OutputTime::Instant);
      output.rows->SetHorizon(times->Horizon().Begin(), times->Horizon().End());
      output.item = output.rows.get();
    } else {
      const auto number = static_cast<std::int64_t>(outputs_.size() - 1);
      output.values = std::make_unique<IsolatedValuesOutput>(
          std::move(id), std::move(definition), std::move(spatial), std::move(times), this,
          [this, number](std::optional<Stamp> time) {
            const auto held = Lock();
            StateWriter& request = Begin(static_cast<std::int64_t>(HostRequest::Values));
            request.Write(number);
            request.Write(time.has_value());
            if (time) request.Write(time->mjd);
            StateReader reply = Call();
            return ReadValues(reply);
          });
      output.item = output.values.get();
    }
    output.item->SetCaption(caption);
    output.item->SetDescription(description);
    output_list_.push_back(output.item);
  }
}

void IsolatedComponent::WriteNews(StateWriter& request) {
  const auto is_news = [](const In& input) { return input.item->Provider() != input.reported_provider; };
  request.Write(static_cast<std::int64_t>(std::ranges::count_if(inputs_, is_news)));
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    In& input = inputs_[i];
    if (!is_news(input)) continue;
    const IBaseOutput* provider = input.item->Provider();
    request.Write(static_cast<std::int64_t>(i));
    request.Write(provider != nullptr);
    input.reported_provider = provider;
    input.reported_items = nullptr;
    input.steps = nullptr;
    input.spare = {};
    plan_.Forget();
    if (provider == nullptr) continue;
    const auto* places = dynamic_cast<const ITimeSpaceOutput*>(provider);
    WriteDefinition(request, provider->ValueDefinition());
    WriteTimeSet(request, places != nullptr ? places->TimeSet() : nullptr);
    input.reported_items = places;
    input.reported_places = {};
    input.steps = dynamic_cast<const ISteps*>(provider->Component());
    input.reported_time = kFarPast;
    input.reported_next = kFarPast;
  }
  for (In& input : inputs_) WriteProviderNews(request, input);
  for (const Out& output : outputs_) {
    request.Write((output.rows ? output.rows->EarliestNeeded() : output.values->EarliestNeeded()).mjd);
  }
}

IsolatedComponent::PlacesMark IsolatedComponent::MarkOf(const ISpatialDefinition* places) {
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

void IsolatedComponent::WriteProviderNews(StateWriter& writer, In& input) {
  const ISpatialDefinition* places =
      input.reported_items != nullptr ? input.reported_items->SpatialDefinition() : nullptr;
  const PlacesMark mark = MarkOf(places);
  const bool is_news = places != nullptr && mark != input.reported_places;
  writer.Write(is_news);
  if (is_news) {
    writer.Write(places == input.reported_places.places);  // whether they moved, or are other elements
    WriteSpatial(writer, places);
    input.reported_places = mark;
  }
  const Stamp time = input.steps != nullptr ? input.steps->CurrentTime() : kFarPast;
  const Stamp next = input.steps != nullptr ? input.steps->NextTime() : kFarPast;
  const bool has_stepped = time != input.reported_time || next != input.reported_next;
  writer.Write(has_stepped);
  if (!has_stepped) return;
  writer.Write(time.mjd);
  writer.Write(next.mjd);
  input.reported_time = time;
  input.reported_next = next;
}

void IsolatedComponent::TakeProgress(StateReader& reader) {
  process_->Rows().ReadNews(reader);
  const S status = ReadStatus(reader);
  const std::string message = reader.ReadText();
  if (has_steps_) {
    current_ = Stamp{reader.ReadDouble()};
    next_ = Stamp{reader.ReadDouble()};
    step_count_ = static_cast<std::uint64_t>(reader.ReadInteger());
  }
  if (has_balance_) {
    for (double* term : {&balance_.storage, &balance_.in, &balance_.out, &balance_.losses}) *term = reader.ReadDouble();
    if (reader.ReadBool()) {
      balance_unit_ = reader.ReadText();
      balance_area_ = reader.ReadDouble();
    }
  }
  for (In& input : inputs_) {
    input.earliest = Stamp{reader.ReadDouble()};
    if (input.earliest == kFarFuture) continue;
    if (input.rows) {
      input.rows->MoveHorizon(input.earliest);
    } else if (TimeSet* times = input.values->EditTimeSet()) {
      times->MoveHorizonBegin(input.earliest);
    }
  }
  StateReader rows(reader.ReadBytes());
  std::vector<NumericOutput*>& fresh = fresh_;
  fresh.clear();
  for (Out& output : outputs_) {
    if (rows.ReadBool() && output.rows && TakeRows(rows, *output.rows)) fresh.push_back(output.rows.get());
    if (rows.ReadBool()) TakeBytes(rows, output);
    if (rows.ReadBool()) TakeSpatial(rows, output);
  }
  if (status_ == S::Preparing) {
    for (IBaseOutput* output : output_list_) detail::InitializeAdaptedOutputs(*output);
  }
  for (NumericOutput* output : fresh) output->Refresh();
  for (Out& output : outputs_) {
    if (output.values) output.values->Forget(current_);
  }
  Become(status, message);
}

bool IsolatedComponent::TakeRows(StateReader& reader, NumericOutput& output) {
  output.SetTimeless(reader.ReadBool());
  std::vector<ShownRow>& rows = shown_;
  rows.clear();
  for (std::int64_t left = reader.ReadInteger(); left > 0; --left) {
    ShownRow row;
    row.begin = Stamp{reader.ReadDouble()};
    row.duration = Days{reader.ReadDouble()};
    const auto offset = static_cast<std::size_t>(reader.ReadInteger());
    const auto size = static_cast<std::size_t>(reader.ReadInteger());
    if (size > 0) row.values = process_->Rows().At(offset, size);
    rows.push_back(row);
  }
  return output.ShowRows(rows);
}

void IsolatedComponent::TakeBytes(StateReader& reader, Out& output) {
  const auto offset = static_cast<std::size_t>(reader.ReadInteger());
  const auto size = static_cast<std::size_t>(reader.ReadInteger());
  if (output.values == nullptr) return;
  std::span<const double> words;
  if (size > 0) words = process_->Rows().At(offset, size / sizeof(double) + (size % sizeof(double) != 0 ? 1 : 0));
  output.values->ShowBytes({reinterpret_cast<const std::byte*>(words.data()), size});
}

void IsolatedComponent::TakeSpatial(StateReader& reader, Out& output) {
  auto spatial = ReadSpatial(reader);
  if (output.rows) output.rows->SetSpatialDefinition(std::move(spatial));
}

const IIdentifiable& IsolatedComponent::Remember(std::string id) {
  auto& state = states_[id];
  if (!state) state = std::make_unique<Identifier>(id);
  return *state;
}

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
  std::vector<Slot> slots = std::exchange(slots_, {});  // the pull below may call this function again
  const IBaseValueSet& values = provider->GetValues(*input.item);
  const INumericRows* rows = numeric_rows_(values);
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
  const IBytesRows* door = bytes_rows_(values);
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
  const INumericRows* rows = numeric_rows_(values);
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
    if (provider == nullptr || provider != input.reported_provider) return;
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
    if (!size) return;  // the component asks itself, and in its order
    plan_.OnAsked(number, true);
    ahead_.push_back({number, *size});
    std::swap(input.slot, input.spare);  // the previous answer stays where it is, as long as this one is the last
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
