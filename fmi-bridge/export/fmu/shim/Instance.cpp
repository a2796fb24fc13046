#include "fmi-bridge/export/fmu/shim/Instance.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <span>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace openmi::fmu {
namespace {

constexpr std::uint32_t kNoEntry = 0xffffffff;
constexpr const char* kStranger = "expected a state that was got from this instance and not freed, found another";

const char* NameOf(Instance::Phase phase) {
  constexpr const char* kNames[] = {"instantiated", "in Initialization Mode", "between two steps", "terminated",
                                    "failed"};
  return kNames[static_cast<std::size_t>(phase)];
}

const char* NameOf(exported::VariableType type) {
  constexpr const char* kNames[] = {"Float64", "Int64", "Boolean", "String"};
  return kNames[static_cast<std::size_t>(type)];
}

const char* CategoryOf(Outcome outcome) {
  constexpr const char* kNames[] = {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError",
                                    "logStatusFatal"};
  return kNames[static_cast<std::size_t>(outcome)];
}

/// The resources of the FMU that contains this library: ../../resources from its folder.
std::string OwnResources() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&OwnResources), &info) == 0 || info.dli_fname == nullptr) return {};
  char* real = realpath(info.dli_fname, nullptr);
  if (real == nullptr) return {};
  std::string path(real);
  std::free(real);
  for (int up = 0; up < 3; ++up)
    path.resize(std::min(path.size(), path.rfind('/') == std::string::npos ? 0 : path.rfind('/')));
  return path + "/resources";
}

std::string_view TextOf(ByteView bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint32_t ReadSmall(StateReader& reader) {
  const std::int64_t number = reader.ReadInteger();
  if (number < 0 || number > 0xffffffff) throw FormatError({}, "expected a small number, found another");
  return static_cast<std::uint32_t>(number);
}

}  // namespace

std::unique_ptr<Instance> Instance::Make(std::string_view token, std::string resources, bool reports_all, Log log) {
  if (resources.empty()) resources = OwnResources();
  std::unique_ptr<Instance> made(new Instance(std::move(resources), reports_all, std::move(log)));
  if (!made->Begin(token)) return nullptr;
  return made;
}

bool Instance::Begin(std::string_view token) {
  std::string problem;
  if (!runtime_.Start(resources_, problem)) {
    Report(Outcome::Error, problem);
    return false;
  }
  Ask(FmuRequest::Describe);
  if (Call() <= Outcome::Warning && TakeOffer(token)) return true;
  runtime_.Stop();
  return false;
}

bool Instance::TakeOffer(std::string_view token) {
  const Outcome read = ReadAnswer([&] {
    token_ = answer_.ReadText();
    if (token != token_) return;
    const std::int64_t abilities = answer_.ReadInteger();
    keeps_state_ = (abilities & kKeepsState) != 0;
    begins_once_ = (abilities & kBeginsOnce) != 0;
    const double limit = answer_.ReadDouble();
    runtime_.SetTimeLimit(
        std::chrono::nanoseconds(limit > 0.0 && limit <= 1e9 ? static_cast<std::int64_t>(limit * 1e9) : 0));
    std::string problem;
    if (!runtime_.MapValues(ReadSmall(answer_), problem)) throw FormatError({}, problem);
    texts_.clear();
    for (std::uint32_t left = ReadSmall(answer_); left > 0; --left) texts_.push_back(answer_.ReadText());
    const std::size_t slots_and_texts = runtime_.SlotCount() + texts_.size();
    entry_of_.assign(slots_and_texts, kNoEntry);
    entries_.clear();
    for (std::size_t left = ReadSmall(answer_); left > 0; --left) {
      VariableEntry entry;
      entry.reference = ReadSmall(answer_);
      entry.first = ReadSmall(answer_);
      entry.count = ReadSmall(answer_);
      entry.type = static_cast<exported::VariableType>(ReadSmall(answer_));
      entry.role = static_cast<exported::VariableRole>(ReadSmall(answer_));
      const std::size_t end = std::size_t{entry.first} + entry.count;
      const bool is_text = entry.type == exported::VariableType::String;
      const bool is_good = entry.count > 0 && entry.type <= exported::VariableType::String &&
                           entry.role <= exported::VariableRole::Output &&
                           end <= (is_text ? slots_and_texts : runtime_.SlotCount()) &&
                           (!is_text || entry.first >= runtime_.SlotCount()) &&
                           (entry.reference == exported::kNoReference ||
                            entry.reference <= slots_and_texts + exported::kLargestReference);
      if (!is_good) throw FormatError({}, "expected variables within the values, found one that is not");
      if (entry.reference != exported::kNoReference) {
        const std::size_t last = std::size_t{entry.reference} + entry.count;
        if (last > entry_of_.size()) entry_of_.resize(last, kNoEntry);
        std::fill(entry_of_.begin() + entry.reference, entry_of_.begin() + static_cast<std::ptrdiff_t>(last),
                  static_cast<std::uint32_t>(entries_.size()));
      }
      entries_.push_back(entry);
    }
  });
  if (read != Outcome::Ok) return false;
  if (token == token_) return true;
  Report(Outcome::Error, "expected the token " + token_ + " of this FMU, found '" + std::string(token) +
                             "'; take it from the modelDescription.xml that lies with the library");
  return false;
}

void Instance::Serve(StateReader& request) {
  if (static_cast<ImporterRequest>(request.ReadInteger()) != ImporterRequest::Log) {
    throw RangeError({}, "expected messages for the importer, found another request");
  }
  while (!request.AtEnd()) {
    const std::uint32_t outcome = ReadSmall(request);
    const std::string text = request.ReadText();
    Report(outcome <= static_cast<std::uint32_t>(Outcome::Fatal) ? static_cast<Outcome>(outcome) : Outcome::Error,
           text);
  }
}

template <class Read>
Outcome Instance::ReadAnswer(Read&& read) {
  try {
    read();
    return Outcome::Ok;
  } catch (const Error& error) {
    phase_ = Phase::Failed;
    return Refuse("expected an answer of this FMU's own process, found another: " + error.Problem());
  }
}

template <class Read>
Outcome Instance::CallAndRead(Read&& read) {
  const Outcome outcome = Call();
  return outcome > Outcome::Warning ? outcome : ReadAnswer(read);
}

void Instance::Report(Outcome outcome, const std::string& message) {
  if (!log_ || (outcome < Outcome::Error && !reports_all_)) return;
  log_(outcome, CategoryOf(outcome), message.c_str());
}

Outcome Instance::Refuse(const std::string& message) {
  Report(Outcome::Error, message);
  return Outcome::Error;
}

Outcome Instance::RefuseFunction(const char* function) {
  return Refuse(std::string(function) +
                ": expected a call that this FMU declares to answer, found one that it does not");
}

bool Instance::IsIn(const char* call, std::initializer_list<Phase> allowed) {
  if (std::find(allowed.begin(), allowed.end(), phase_) != allowed.end()) return true;
  std::string expected;
  for (const Phase phase : allowed) expected += (expected.empty() ? "" : " or ") + std::string(NameOf(phase));
  Refuse(std::string(call) + ": expected an instance that is " + expected + ", found it " + NameOf(phase_));
  return false;
}

StateWriter& Instance::Ask(FmuRequest request) {
  request_.Clear();
  request_.Write(static_cast<std::int64_t>(request));
  return request_;
}

Outcome Instance::Call() {
  std::string problem;
  const std::optional<StateReader> answer = runtime_.Call(request_, problem);
  if (!answer) {
    if (!runtime_.IsThere()) phase_ = Phase::Failed;
    return Refuse(problem);
  }
  answer_ = *answer;
  return Outcome::Ok;
}

const VariableEntry* Instance::Find(std::uint32_t reference, bool as_arrays, exported::VariableType type) const {
  if (reference >= entry_of_.size() || entry_of_[reference] == kNoEntry) return nullptr;
  const VariableEntry& entry = entries_[entry_of_[reference]];
  return entry.type == type && (!as_arrays || entry.reference == reference) ? &entry : nullptr;
}

Outcome Instance::RefuseReference(std::uint32_t reference, exported::VariableType type) {
  const bool is_there = reference < entry_of_.size() && entry_of_[reference] != kNoEntry;
  return Refuse("expected the value reference of a variable of type " + std::string(NameOf(type)) + ", found " +
                std::to_string(reference) +
                (is_there ? ", which is of another type or inside an array" : ", which there is none of"));
}

Outcome Instance::RefuseValues() {
  return Refuse("expected the process of this FMU with its values, found " + runtime_.WhyGone());
}

Outcome Instance::RequireReadable(const VariableEntry& entry) {
  if (!runtime_.IsThere()) return RefuseValues();
  if (entry.role != exported::VariableRole::Output) return Outcome::Ok;
  return RequireOutputs();
}

Outcome Instance::RequireOutputs() {
  if (phase_ == Phase::Instantiated && !IsIn("getting an output", {Phase::Initialization, Phase::Step}))
    return Outcome::Error;
  if (phase_ != Phase::Initialization || is_evaluated_) return Outcome::Ok;
  StateWriter& request = Ask(FmuRequest::Evaluate);
  request.Write(start_);
  request.Write(has_stop_);
  request.Write(stop_);
  for (const std::string& text : texts_) request.Write(std::string_view(text));
  Outcome outcome = Call();
  if (outcome <= Outcome::Warning) outcome = TakeTexts();
  if (outcome > Outcome::Warning) {
    phase_ = Phase::Failed;
  } else {
    is_evaluated_ = true;
  }
  return outcome;
}

Outcome Instance::TakeTexts() {
  if (answer_.AtEnd()) return Outcome::Ok;
  return ReadAnswer([&] {
    while (!answer_.AtEnd()) {
      const std::uint32_t number = ReadSmall(answer_);
      std::string text = answer_.ReadText();
      if (number < texts_.size()) texts_[number] = std::move(text);
    }
  });
}

Outcome Instance::RequireWritable(const VariableEntry& entry, std::uint32_t reference) {
  if (!runtime_.IsThere()) return RefuseValues();
  const std::string which = "variable with the value reference " + std::to_string(reference);
  if (entry.role != exported::VariableRole::Input && entry.role != exported::VariableRole::Parameter) {
    return Refuse("expected an input or a parameter to be set, found the " + which + ", which is neither");
  }
  if (phase_ == Phase::Instantiated || phase_ == Phase::Initialization) return Outcome::Ok;
  if (phase_ == Phase::Step && entry.role == exported::VariableRole::Input) return Outcome::Ok;
  return Refuse("expected the " + which + " to be set " +
                (entry.role == exported::VariableRole::Input ? "before a step or the start"
                                                             : "before the end of Initialization Mode") +
                ", found the instance " + NameOf(phase_));
}

Outcome Instance::Setup(double start, bool has_stop, double stop) {
  if (!IsIn("setting up the experiment", {Phase::Instantiated})) return Outcome::Error;
  if (!std::isfinite(start) || (has_stop && !(stop > start))) {
    return Refuse("expected a start time and a stop time after it, found " + std::to_string(start) + " and " +
                  std::to_string(stop));
  }
  if (!runtime_.IsThere()) return RefuseValues();
  start_ = time_ = start;
  has_stop_ = has_stop;
  stop_ = has_stop ? stop : 0.0;
  is_set_up_ = true;
  is_evaluated_ = false;
  runtime_.Values()[0] = time_;
  return Outcome::Ok;
}

Outcome Instance::EnterInitialization() {
  if (!IsIn("entering Initialization Mode", {Phase::Instantiated})) return Outcome::Error;
  if (!is_set_up_) return Refuse("expected the experiment to be set up before Initialization Mode, found it was not");
  phase_ = Phase::Initialization;
  return begins_once_ ? RequireOutputs() : Outcome::Ok;
}

Outcome Instance::ExitInitialization() {
  if (!IsIn("leaving Initialization Mode", {Phase::Initialization})) return Outcome::Error;
  const Outcome outcome = RequireOutputs();
  if (outcome <= Outcome::Warning) phase_ = Phase::Step;
  return outcome;
}

Outcome Instance::Step(double time, double step) {
  if (!IsIn("a step", {Phase::Step})) return Outcome::Error;
  const double slack =
      1e-9 * std::max(1.0, std::abs(step)) + 4.0 * (std::nextafter(std::abs(time_), HUGE_VAL) - std::abs(time_));
  if (!(std::abs(time - time_) <= slack)) {
    return Refuse("expected a step from " + std::to_string(time_) + " s, found one from " + std::to_string(time));
  }
  if (!(step > 0.0) || !std::isfinite(step)) {
    return Refuse("expected a step longer than 0 s, found " + std::to_string(step));
  }
  if (has_stop_ && time + step > stop_ + slack) {
    return Refuse("expected a step that ends by the stop time " + std::to_string(stop_) + " s, found one until " +
                  std::to_string(time + step));
  }
  StateWriter& request = Ask(FmuRequest::Step);
  request.Write(time);
  request.Write(step);
  if (const Outcome outcome = Call(); outcome > Outcome::Warning) {
    phase_ = Phase::Failed;
    return outcome;
  }
  time_ = time + step;
  runtime_.Values()[0] = time_;
  return TakeTexts();
}

Outcome Instance::Terminate() {
  if (!IsIn("terminating", {Phase::Initialization, Phase::Step})) return Outcome::Error;
  phase_ = Phase::Terminated;
  Ask(FmuRequest::Terminate);
  return Call();
}

Outcome Instance::Reset() {
  if (runtime_.IsThere()) {
    Ask(FmuRequest::Reset);
    const Outcome outcome = CallAndRead([&] {
      for (std::string& text : texts_) text = answer_.ReadText();
    });
    if (outcome > Outcome::Warning) return outcome;
  } else if (!Begin(std::string(token_))) {
    return Outcome::Error;
  }
  phase_ = Phase::Instantiated;
  is_set_up_ = is_evaluated_ = has_stop_ = false;
  time_ = start_ = 0.0;
  return Outcome::Ok;
}

Outcome Instance::GetTexts(const std::uint32_t* references, std::size_t count, const char** values) {
  for (std::size_t i = 0; i < count; ++i) {
    const VariableEntry* entry = Find(references[i], true, exported::VariableType::String);
    if (entry == nullptr) return RefuseReference(references[i], exported::VariableType::String);
    if (const Outcome outcome = RequireReadable(*entry); outcome > Outcome::Warning) return outcome;
    values[i] = texts_[SlotOf(*entry, references[i]) - runtime_.SlotCount()].c_str();
  }
  return Outcome::Ok;
}

Outcome Instance::SetTexts(const std::uint32_t* references, std::size_t count, const char* const* values) {
  for (std::size_t i = 0; i < count; ++i) {
    const VariableEntry* entry = Find(references[i], true, exported::VariableType::String);
    if (entry == nullptr) return RefuseReference(references[i], exported::VariableType::String);
    if (const Outcome outcome = RequireWritable(*entry, references[i]); outcome != Outcome::Ok) return outcome;
    if (values[i] == nullptr) return Refuse("expected a text, found a null pointer");
    std::string& text = texts_[SlotOf(*entry, references[i]) - runtime_.SlotCount()];
    const bool has_changed = text != values[i];
    text = values[i];
    if (has_changed) OnSet(*entry);
  }
  return Outcome::Ok;
}

HeldState* Instance::HeldAt(const void* state) const {
  const auto held = std::ranges::find(states_, state, [](const auto& one) { return one.get(); });
  return held == states_.end() ? nullptr : held->get();
}

Outcome Instance::SaveState(void** state) {
  if (!keeps_state_) return RefuseFunction("getting the state");
  if (state == nullptr) return Refuse("expected a place for a state, found a null pointer");
  if (*state != nullptr && HeldAt(*state) == nullptr) return Refuse(kStranger);
  if (phase_ == Phase::Failed && !IsIn("getting the state", {Phase::Step})) return Outcome::Error;
  // Data that only this library has are stored with the state and restored with it.
  StateWriter note;
  note.Write(static_cast<std::int64_t>(phase_));
  for (const bool flag : {is_set_up_, is_evaluated_, has_stop_}) note.Write(flag);
  for (const double time : {time_, start_, stop_}) note.Write(time);
  for (const std::string& text : texts_) note.Write(std::string_view(text));
  Ask(FmuRequest::SaveState).Write(TextOf(note.Bytes()));
  std::int64_t number = 0;
  if (const Outcome read = CallAndRead([&] { number = answer_.ReadInteger(); }); read > Outcome::Warning) return read;
  HeldState* held = HeldAt(*state);
  if (held == nullptr) {
    held = states_.emplace_back(std::make_unique<HeldState>()).get();
  } else {
    Ask(FmuRequest::FreeState).Write(held->number);
    Call();
  }
  *held = HeldState{number, false, {}};
  *state = held;
  return Outcome::Ok;
}

Outcome Instance::RestoreState(void* state) {
  if (!keeps_state_) return RefuseFunction("setting the state");
  HeldState* held = HeldAt(state);
  if (held == nullptr) return Refuse(kStranger);
  if (!runtime_.IsThere()) {  // the process ended; bytes that were serialized are still here
    if (!held->has_bytes) return Refuse("expected the process that keeps this state, found that it ended");
    if (!Begin(std::string(token_))) return Outcome::Error;
    Ask(FmuRequest::BytesToState).Write(std::string_view(held->bytes));
    const Outcome read = CallAndRead([&] { held->number = answer_.ReadInteger(); });
    if (read > Outcome::Warning) return read;
  }
  Ask(FmuRequest::RestoreState).Write(held->number);
  if (const Outcome outcome = Call(); outcome > Outcome::Warning) {
    phase_ = Phase::Failed;
    return outcome;
  }
  return ReadAnswer([&] {
    const std::string bytes = answer_.ReadText();
    StateReader note(std::as_bytes(std::span(bytes)));
    const std::int64_t phase = note.ReadInteger();
    if (phase < 0 || phase > static_cast<std::int64_t>(Phase::Terminated)) {
      throw FormatError({}, "expected a state of this FMU, found a broken one");
    }
    for (bool* flag : {&is_set_up_, &is_evaluated_, &has_stop_}) *flag = note.ReadBool();
    for (double* time : {&time_, &start_, &stop_}) *time = note.ReadDouble();
    for (std::string& text : texts_) text = note.ReadText();
    phase_ = static_cast<Phase>(phase);
  });
}

Outcome Instance::FreeState(void** state) {
  if (state == nullptr) return Outcome::Ok;
  // Some importers (fmusim is one) pass the handle itself instead of its address.
  HeldState* held = HeldAt(state);
  if (held == nullptr) {
    if (*state == nullptr) return Outcome::Ok;
    held = HeldAt(*state);
    if (held == nullptr) return Refuse(kStranger);
    *state = nullptr;
  }
  if (runtime_.IsThere()) {
    Ask(FmuRequest::FreeState).Write(held->number);
    Call();
  }
  std::erase_if(states_, [held](const auto& one) { return one.get() == held; });
  return Outcome::Ok;
}

Outcome Instance::StateSize(void* state, std::size_t* size) {
  if (!keeps_state_) return RefuseFunction("serializing the state");
  HeldState* held = HeldAt(state);
  if (held == nullptr) return Refuse(kStranger);
  if (size == nullptr) return Refuse("expected a place for the size of a state, found a null pointer");
  if (!held->has_bytes) {
    Ask(FmuRequest::StateToBytes).Write(held->number);
    const Outcome read = CallAndRead([&] { held->bytes = answer_.ReadText(); });
    if (read > Outcome::Warning) return read;
    held->has_bytes = true;
  }
  *size = held->bytes.size();
  return Outcome::Ok;
}

Outcome Instance::StateToBytes(void* state, char* bytes, std::size_t size) {
  std::size_t needed = 0;
  if (const Outcome outcome = StateSize(state, &needed); outcome > Outcome::Warning) return outcome;
  if (bytes == nullptr || size < needed) {
    return Refuse("expected room for " + std::to_string(needed) + " bytes of a state, found " + std::to_string(size));
  }
  std::memcpy(bytes, HeldAt(state)->bytes.data(), needed);
  return Outcome::Ok;
}

Outcome Instance::BytesToState(const char* bytes, std::size_t size, void** state) {
  if (!keeps_state_) return RefuseFunction("deserializing a state");
  if (bytes == nullptr || state == nullptr) return Refuse("expected the bytes of a state, found a null pointer");
  Ask(FmuRequest::BytesToState).Write(std::string_view(bytes, size));
  std::int64_t number = 0;
  if (const Outcome read = CallAndRead([&] { number = answer_.ReadInteger(); }); read > Outcome::Warning) return read;
  if (*state != nullptr && HeldAt(*state) != nullptr) FreeState(state);
  *state = states_.emplace_back(std::make_unique<HeldState>(HeldState{number, true, std::string(bytes, size)})).get();
  return Outcome::Ok;
}

}  // namespace openmi::fmu
