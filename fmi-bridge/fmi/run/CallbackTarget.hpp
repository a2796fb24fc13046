#pragma once

#include <atomic>
#include <cstdarg>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/run/CallStatus.hpp"

namespace openmi::fmi {

/// A message of an FMU. The texts are gone when the call returns.
struct LogMessage {
  std::string_view instance;
  CallStatus status = CallStatus::OK;
  std::string_view category;
  std::string_view text;
};
using LogSink = std::function<void(const LogMessage&)>;

/// A moment within a co-simulation step (3.0).
struct IntermediateMoment {
  double time = 0.0;
  bool may_set = false;
  bool may_get = false;
  bool step_finished = false;
  bool can_return_early = false;
};
/// Called at moments within a step. \returns the time at which the step shall end; NaN: go on
using IntermediateHook = std::function<double(const IntermediateMoment&)>;

/// Where the callbacks of one instance arrive: messages, and moments within a step. Any thread may call; nothing is
/// thrown through the FMU that calls: what goes wrong is kept until the call into the FMU has returned.
class CallbackTarget {
 public:
  /// \param description  borrowed until Silence
  CallbackTarget(std::string instance, const ModelDescription& description, LogSink log, IntermediateHook intermediate);

  /// A message of the FMU. Null texts are empty ones.
  void Tell(CallStatus status, const char* category, const char* text) noexcept;
  /// The same, where the text is a format of printf with names of variables in it (1.0 and 2.0).
  void TellFormatted(CallStatus status, const char* category, const char* format, std::va_list arguments) noexcept;
  /// A message of ours about the FMU, which does not count as its last one.
  void Note(CallStatus status, const std::string& text) noexcept;
  /// \returns as the hook; NaN where it throws
  double At(const IntermediateMoment& moment) noexcept;
  /// Lets nothing through any more.
  void Silence() noexcept;

  const std::string& InstanceName() const { return instance_; }
  /// The text of the last message; empty before the first.
  std::string LastText() const;
  /// Whether a callback threw.
  bool HasProblem() const { return has_problem_.load(std::memory_order_relaxed); }
  /// Throws what a callback threw, once; returns where there is nothing.
  void ThrowProblem();

 private:
  void Keep(std::exception_ptr problem) noexcept;

  mutable std::mutex mutex_;
  std::string instance_;
  const ModelDescription* description_;
  LogSink log_;
  IntermediateHook intermediate_;
  std::string last_text_;
  std::exception_ptr problem_;
  std::atomic<bool> has_problem_ = false;
};

/// What an FMU gives back to say which instance it means is a number that is looked up, never a pointer that is
/// followed: an FMU may give back anything. While this lives, `key` leads to `target`.
class CallbackKey {
 public:
  CallbackKey() = default;
  CallbackKey(const void* key, const std::shared_ptr<CallbackTarget>& target);
  ~CallbackKey() { Release(); }
  CallbackKey(const CallbackKey&) = delete;
  CallbackKey& operator=(const CallbackKey&) = delete;
  /// Lets another key lead to `target`.
  void Assign(const void* key, const std::shared_ptr<CallbackTarget>& target);
  void Release() noexcept;

  /// \returns null where no living instance has that key
  static std::shared_ptr<CallbackTarget> Find(const void* key);
  /// The living instance of that name; null where none or several have it.
  static std::shared_ptr<CallbackTarget> FindNamed(const char* instance);

 private:
  const void* key_ = nullptr;
};

}  // namespace openmi::fmi
