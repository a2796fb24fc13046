#pragma once

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

/// The status that a function of an FMU returns, with the numbers of all versions of the standard.
enum class CallStatus : std::uint8_t { OK, Warning, Discard, Error, Fatal, Pending };
/// "OK", "Warning", ...
const char* Name(CallStatus status);

/// A message of an FMU. The texts are valid during the call only.
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
/// Called at times within a step. Returns the time at which the step must end; NaN: continue.
using IntermediateHook = std::function<double(const IntermediateMoment&)>;

/// Receives the callbacks of one instance: messages, times within a step, and news of clocks.
///
/// Any thread may call. No exception passes through the FMU: it is kept until the call into the FMU has returned.
class CallbackTarget {
 public:
  /// \param description   borrowed until Silence
  /// \param log           receives the messages; may be empty
  /// \param intermediate  called at times within a step; may be empty
  CallbackTarget(std::string instance, const ModelDescription& description, LogSink log, IntermediateHook intermediate);

  /// Receives a message of the FMU. Null texts count as empty.
  void Log(CallStatus status, const char* category, const char* text) noexcept;
  /// The same for a text that is a printf format with names of variables in it (1.0 and 2.0).
  void LogFormatted(CallStatus status, const char* category, const char* format, std::va_list arguments) noexcept;
  /// Logs a message of the SDK about the FMU, which does not count as its last message.
  void Note(CallStatus status, const std::string& text) noexcept;
  /// A step that the FMU makes, while this object lives. Its end waits for a hook that a thread of the FMU has called.
  class Step {
   public:
    Step(CallbackTarget& target, double from, double to);
    ~Step();
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
    bool Contains(double time) const;

   private:
    CallbackTarget& target_;
    double from_;
    double to_;
  };
  /// Calls the hook, if a step with that time is being made and no other thread is in the hook: that one may wait in
  /// the FMU for the caller. \returns the result of the hook; NaN if it throws or is not called
  double At(const IntermediateMoment& moment) noexcept;
  /// Sets what ClocksChanged calls; empty: nothing.
  void HearClocks(std::function<void()> hook);
  /// Sets whether this thread calls the FMU now, which may announce clocks meanwhile.
  void ExpectClocks(bool expects);
  /// Calls the hook of HearClocks, if this thread expects it; else that is kept as a problem.
  void ClocksChanged() noexcept;
  /// Stops passing on messages and calls.
  void Silence() noexcept;

  const std::string& InstanceName() const { return instance_; }
  /// The text of the last message; empty before the first.
  std::string LastText() const;
  /// Whether a callback threw.
  bool HasProblem() const { return has_problem_.load(std::memory_order_relaxed); }
  /// Throws the exception of a callback, once; returns if there is none.
  void ThrowProblem();

 private:
  void Keep(std::exception_ptr problem) noexcept;

  mutable std::mutex mutex_;
  std::string instance_;
  const ModelDescription* description_;
  LogSink log_;
  IntermediateHook intermediate_;
  std::function<void()> clocks_changed_;
  std::recursive_mutex hook_mutex_;  // held while the hook runs; the FMU may call again from within it
  const Step* step_ = nullptr;       // null: none is being made; guarded by hook_mutex_
  std::thread::id announcing_;       // see ExpectClocks; no thread: none
  std::string last_text_;
  std::exception_ptr problem_;
  std::atomic<bool> has_problem_ = false;
};

/// The key by which an FMU identifies its instance in a callback.
///
/// It is a number that is looked up, never a pointer that is dereferenced, because an FMU may return any value. While
/// this object lives, `key` identifies `target`.
class CallbackKey {
 public:
  CallbackKey() = default;
  CallbackKey(const void* key, const std::shared_ptr<CallbackTarget>& target);
  ~CallbackKey() { Release(); }
  CallbackKey(const CallbackKey&) = delete;
  CallbackKey& operator=(const CallbackKey&) = delete;
  /// Makes another key identify `target`.
  void Assign(const void* key, const std::shared_ptr<CallbackTarget>& target);
  /// Makes the key identify nothing.
  void Release() noexcept;

  /// \returns null if no living instance has that key
  static std::shared_ptr<CallbackTarget> Find(const void* key);
  /// The living instance of that name; null if none or several have it.
  static std::shared_ptr<CallbackTarget> FindNamed(const char* instance);

 private:
  const void* key_ = nullptr;
};

}  // namespace openmi::fmi
