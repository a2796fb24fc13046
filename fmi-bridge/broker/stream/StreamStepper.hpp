#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/broker/stream/IMessageSource.hpp"
#include "fmi-bridge/broker/stream/Message.hpp"
#include "fmi-bridge/broker/stream/MessageParser.hpp"
#include "fmi-bridge/broker/stream/StreamCounts.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::broker {

/// The rules of a stepper.
struct StepRules {
  std::chrono::milliseconds timeout{60'000};  ///< longest time without a message that can be used
  bool holds_on_timeout = false;              ///< a step without a message in time ends with the present values
  Nanos maximum_age = 0;                      ///< older values are missing at the end of a step; 0: no limit
  int look_ahead = 1;                         ///< how many messages at or past its end a step waits for
};

/// The state of one field.
struct FieldState {
  bool has_value = false;
  bool is_stale = false;  ///< older than the maximum age at the end of the last step
  double number = 0.0;
  std::string text;
  Nanos stamp = 0;  ///< simulation time
};

/// Steps through a stream of messages, by the rule of the external data broker of INTO-CPS.
///
/// The stamp of the first message is time zero. A step from t to t + h takes messages until `look_ahead` of them (one,
/// in the document) are at or past t + h. Values in ]t, t + h] replace each other in the order received. Messages past
/// t + h are kept, and come before new ones in the next steps. A message before t is late and dropped. A message at t,
/// where the last step ended, still replaces values of the same age, not younger ones: of equal stamps the last
/// received wins.
///
/// All times are whole nanoseconds. No thread is used, so that results depend on the stream alone. Source: INTO-CPS
/// External Data Broker FMU 0.01, chapters 2 and 3; docs/broker.md describes what it leaves open.
class StreamStepper {
 public:
  /// \param source  borrowed, open
  StreamStepper(std::vector<Field> fields, MessageParser parser, StepRules rules, IMessageSource& source);

  /// Sets a function that is called with problems of messages, and each second with what a step waits for.
  void SetLog(std::function<void(const std::string&)> log) { log_ = std::move(log); }

  /// Sets a function that is called each second of a wait with what the step waits for. It may throw, to end the wait.
  void SetWaitListener(std::function<void(const std::string&)> listener) { on_wait_ = std::move(listener); }

  /// Waits for the first message.
  /// \param zero  wall-clock time of time zero: waits for the first message at or after it; nothing: the stamp of the
  ///   first message
  /// \throws ModelError  no such message arrived in time
  void Begin(std::optional<Nanos> zero = std::nullopt);
  /// Steps to `to`, in simulation time.
  /// \throws ModelError  no message at or past it arrived in time
  void Step(Nanos to);

  Nanos Zero() const { return zero_; }  ///< wall-clock time of simulation time 0
  Nanos Now() const { return now_; }    ///< simulation time
  std::span<const Field> Fields() const { return fields_; }
  std::span<const FieldState> States() const { return states_; }
  /// The number of a field; NaN where it has no value yet, or only one above the maximum age.
  double Number(std::size_t field) const {
    const FieldState& state = states_[field];
    return state.has_value && !state.is_stale ? state.number : kNotANumber;
  }
  const StreamCounts& Counts() const { return counts_; }
  const MessageParser& Parser() const { return parser_; }

  /// Saves what is needed to continue: values, kept messages, counts and the position in the source.
  void Save(StateWriter& writer) const;
  /// Restores a state of Save.
  /// \throws FormatError  the state does not fit the fields
  void Load(StateReader& reader);

 private:
  using Clock = std::chrono::steady_clock;

  /// Waits for the next message that can be used.
  /// \returns false when none arrived
  bool TakeNext(const std::function<std::string()>& wanted);
  /// Sets the values of the fields from a message.
  /// \param most_recent  the stamp of the newest value that the message may replace
  void Apply(Message& message, Nanos time, Nanos most_recent = std::numeric_limits<Nanos>::max());
  void Keep();
  void ReleaseUsed();
  void FindStale();
  void Log(const std::string& line) const {
    if (log_) log_(line);
  }
  std::string WhatCame() const;

  std::vector<Field> fields_;
  MessageParser parser_;
  StepRules rules_;
  IMessageSource& source_;
  std::function<void(const std::string&)> log_;
  std::function<void(const std::string&)> on_wait_;
  Nanos zero_ = 0;
  Nanos now_ = 0;
  std::vector<FieldState> states_;
  Message next_;               // last message taken
  std::vector<Message> kept_;  // the first kept_count_ of them, in the order received
  std::size_t kept_count_ = 0;
  std::uint64_t last_place_ = 0;
  Clock::time_point deadline_;
  bool has_ended_ = false;  // a recording has ended
  StreamCounts counts_;
};

}  // namespace openmi::broker
