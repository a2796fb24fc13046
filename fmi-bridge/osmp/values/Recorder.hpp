#pragma once

#include <memory>
#include <string>

#include "fmi-bridge/osmp/trace/TraceReader.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/ResultsFolder.hpp"
#include "timespace/StatefulComponent.hpp"

namespace openmi::osi {

/// A component that writes the messages of its input `message` into an OSI trace file: `openmi.osi.Recorder` of the
/// assembly `openmi-osmp-bridge`.
///
/// It steps together with the component that provides the messages. A message that does not change is written once. A
/// resumed run continues after the bytes that the file had when the checkpoint was written.
class Recorder final : public StatefulSteppingComponent {
 public:
  Recorder();

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  void End() override;
  Stamp StepEnd(Stamp now) const override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  void Record(Stamp time);
  void Write(Message message);

  std::string FilePath() const { return folder_.PathOf(file_.Value(), PathOf(file_.Value())); }

  Argument<std::string> file_;
  ResultsFolder folder_;
  ValueInput* input_ = nullptr;
  const ISteps* source_ = nullptr;
  std::unique_ptr<TraceWriter> writer_;  // null before the first message
  Bytes last_;
  Bytes at_begin_;  // the message before the first step; not written yet
  NumericOutput* count_ = nullptr;
  double written_ = 0.0;
};

}  // namespace openmi::osi
