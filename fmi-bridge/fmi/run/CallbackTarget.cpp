#include "fmi-bridge/fmi/run/CallbackTarget.hpp"

#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

#include "fmi-bridge/fmi/run/LogFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi::fmi {
namespace {

struct Keys {
  std::mutex mutex;
  std::map<const void*, std::weak_ptr<CallbackTarget>> targets;
};

Keys& AllKeys() {
  static Keys& keys = *new Keys;  // never destroyed: threads of FMUs may run longer than other statics live
  return keys;
}

}  // namespace

CallbackTarget::CallbackTarget(std::string instance, const ModelDescription& description, LogSink log,
                               IntermediateHook intermediate)
    : instance_(std::move(instance)),
      description_(&description),
      log_(std::move(log)),
      intermediate_(std::move(intermediate)) {}

void CallbackTarget::Keep(std::exception_ptr problem) noexcept {
  if (problem_ == nullptr) problem_ = std::move(problem);
  has_problem_.store(true, std::memory_order_relaxed);
}

void CallbackTarget::Log(CallStatus status, const char* category, const char* text) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    last_text_.assign(text != nullptr ? text : "");
    if (log_) log_({instance_, status, category != nullptr ? category : "", last_text_});
  } catch (...) {
    Keep(std::current_exception());
  }
}

void CallbackTarget::LogFormatted(CallStatus status, const char* category, const char* format,
                                  std::va_list arguments) noexcept {
  char text[4096] = "";
  if (format != nullptr) std::vsnprintf(text, sizeof text, format, arguments);
  std::string named;
  try {
    const std::lock_guard lock(mutex_);
    if (description_ != nullptr) named = NamesInText(text, *description_);
  } catch (...) {  // the text is logged without names
  }
  Log(status, category, named.empty() ? text : named.c_str());
}

void CallbackTarget::Note(CallStatus status, const std::string& text) noexcept {
  const std::lock_guard lock(mutex_);
  try {
    if (log_) log_({instance_, status, "openmi", text});
  } catch (...) {
    Keep(std::current_exception());
  }
}

double CallbackTarget::At(const IntermediateMoment& moment) noexcept {
  // Not under the lock of messages: values that are set in the FMU here may make it send some.
  try {
    const std::unique_lock running(hook_mutex_, std::try_to_lock);
    const bool is_within = running && step_ != nullptr && step_->Contains(moment.time);
    if (is_within && intermediate_ && !HasProblem()) return intermediate_(moment);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    Keep(std::current_exception());
  }
  return kNotANumber;
}

CallbackTarget::Step::Step(CallbackTarget& target, double from, double to) : target_(target), from_(from), to_(to) {
  if (!target_.intermediate_) return;
  const std::lock_guard lock(target_.hook_mutex_);
  target_.step_ = this;
}

CallbackTarget::Step::~Step() {
  if (!target_.intermediate_) return;
  const std::lock_guard lock(target_.hook_mutex_);
  target_.step_ = nullptr;
}

bool CallbackTarget::Step::Contains(double time) const {
  const double rounding = 1e-3 * (to_ - from_);  // FMUs may add up times of their own
  return time >= from_ - rounding && time <= to_ + rounding;
}

void CallbackTarget::HearClocks(std::function<void()> hook) {
  const std::lock_guard lock(mutex_);
  clocks_changed_ = std::move(hook);
}

void CallbackTarget::ExpectClocks(bool expects) {
  const std::lock_guard lock(mutex_);
  announcing_ = expects ? std::this_thread::get_id() : std::thread::id();
}

void CallbackTarget::ClocksChanged() noexcept {
  try {
    {
      const std::lock_guard lock(mutex_);
      if (!clocks_changed_ || HasProblem()) return;
      if (announcing_ != std::this_thread::get_id()) {
        throw ModelError({.file = description_ != nullptr ? description_->file : std::string(), .component = instance_},
                         "expected the FMU to call fmi3ClockUpdateCallback in fmi3ActivateModelPartition, on its "
                         "thread, found a call from elsewhere",
                         "run FMUs that announce events by themselves with a scheduler in real time");
      }
    }
    // Not under the lock, as the hook calls the FMU, which may send messages. Only this thread changes the hook.
    clocks_changed_();
  } catch (...) {
    const std::lock_guard lock(mutex_);
    Keep(std::current_exception());
  }
}

void CallbackTarget::Silence() noexcept {
  const std::lock_guard lock(mutex_);
  description_ = nullptr;
  log_ = nullptr;
}

std::string CallbackTarget::LastText() const {
  const std::lock_guard lock(mutex_);
  return last_text_;
}

void CallbackTarget::ThrowProblem() {
  std::exception_ptr problem;
  {
    const std::lock_guard lock(mutex_);
    problem = std::exchange(problem_, nullptr);
    has_problem_.store(false, std::memory_order_relaxed);
  }
  if (problem != nullptr) std::rethrow_exception(problem);
}

CallbackKey::CallbackKey(const void* key, const std::shared_ptr<CallbackTarget>& target) {
  Assign(key, target);
}

void CallbackKey::Assign(const void* key, const std::shared_ptr<CallbackTarget>& target) {
  Release();
  const std::lock_guard lock(AllKeys().mutex);
  AllKeys().targets[key] = target;
  key_ = key;
}

void CallbackKey::Release() noexcept {
  if (key_ == nullptr) return;
  const std::lock_guard lock(AllKeys().mutex);
  AllKeys().targets.erase(key_);
  key_ = nullptr;
}

std::shared_ptr<CallbackTarget> CallbackKey::Find(const void* key) {
  const std::lock_guard lock(AllKeys().mutex);
  const auto found = AllKeys().targets.find(key);
  return found != AllKeys().targets.end() ? found->second.lock() : nullptr;
}

std::shared_ptr<CallbackTarget> CallbackKey::FindNamed(const char* instance) {
  if (instance == nullptr) return nullptr;
  std::shared_ptr<CallbackTarget> found;
  const std::lock_guard lock(AllKeys().mutex);
  for (const auto& [key, target] : AllKeys().targets) {
    std::shared_ptr<CallbackTarget> one = target.lock();
    if (one == nullptr || one->InstanceName() != instance) continue;
    if (found != nullptr && found != one) return nullptr;
    found = std::move(one);
  }
  return found;
}

}  // namespace openmi::fmi
