#include "composition/isolation/IsolatedComponent.hpp"

#include <algorithm>
#include <utility>

#include "composition/isolation/Wire.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

namespace {

const StateAbility kKeepsStates;  // of a component that says nothing
const StateAbility kRemembersElsewhere{
    .in_memory = false,
    .as_bytes = false,
    .why_not = "an adaptor of its own is on one of its links, and what that remembers is in no state"};

using S = LinkableComponentStatus;

S ReadStatus(StateReader& reader) {
  const std::int64_t status = reader.ReadInteger();
  if (status < 0 || status > static_cast<std::int64_t>(S::Failed)) {
    throw FormatError({}, "expected the status of a component, found an unknown one");
  }
  return static_cast<S>(status);
}

}  // namespace

IsolatedComponent::IsolatedComponent(WorkerCalls calls, StateReader& description)
    : IdentifiedAs(std::string()),
      calls_(std::move(calls)),
      progress_(StateReader(description).ReadInteger()),
      inputs_(*this, progress_),
      outputs_(
          *this, Process(),
          [this](std::int64_t output, std::optional<Stamp> time) {
            const auto lock = Lock();
            StateWriter& request = Begin(HostRequest::Values);
            request.Write(output);
            request.Write(time.has_value());
            if (time) request.Write(time->mjd);
            StateReader reply = Call();
            return ReadValues(reply);
          },
          TalkOfItems()),
      adaptors_(TalkOfItems()) {
  offers_ = description.ReadInteger();
  SetId(description.ReadText());
  IdentifiedAs::SetCaption(description.ReadText());
  SetDescription(description.ReadText());
  family_ = description.ReadText();
  progress_.ReadUnit(description);
  status_ = ReadStatus(description);
  time_extent_ = std::make_unique<TimeSet>();
  arguments_.Read(description);
}

WorkerTalk IsolatedComponent::TalkOfItems() {
  return [this](HostRequest kind, const std::function<void(StateWriter&)>& write,
                const std::function<void(StateReader&)>& read) {
    const HostWork talk;
    const auto lock = Lock();
    const bool may_compute = kind == HostRequest::AdaptedValues;
    StateWriter& letter = Begin(kind);
    if (may_compute) WriteNews(letter);
    write(letter);
    try {
      StateReader reply = Call();
      read(reply);
      if (may_compute) TakeProgress(reply);
    } catch (const std::exception& error) {
      if (may_compute && status_ != S::Failed) Become(S::Failed, error.what());
      throw;
    }
  };
}

IsolatedComponent::~IsolatedComponent() {
  calls_.Drop();
}

template <class Talk>
StateReader IsolatedComponent::Answered(Talk&& talk) {
  try {
    return talk();
  } catch (const ModelError& error) {
    if (Process().IsAlive()) throw;  // thrown by the component
    Become(S::Failed, error.Problem());
    throw ModelError({.file = error.Place().file, .line = error.Place().line, .component = Caption()}, error.Problem(),
                     error.Remedy());
  }
}

StateReader IsolatedComponent::Call() {
  return Answered([this] { return calls_.Call(); });
}

void IsolatedComponent::Become(S status, const std::string& message) {
  const S old = std::exchange(status_, status);
  if (old != status && changed_.HasHandlers()) changed_.Raise({this, message, status, old});
}

void IsolatedComponent::SetCaption(const std::string& caption) {
  IdentifiedAs::SetCaption(caption);
  const auto lock = Lock();
  Write(Begin(HostRequest::SetCaption), caption);
  Call();
}

bool IsolatedComponent::IsTunable(const std::string& argument) const {
  const auto found = std::ranges::find(arguments_.All(), argument, [](const auto& one) { return one->Id(); });
  return found != arguments_.All().end() && (*found)->IsTunable();
}

void IsolatedComponent::ExpectRestore() {
  if ((offers_ & kOffersResumes) == 0) return;
  const auto lock = Lock();
  Begin(HostRequest::ExpectRestore);
  Call();
}

void IsolatedComponent::SetThreads(std::size_t threads) {
  if ((offers_ & kOffersThreads) == 0 || !Process().IsAlive()) return;
  const auto lock = Lock();
  Begin(HostRequest::SetThreads).Write(static_cast<std::int64_t>(threads));
  Call();
}

Problems IsolatedComponent::Remarks() const {
  Problems remarks;
  for (const std::string& failure : Process().Paths().TakeFailures()) {
    AddWarning(remarks, {.component = Caption()}, failure, "let the hosts of both reach each other, if it takes long");
  }
  if ((offers_ & kOffersRemarks) == 0 || !Process().IsAlive()) return remarks;
  const auto lock = Lock();
  WorkerCalls calls = calls_;
  calls.Begin(HostRequest::Remarks);
  StateReader reply = calls.Call();
  for (Problem& one : ReadProblems(reply)) remarks.push_back(std::move(one));
  return remarks;
}

std::string IsolatedComponent::Icon() const {
  if ((offers_ & kOffersIcon) == 0 || !Process().IsAlive()) return {};
  const auto lock = Lock();
  WorkerCalls calls = calls_;
  calls.Begin(HostRequest::Icon);
  return calls.Call().ReadText();
}

const StateAbility& IsolatedComponent::AbilityOfStates() {
  if (adaptors_.HaveMade()) return kRemembersElsewhere;
  if ((offers_ & kOffersStateAbility) == 0 || ability_ || !Process().IsAlive())
    return ability_ ? *ability_ : kKeepsStates;
  const auto lock = Lock();
  Begin(HostRequest::StateAbility);
  StateReader reply = Call();
  const bool in_memory = reply.ReadBool();
  const bool as_bytes = reply.ReadBool();
  ability_ = StateAbility{.in_memory = in_memory, .as_bytes = as_bytes, .why_not = reply.ReadText()};
  return *ability_;
}

void IsolatedComponent::EnterInitialization() {
  const auto lock = Lock();
  WriteNews(Begin(HostRequest::EnterInitialization));
  Call();
}

void IsolatedComponent::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  const auto lock = Lock();
  StateWriter& request = Begin(HostRequest::SetInitialNumbers);
  request.Write(input);
  request.Write(row);
  Call();
}

void IsolatedComponent::SetInitialValues(std::string_view input, std::span<const Value> values) {
  const auto lock = Lock();
  StateWriter& request = Begin(HostRequest::SetInitialValues);
  request.Write(input);
  request.Write(static_cast<std::int64_t>(values.size()));
  for (const Value& value : values) WriteValue(request, value);
  Call();
}

void IsolatedComponent::ShowInitialOutputs() {
  const auto lock = Lock();
  Begin(HostRequest::ShowInitialOutputs);
  StateReader reply = Call();
  outputs_.ReadInitial(reply, progress_.Current());
}

void IsolatedComponent::SetArgument(std::size_t number, const std::string* text, const Value* value) {
  const auto lock = Lock();
  StateWriter& request = Begin(HostRequest::SetArgument);
  request.Write(static_cast<std::int64_t>(number));
  request.Write(text != nullptr);
  if (text != nullptr) {
    Write(request, *text);
  } else {
    WriteValue(request, *value);
  }
  StateReader reply = Call();
  arguments_.Read(reply);
  if (on_argument_) on_argument_(number, text, value);
}

template <class Read>
void IsolatedComponent::Run(HostRequest request, S during, bool with_news, Read&& read) {
  const HostWork talk;  // no code of a component runs on this thread
  const auto lock = Lock();
  Become(during);
  if (during == S::Updating) inputs_.AskAhead();
  if (during == S::Updating || during == S::Preparing) outputs_.ChooseWays();
  StateWriter& letter = Begin(request);
  if (with_news) WriteNews(letter);
  if (during == S::Updating) inputs_.WriteAhead(letter);
  try {
    StateReader reply = Call();
    read(reply);
    TakeProgress(reply);
  } catch (const std::exception& error) {
    inputs_.ForgetPlan();
    if (status_ != S::Failed) Become(S::Failed, error.what());
    throw;
  }
}

void IsolatedComponent::Initialize() {
  ability_.reset();
  try {
    Run(HostRequest::Initialize, S::Initializing, false, [this](StateReader& reply) {
      TakeItems(reply);
      adaptors_.Read(reply, outputs_.Items());
      arguments_.Read(reply);
    });
  } catch (const FileError& error) {
    throw FileError(error.Place(), error.Problem() + Process().There(), error.Remedy());
  }
}

std::vector<std::string> IsolatedComponent::Validate() {
  std::vector<std::string> messages;
  Run(HostRequest::Validate, S::Validating, true, [&messages](StateReader& reply) {
    for (std::int64_t left = reply.ReadInteger(); left > 0; --left) messages.push_back(reply.ReadText());
  });
  return messages;
}

void IsolatedComponent::Prepare() {
  outputs_.MakePaths();
  Run(HostRequest::Prepare, S::Preparing, true, [](StateReader&) {});
}

void IsolatedComponent::Update(std::span<IBaseOutput* const>) {
  if (status_ == S::Done || status_ == S::Updating) return;  // re-entered through a loop of links
  Run(HostRequest::Update, S::Updating, true, [this](StateReader& reply) { TakeUpdated(reply); });
}

void IsolatedComponent::TakeUpdated(StateReader& reply) {
  inputs_.EndUpdate(reply.ReadInteger() > 0);
}

bool IsolatedComponent::BeginUpdate() {
  if (status_ == S::Done || status_ == S::Updating) return false;
  talk_ = Lock();
  Become(S::Updating);
  update_error_ = nullptr;
  try {
    inputs_.AskAhead();
    outputs_.ChooseWays();
    StateWriter& letter = Begin(HostRequest::Update);
    WriteNews(letter);
    inputs_.WriteAhead(letter);
    static_cast<void>(Answered([&] {
      calls_.Post([this] { TakeUpdate(); });
      return StateReader({});
    }));
  } catch (...) {
    update_error_ = std::current_exception();
  }
  return true;
}

void IsolatedComponent::TakeUpdate() {
  try {
    StateReader reply = Answered([this] { return Process().TakeReply(); });
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
  inputs_.ForgetPlan();
  try {
    std::rethrow_exception(std::exchange(update_error_, nullptr));
  } catch (const std::exception& error) {
    if (status_ != S::Failed) Become(S::Failed, error.what());
    throw;
  }
}

void IsolatedComponent::Finish() {
  if (!Process().IsAlive()) {
    Become(S::Finishing);
    Become(S::Finished);
    return;
  }
  Run(HostRequest::Finish, S::Finishing, false, [](StateReader&) {});
}

void IsolatedComponent::TakeItems(StateReader& reader) {
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
  inputs_.ReadItems(reader);
  outputs_.ReadItems(reader);
}

void IsolatedComponent::WriteNews(StateWriter& request) {
  inputs_.WriteNews(request);
  outputs_.WriteNeeds(request);
}

void IsolatedComponent::TakeProgress(StateReader& reader) {
  Process().Rows().ReadNews(reader);
  Process().ReadWork(reader);
  const S status = ReadStatus(reader);
  const std::string message = reader.ReadText();
  progress_.Read(reader);
  inputs_.ReadEarliest(reader);
  outputs_.Read(StateReader(reader.ReadBytes()), progress_.Current(), status_ == S::Preparing);
  Become(status, message);
}

bool IsolatedComponent::TakeRestored(StateReader& reader) {
  TakeProgress(reader);
  return inputs_.OnRestored();
}

const IIdentifiable& IsolatedComponent::Remember(std::string id) {
  auto& state = states_[id];
  if (!state) state = std::make_unique<Identifier>(id);
  return *state;
}

}  // namespace openmi
