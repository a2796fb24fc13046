#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/component/StreamArguments.hpp"
#include "fmi-bridge/broker/stream/IMessageSink.hpp"
#include "fmi-bridge/broker/stream/StreamStepper.hpp"
#include "fmi-bridge/broker/stream/TimeZero.hpp"
#include "fmi-bridge/items/ValueItems.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::broker {

/// A stream of messages as a component, out of a recording or of a queue of RabbitMQ: `openmi.broker.Stream` of the
/// assembly `openmi-broker-bridge`. Its outputs are the members of the messages that the argument `fields` names, its
/// inputs what is published.
///
/// Prepare waits for the first message; Update steps by the rule of StreamStepper. The stamps are mapped so that time
/// zero is the begin of the run, unless the argument `time-zero` says otherwise. A field without a value yet is
/// missing.
class Stream final : public StatefulSteppingComponent {
 public:
  Stream();
  ~Stream() override;

  /// What became of the messages; all 0 before Prepare.
  StreamCounts Counts() const { return stepper_ ? stepper_->Counts() : StreamCounts(); }

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  struct Port {
    NumericOutput* number = nullptr;
    items::ValueOutput* text = nullptr;
  };
  struct Published {
    std::string member;  // as it stands in JSON, with quotes
    ScalarInput input;
    double last = 0.0;
  };

  void MakeEnds();
  void FindZero();
  Nanos TimeOf(Stamp to) const;
  void Give(Stamp time);
  void GiveHealth();
  void Publish();
  void Log(const std::string& line);

  StreamArguments arguments_;
  std::vector<Field> fields_;
  std::vector<Port> ports_;
  std::vector<NumericOutput*> health_;  // connected, lag, queue-length, dropped
  std::vector<Published> published_;
  bool has_published_ = false;
  bool has_failed_ = false;
  std::string body_;
  std::unique_ptr<IMessageSource> source_;
  std::unique_ptr<IMessageSink> sink_;
  std::unique_ptr<StreamStepper> stepper_;
  std::shared_ptr<TimeZero> zero_;
  std::ofstream log_;
};

}  // namespace openmi::broker
