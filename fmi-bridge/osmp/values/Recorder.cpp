#include "fmi-bridge/osmp/values/Recorder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::osi {

Recorder::Recorder() : StatefulSteppingComponent("osi-recorder", "PT0.02S") {
  SetDescription("writes OSI messages into a trace file");
  SetRestartable(true);
  file_ = AddArgument<std::string>(
      "file",
      {.description = "the trace to write; name it <time>_<type>_<osi>_<protobuf>_<frames>_<name>.osi, or .mcap for "
                      "a file with an index that can hold several channels; in the folder of results",
       .meaning = ArgumentMeaning::Path});
  topics_ = ArgumentItems().AddPlain(
      "channels",
      {.description = "of an .mcap file, the inputs with the topics of their channels: `truth=GroundTruth "
                      "view=SensorView`; none: one input `message`, whose topic is the type of its messages",
       .value = ""});
  table_file_ = ArgumentItems().Add<std::string>(
      "osi-table-file",
      {.description = "of your release, for the schema in an .mcap file; none: the subset that is built in",
       .value = "",
       .meaning = ArgumentMeaning::Path});
  folder_ = ResultsFolder(ArgumentItems());
}

void Recorder::Setup() {
  channels_.clear();
  std::vector<NamedTopic> topics = ParseTopics(topics_.Value(), "channels");
  if (!topics.empty() && !file_.Value().ends_with(".mcap")) {
    throw ArgumentError({.component = Caption(), .item = "channels"},
                        "expected a file with the ending .mcap, which can hold channels, found another one",
                        "name the file .mcap, or leave out the channels");
  }
  if (topics.empty()) topics.push_back({"message", ""});
  for (const NamedTopic& topic : topics) {
    channels_.push_back(
        {topic.topic, &AddItem<ValueInput>(topic.item, MessageDefinition({})), nullptr, {}, {}, {}, {}});
  }
  count_ = &AddOutput("count", "1", {.description = "messages written"}).Item();
}

void Recorder::Start(Stamp begin) {
  writer_.reset();
  mcap_.reset();
  written_ = 0.0;
  remarks_.clear();
  for (Channel& channel : channels_) {
    channel.type.clear();
    channel.is_warned = false;
    channel.last.clear();
    channel.at_begin.clear();
    RequireProvider(*channel.input);
    channel.source = SourceOf(*channel.input);
    PullAtBegin(channel, begin);
  }
}

// Read now: before the first step of this component the provider will have advanced. The file is not written yet,
// because the run may be resumed.
void Recorder::PullAtBegin(Channel& channel, Stamp begin) {
  const IBaseLinkableComponent* component = channel.input->Provider()->Component();
  if (component != nullptr && component->Status() != LinkableComponentStatus::Updated) return;
  try {
    channel.input->Pull(begin);
  } catch (const LinkError&) {  // no message yet: reported in the first step if one is needed
    return;
  }
  const Message message = channel.input->GetBytes(0);
  channel.at_begin.assign(message.begin(), message.end());
}

Stamp Recorder::StepEnd(Stamp now) const {
  Stamp next = kFarFuture;
  for (const Channel& channel : channels_) {
    next = std::min(next, NextMessage(*channel.input, channel.source, now));
  }
  return next != kFarFuture ? next : WholeStepEnd();
}

void Recorder::Step(Stamp from, Stamp to) {
  for (Channel& channel : channels_) {
    if (StepCount() == 0 && channel.at_begin.empty()) Record(channel, from);
    Write(channel, from, channel.at_begin);
    channel.at_begin.clear();
  }
  for (Channel& channel : channels_) Record(channel, to);
  count_->NextRow()[0] = written_;
}

void Recorder::Record(Channel& channel, Stamp time) {
  channel.input->Pull(time);
  Write(channel, time, channel.input->GetBytes(0));
}

void Recorder::Write(Channel& channel, Stamp time, Message message) {
  if (message.empty() || std::ranges::equal(message, channel.last)) return;
  if (file_.Value().ends_with(".mcap")) {
    WriteMcap(channel, time, message);
  } else {
    if (writer_ == nullptr) writer_ = std::make_unique<TraceWriter>(FilePath());
    writer_->Write(message);
  }
  channel.last.assign(message.begin(), message.end());
  written_ += 1.0;
}

void Recorder::WriteMcap(Channel& channel, Stamp time, Message message) {
  const std::shared_ptr<const Schema> schema = SchemaOf(table_file_.Value().empty() ? "" : PathOf(table_file_.Value()));
  try {
    if (channel.type.empty()) {
      channel.type = MessageTypeOf(channel.input->Provider()->ValueDefinition());
      if (schema->Find(channel.type) == nullptr) channel.type = MessageTypeByContent(message);
      if (channel.type.empty()) {
        throw LinkError({.component = Caption(), .item = channel.input->Id()},
                        "expected messages of a type that their output or their fields show, found others",
                        "record them into an .osi file");
      }
      if (channel.topic.empty()) channel.topic = channel.type;
    }
    if (!channel.is_warned) CheckSchema(channel, *schema, message);
    if (mcap_ == nullptr) mcap_ = std::make_unique<McapWriter>(FilePath());
    const MessageHead head = HeadOf(message, channel.type);
    const std::int64_t nanos = head.time ? NanosOf(*head.time) : NanosBetween(StartTime(), time);
    const std::uint16_t id =
        mcap_->Add({channel.topic, channel.type, head.version.value_or(InterfaceVersion{})}, *schema);
    mcap_->Write(id, static_cast<std::uint64_t>(std::max<std::int64_t>(nanos, 0)), message);
  } catch (const WireError& error) {
    throw LinkError({.component = Caption(), .item = channel.input->Id()},
                    fmt::format("expected a message, found {} bytes that are none: {}", message.size(), error.what()),
                    "look at what provides it");
  }
}

void Recorder::CheckSchema(Channel& channel, const Schema& schema, Message message) {
  const std::string unknown = UnknownField(message, channel.type, schema);
  if (unknown.empty()) return;
  channel.is_warned = true;
  AddWarning(
      remarks_, {.item = channel.input->Id()},
      fmt::format("expected messages whose fields the schema in the file describes, found {}.{}, which is not "
                  "in {}: readers of the file show it as an unknown field",
                  channel.type, unknown, table_file_.Value().empty() ? "the subset that is built in" : "the table"),
      "name the table of the model's release of OSI in osi-table-file (openmi osmp schema makes it)");
}

void Recorder::End() {
  if (const std::unique_ptr<TraceWriter> writer = std::move(writer_)) writer->Close();
  if (const std::unique_ptr<McapWriter> writer = std::move(mcap_)) writer->Close();
}

void Recorder::SaveState(StateWriter& writer) const {
  writer.Write(static_cast<std::int64_t>(writer_ != nullptr ? writer_->Flush()
                                         : mcap_ != nullptr ? mcap_->Flush()
                                                            : 0));
  writer.Write(written_);
  for (const Channel& channel : channels_) {
    writer.Write(channel.last);
    writer.Write(channel.at_begin);
  }
}

void Recorder::LoadState(StateReader& reader) {
  const std::int64_t size = reader.ReadInteger();
  written_ = reader.ReadDouble();
  for (Channel& channel : channels_) {
    const Message last = reader.ReadBytes();
    channel.last.assign(last.begin(), last.end());
    const Message at_begin = reader.ReadBytes();
    channel.at_begin.assign(at_begin.begin(), at_begin.end());
  }
  if (writer_ != nullptr) writer_->Close();
  writer_.reset();
  mcap_.reset();
  if (size <= 0) return;
  if (file_.Value().ends_with(".mcap")) {
    mcap_ = std::make_unique<McapWriter>(FilePath(), static_cast<std::uint64_t>(size));
  } else {
    writer_ = std::make_unique<TraceWriter>(FilePath(), static_cast<std::uint64_t>(size));
  }
}

}  // namespace openmi::osi
