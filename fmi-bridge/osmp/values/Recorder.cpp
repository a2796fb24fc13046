#include "fmi-bridge/osmp/values/Recorder.hpp"

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::osi {

Recorder::Recorder() : StatefulSteppingComponent("osi-recorder", "PT0.02S") {
  SetDescription("writes OSI messages into a trace file");
  SetRestartable(true);
  file_ = AddArgument<std::string>(
      "file",
      {.description =
           "the trace to write; name it <time>_<type>_<osi>_<protobuf>_<frames>_<name>.osi; in the folder of results",
       .meaning = ArgumentMeaning::Path});
  folder_ = ResultsFolder(ArgumentItems());
}

void Recorder::Setup() {
  input_ = &AddItem<ValueInput>("message", MessageDefinition({}));
  count_ = &AddOutput("count", "1", {.description = "messages written"}).Item();
}

void Recorder::Start(Stamp begin) {
  writer_.reset();
  last_.clear();
  at_begin_.clear();
  written_ = 0.0;
  source_ = SourceOf(*input_);
  RequireProvider(*input_);
  // Read now: before the first step of this component the provider will have advanced. The file is not written yet,
  // because the run may be resumed.
  const IBaseLinkableComponent* component = input_->Provider()->Component();
  if (component != nullptr && component->Status() != LinkableComponentStatus::Updated) return;
  try {
    input_->Pull(begin);
  } catch (const LinkError&) {  // no message yet: reported in the first step if one is needed
    return;
  }
  const Message message = input_->GetBytes(0);
  at_begin_.assign(message.begin(), message.end());
}

Stamp Recorder::StepEnd(Stamp now) const {
  return FollowedStep(source_, now, WholeStepEnd());
}

void Recorder::Step(Stamp from, Stamp to) {
  if (StepCount() == 0 && at_begin_.empty()) Record(from);
  Write(at_begin_);
  at_begin_.clear();
  Record(to);
  count_->NextRow()[0] = written_;
}

void Recorder::Record(Stamp time) {
  input_->Pull(time);
  Write(input_->GetBytes(0));
}

void Recorder::Write(Message message) {
  if (message.empty() || std::ranges::equal(message, last_)) return;
  if (writer_ == nullptr) writer_ = std::make_unique<TraceWriter>(FilePath());
  writer_->Write(message);
  last_.assign(message.begin(), message.end());
  written_ += 1.0;
}

void Recorder::End() {
  if (writer_ == nullptr) return;
  const std::unique_ptr<TraceWriter> writer = std::move(writer_);
  writer->Close();
}

void Recorder::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(writer_ != nullptr ? writer_->Flush() : 0));
  writer.Write(written_);
  writer.Write(last_);
  writer.Write(at_begin_);
}

void Recorder::LoadState(StateReader& reader) {
  const std::int64_t size = reader.ReadInteger();
  written_ = reader.ReadDouble();
  const Message last = reader.ReadBytes();
  last_.assign(last.begin(), last.end());
  const Message at_begin = reader.ReadBytes();
  at_begin_.assign(at_begin.begin(), at_begin.end());
  if (writer_ != nullptr) writer_->Close();
  writer_.reset();
  if (size > 0) writer_ = std::make_unique<TraceWriter>(FilePath(), static_cast<std::uint64_t>(size));
}

}  // namespace openmi::osi
