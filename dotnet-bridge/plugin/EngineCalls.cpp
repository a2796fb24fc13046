#include "dotnet-bridge/plugin/EngineCalls.hpp"

#include <fmt/format.h>
#include <mono/metadata/loader.h>

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "dotnet-bridge/plugin/Mono.hpp"
#include "dotnet-bridge/plugin/Places.hpp"
#include "dotnet-bridge/plugin/Times.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/LastWords.hpp"

namespace openmi::dotnet {
namespace {

std::mutex stand_mutex;
std::uintptr_t last_key = 0;
std::unordered_map<std::uintptr_t, StandFor*>& Stands() {
  static std::unordered_map<std::uintptr_t, StandFor*> stands;
  return stands;
}

thread_local int depth = 0;
std::atomic<int> running = 0;
std::atomic<std::uint64_t> begun = 0;
std::atomic<MonoThread*> inside = nullptr;
// A component may ask for several inputs at once, each on a thread of its own; and while one asks, the run may have
// another of the same process compute, which asks in its turn.
std::recursive_mutex ask_mutex;

/// Does what a component asks for; an error is kept.
/// \returns what `work` returns; `failed`: an error
template <class Work, class Result>
Result Answering(Work&& work, Result failed) {
  try {
    return work();
  } catch (...) {
    Mono::KeepError(std::current_exception());
    return failed;
  }
}

IAsks& Asking(const void* input) {
  auto* const found = StandFor::At<IAsks>(input);
  if (found != nullptr && running > 0) return *found;
  throw StateError({}, "expected a component to ask its providers while it is called, found a question at another time",
                   "ask in Update, on any thread that ends before Update does");
}

int Ask(const void* input, MonoBoolean has_times, MonoBoolean has_durations, double offset, double horizon,
        const double* times, int count, const double** row, int* size) {
  const std::scoped_lock lock(ask_mutex);
  return Answering(
      [&] {
        TimeSet asked(has_durations != 0);
        asked.SetOffsetFromUtcInHours(offset);
        asked.SetHorizon(Stamp{horizon}, kFarFuture);
        std::vector<Time> list;
        for (int i = 0; i < count; ++i) list.emplace_back(Stamp{times[2 * i]}, Days{times[2 * i + 1]});
        asked.Assign(list);
        IAsks& asks = Asking(input);
        const std::size_t rows = asks.Ask(has_times != 0 ? &asked : nullptr);
        if (rows > 0) *row = asks.AnswerRow(0, *size);
        return static_cast<int>(rows);
      },
      -1);
}

const double* AnswerRow(const void* input, int row, int* size) {
  *size = -1;
  return Answering([&] { return Asking(input).AnswerRow(static_cast<std::size_t>(row), *size); },
                   static_cast<const double*>(nullptr));
}

MonoObject* AnswerValue(const void* input, int row, int element) {
  return Answering(
      [&] {
        return ToMono(Asking(input).AnswerValue(static_cast<std::size_t>(row), static_cast<std::size_t>(element)));
      },
      static_cast<MonoObject*>(nullptr));
}

MonoString* Failure(int* number) {
  const auto [last, text] = Mono::LastError();
  *number = last;
  return ToMonoText(text);
}

MonoArray* NumbersOrNull(const ITimeSet* times) {
  return times != nullptr ? ToMonoNumbers(NumbersOf(*times)) : nullptr;
}

MonoArray* ProviderTimes(const void* input) {
  auto* const found = StandFor::At<IAsks>(input);
  return found != nullptr ? NumbersOrNull(found->ProviderTimes()) : nullptr;
}

MonoArray* ConsumerTimes(const void* consumer) {
  auto* const found = StandFor::At<IHasTimes>(consumer);
  return found != nullptr ? NumbersOrNull(found->ConsumerTimes()) : nullptr;
}

MonoArray* ConsumerPlaces(const void* consumer) {
  auto* const found = StandFor::At<IHasTimes>(consumer);
  const ISpatialDefinition* const places = found != nullptr ? found->ConsumerPlaces() : nullptr;
  return places != nullptr ? ToMonoPlaces(*places) : nullptr;
}

void StatusChanged(const void* component, int from, int to, MonoString* message) {
  auto* const found = InsideCall::IsHere() ? StandFor::At<IHears>(component) : nullptr;
  if (found == nullptr) return;
  found->OnStatusChanged(static_cast<LinkableComponentStatus>(from), static_cast<LinkableComponentStatus>(to),
                         TextOf(message));
}

void ItemChanged(const void* item, MonoString* message) {
  auto* const found = InsideCall::IsHere() ? StandFor::At<IHearsItem>(item) : nullptr;
  if (found != nullptr) found->OnItemChanged(TextOf(message));
}

void LastWords(MonoString* text) {
  LeaveLastWords(TextOf(text));
}

}  // namespace

StandFor::StandFor() {
  const std::scoped_lock lock(stand_mutex);
  key_ = ++last_key;
  Stands().emplace(key_, this);
}

StandFor::~StandFor() {
  const std::scoped_lock lock(stand_mutex);
  Stands().erase(key_);
}

StandFor* StandFor::Find(const void* key) {
  const std::scoped_lock lock(stand_mutex);
  const auto found = Stands().find(reinterpret_cast<std::uintptr_t>(key));
  return found != Stands().end() ? found->second : nullptr;
}

InsideCall::InsideCall(MonoThread* thread) {
  if (depth++ == 0) inside.store(thread, std::memory_order_release);
  ++running;
  ++begun;
}

InsideCall::~InsideCall() {
  --running;
  if (--depth == 0) inside.store(nullptr, std::memory_order_release);
}

std::uint64_t InsideCall::Count() {
  return begun;
}

MonoThread* InsideCall::Thread() {
  return inside;
}

bool InsideCall::IsHere() {
  return depth > 0;
}

void AddEngineCalls() {
  const auto add = [](const char* name, auto* function) {
    mono_add_internal_call(name, reinterpret_cast<const void*>(function));
  };
  add("OpenMI.Bridge.Engine::Ask", &Ask);
  add("OpenMI.Bridge.Engine::AnswerRow", &AnswerRow);
  add("OpenMI.Bridge.Engine::AnswerValue", &AnswerValue);
  add("OpenMI.Bridge.Engine::Failure", &Failure);
  add("OpenMI.Bridge.Engine::ProviderTimes", &ProviderTimes);
  add("OpenMI.Bridge.Engine::ConsumerTimes", &ConsumerTimes);
  add("OpenMI.Bridge.Engine::ConsumerPlaces", &ConsumerPlaces);
  add("OpenMI.Bridge.Engine::StatusChanged", &StatusChanged);
  add("OpenMI.Bridge.Engine::ItemChanged", &ItemChanged);
  add("OpenMI.Bridge.Engine::LastWords", &LastWords);
}

}  // namespace openmi::dotnet
