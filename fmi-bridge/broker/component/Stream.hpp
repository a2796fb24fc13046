#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fmi-bridge/broker/component/PublishedInputs.hpp"
#include "fmi-bridge/broker/component/StreamArguments.hpp"
#include "fmi-bridge/broker/component/StreamLog.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"
#include "fmi-bridge/broker/stream/StreamStepper.hpp"
#include "fmi-bridge/broker/stream/WallTime.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/items/ValueItems.hpp"
#include "timespace/optional/ILiveSource.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::broker {

/// An output with a health figure of a stream.
struct HealthItem {
  std::string_view id;
  const char* unit;
  const char* description;
};
inline constexpr std::array<HealthItem, 4> kHealthItems = {{
    {"health.connected", "1", "1: there is a connection to the broker"},
    {"health.lag", "s", "what the clock of this machine is ahead of the time of the run, mapped to wall-clock time"},
    {"health.queue-length", "1", "messages in the queue that were not delivered yet, as of the last second"},
    {"health.dropped", "1", "messages that were taken and not used"},
}};

/// A stream of messages as a component, from a recording or a queue of RabbitMQ: `openmi.broker.Stream` of the assembly
/// `openmi-broker-bridge`.
///
/// Its outputs are the members of the messages that the argument `fields` names. Its inputs are published. Prepare
/// waits for the first message; Update steps by the rule of StreamStepper. Stamps are mapped so that time zero is the
/// start of the run, unless the argument `time-zero` sets another time. A field without a value yet is missing.
class Stream : public StatefulSteppingComponent, public ILiveSource, public IRemarks, public exported::IFmuForm {
 public:
  Stream();

  /// Counts of the messages by what was done with them; all 0 before Prepare.
  StreamCounts Counts() const { return stepper_ ? stepper_->Counts() : StreamCounts(); }

  void SetWaitListener(WaitListener listener) override { on_wait_ = std::move(listener); }
  std::string HealthText() const override;
  Problems Remarks() const override;

  /// The form of the RabbitMQ FMU.
  exported::FmuForm Form() override;

 protected:
  void Setup() override;
  bool OnValidate(std::vector<std::string>& messages) override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;
  int StateVersion() const override { return 2; }

  /// The fields read from messages.
  virtual std::vector<Field> Fields() const { return arguments_.Fields(); }
  /// The fields that are published.
  virtual std::vector<Field> Published() const { return arguments_.Published(); }
  /// Whether this step publishes.
  virtual bool MaySend() { return true; }
  /// Sets how many decimals of a second the end of a step is rounded to; at most six, which is the default.
  void SetPrecision(int decimals);
  /// Makes the stream publish as the RabbitMQ FMU does: "ready" at the start, a message in each step, and stamps of the
  /// machine's clock. Call it in Setup.
  void SetIsFmu() { is_fmu_ = true; }

 private:
  struct Port {
    NumericOutput* number = nullptr;
    ValueOutput* text = nullptr;
  };

  void MakeEnds();
  void FindZero();
  Nanos TimeOf(Stamp to) const;
  void Give(Stamp time);
  void GiveHealth();
  void Publish(Nanos end);
  void PublishReady();
  void Log(const std::string& line);

  StreamArguments arguments_;
  std::vector<Field> fields_;
  std::vector<Port> ports_;
  std::vector<NumericOutput*> health_;  // connected, lag, queue-length, dropped
  PublishedInputs published_;
  bool has_failed_ = false;
  bool is_fmu_ = false;
  Nanos grid_ = 1000;  // resolution of the ends of steps
  std::string body_;
  std::unique_ptr<IMessageSink> sink_;
  std::unique_ptr<StreamStepper> stepper_;
  std::shared_ptr<TimeZero> zero_;
  std::shared_ptr<StreamLog> log_;  // null: no log
  WaitListener on_wait_;
  std::unique_ptr<IMessageSource> source_;  // logs until it is destroyed, which is first
};

}  // namespace openmi::broker
