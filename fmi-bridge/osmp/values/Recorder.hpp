#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/trace/McapWriter.hpp"
#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::osi {

/// A component that writes the messages of its input `message` into an OSI trace file: `openmi.osi.Recorder` of the
/// assembly `openmi-osmp-bridge`.
///
/// A file with the ending `.mcap` can have several channels, each with an input. It steps to each message of each
/// channel, also when the component that gives them is already further. A message that does not change is written once.
/// A resumed run continues after the bytes that the file had when the checkpoint was written.
class Recorder final : public StatefulSteppingComponent, public IRemarks {
 public:
  Recorder();
  Problems Remarks() const override { return remarks_; }

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  Stamp StepEnd(Stamp now) const override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  /// The messages of one input.
  struct Channel {
    std::string topic;
    ValueInput* input = nullptr;
    const ISteps* source = nullptr;  // of the provider; null: it does not report steps
    std::string type;                // empty: not known yet
    bool is_warned = false;          // of a field without a description
    Bytes last;
    Bytes at_begin;  // the message before the first step; not written yet
  };

  void PullAtBegin(Channel& channel, Stamp begin);
  void Record(Channel& channel, Stamp time);
  void Write(Channel& channel, Stamp time, Message message);
  void WriteMcap(Channel& channel, Stamp time, Message message);
  void CheckSchema(Channel& channel, const Schema& schema, Message message);

  std::string FilePath() const { return folder_.PathOf(file_.Value(), PathOf(file_.Value())); }

  Argument<std::string> file_;
  Argument<std::string> topics_;
  Argument<std::string> table_file_;
  ResultsFolder folder_;
  std::vector<Channel> channels_;
  std::unique_ptr<TraceWriter> writer_;  // null before the first message
  std::unique_ptr<McapWriter> mcap_;     // the same, of an .mcap file
  NumericOutput* count_ = nullptr;
  double written_ = 0.0;
  Problems remarks_;
};

}  // namespace openmi::osi
