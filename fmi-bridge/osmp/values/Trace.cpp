#include "fmi-bridge/osmp/values/Trace.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "openmi/sdk/Error.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::osi {

Trace::Trace() : StatefulSteppingComponent("osi-trace", "PT0.02S") {
  SetDescription("the messages of an OSI trace file");
  SetRestartable(true);
  file_ = AddArgument<std::string>("file",
                                   {.description = "the trace: messages with their lengths (.osi), or channels (.mcap)",
                                    .meaning = ArgumentMeaning::Path});
  message_ = ArgumentItems().AddPlain(
      "message",
      {.description = "type of the messages; none: what the name of the file, or the first one, says", .value = ""});
  topics_ = ArgumentItems().AddPlain(
      "channels", {.description = "of an .mcap file, the outputs with the topics of their channels: `truth=GroundTruth "
                                  "view=SensorView`; none: one output `message` of the only channel of OSI, or of the "
                                  "only one of the type `message`",
                   .value = ""});
  time_zero_ = AddArgument<std::string>(
      "time-zero", {.description = "what the start of the run is on the clock of the time stamps: `first`, that of the "
                                   "first message; `stamps`, their zero",
                    .value = "first",
                    .possible_values = {"first", "stamps"}});
  steps_ =
      AddArgument<std::string>("steps", {.description = "how long steps are: `trace`, as the least distance of two "
                                                        "messages; `time-step`, as that argument says",
                                         .value = "trace",
                                         .possible_values = {"trace", "time-step"}});
}

void Trace::Setup() {
  channels_.clear();
  const std::string file = PathOf(file_.Value());
  mcap_ = IsMcap(file) ? std::make_shared<McapReader>(file) : nullptr;
  const std::vector<NamedTopic> topics = ParseTopics(topics_.Value(), "channels");
  if (topics.empty()) AddChannel("message", "");
  for (const NamedTopic& topic : topics) AddChannel(topic.item, topic.topic);
  zero_ = 0;
  if (time_zero_.Value() == "first") {
    zero_ = channels_.front().index.front().nanos;
    for (const Channel& channel : channels_) zero_ = std::min(zero_, channel.index.front().nanos);
  }
  if (steps_.Value() == "trace") UseSpacing();
}

void Trace::AddChannel(const std::string& item, const std::string& topic) {
  const std::string file = PathOf(file_.Value());
  Channel& channel = channels_.emplace_back();
  if (mcap_ != nullptr) {
    channel.messages = std::make_unique<McapTrace>(mcap_, file, topic, message_.Value());
    channel.type = channel.messages->Type();
  } else {
    channel.messages = OpenTrace(file, topic, message_.Value());
    channel.type = message_.Value().empty() ? MessageTypeByName(file) : message_.Value();
  }
  ReadIndex(channel);
  channel.output = &AddItem<ValueOutput>(item, MessageDefinition(channel.type));
}

void Trace::Refuse(const Channel& channel, const std::string& problem, const std::string& remedy) const {
  const std::uint64_t count = channel.messages->Count();
  throw FormatError({.file = PathOf(file_.Value()), .component = Caption(), .item = "file"},
                    (count == 0 ? "" : fmt::format("message {}: ", count)) + problem, remedy);
}

void Trace::ReadIndex(Channel& channel) const {
  const std::vector<std::int64_t> times = channel.messages->Times();
  for (std::size_t place = 0; place < times.size(); ++place) AddTo(channel, place, times[place]);
  while (times.empty()) {
    const std::uint64_t place = channel.messages->Place();
    const std::optional<Message> message = channel.messages->Next();
    if (!message) break;
    std::optional<Timestamp> time;
    try {
      if (channel.type.empty()) channel.type = MessageTypeByContent(*message);
      time = TimeOf(*message, channel.type);
    } catch (const WireError& error) {
      Refuse(channel,
             fmt::format("expected a message, found {} bytes that are none: {}", message->size(), error.what()),
             "look at it with openmi osmp trace");
    }
    if (!time) {
      Refuse(channel, "expected a time stamp, found none",
             "say the type of the messages in the argument 'message', if the name of the file does not");
    }
    AddTo(channel, place, NanosOf(*time));
  }
  if (channel.index.empty()) Refuse(channel, "expected messages, found an empty file", "name another file");
}

void Trace::AddTo(Channel& channel, std::uint64_t place, std::int64_t nanos) const {
  std::vector<Entry>& index = channel.index;
  if (!index.empty() && nanos == index.back().nanos) index.pop_back();
  if (!index.empty() && nanos < index.back().nanos) {
    Refuse(channel, "expected a time stamp not before that of the message before it, found an earlier one",
           "sort the trace by time");
  }
  index.push_back({place, nanos});
}

void Trace::UseSpacing() {
  std::int64_t least = 0;
  for (const Channel& channel : channels_) {
    for (std::size_t i = 1; i < channel.index.size(); ++i) {
      const std::int64_t distance = channel.index[i].nanos - channel.index[i - 1].nanos;
      least = least == 0 ? distance : std::min(least, distance);
    }
  }
  if (least > 0) SetTimeStep(Days{static_cast<double>(least) / kTicksPerDay});
}

void Trace::Start(Stamp begin) {
  for (Channel& channel : channels_) {
    channel.shown = -1;
    channel.output->ShowBytes(0, {});
  }
  ShowUntil(0);
  for (const Channel& channel : channels_) channel.output->Publish(begin);
}

void Trace::Step(Stamp, Stamp to) {
  for (const Channel& channel : channels_) channel.output->KeepShownBefore();
  ShowUntil(to == WholeStepEnd() ? Ticks() + NanosOf(TimeStep()) : NanosBetween(StartTime(), to));
  for (const Channel& channel : channels_) channel.output->Publish(to);
}

void Trace::ShowUntil(std::int64_t nanos) {
  for (Channel& channel : channels_) {
    const auto later = std::ranges::upper_bound(channel.index, nanos + zero_, {}, &Entry::nanos);
    Show(channel, later - channel.index.begin() - 1);
  }
}

// Uses two buffers in turn, so that a message stays readable for one more step.
void Trace::Show(Channel& channel, std::int64_t entry) {
  if (entry == channel.shown) return;
  channel.shown = entry;
  if (entry < 0) return channel.output->ShowBytes(0, {});
  Bytes& buffer = channel.buffers[channel.turn];
  channel.turn = 1 - channel.turn;
  channel.messages->ReadAt(channel.index[static_cast<std::size_t>(entry)].place, buffer);
  channel.output->ShowBytes(0, buffer);
}

void Trace::SaveState(StateWriter& writer) const {
  for (const Channel& channel : channels_) {
    writer.Write(channel.shown);
    channel.output->SaveRows(writer);
  }
}

void Trace::LoadState(StateReader& reader) {
  for (Channel& channel : channels_) {
    const std::int64_t entry = reader.ReadInteger();
    if (entry < -1 || entry >= static_cast<std::int64_t>(channel.index.size())) {
      throw FormatError({.component = Caption()}, "expected a state of this trace, found one of a longer trace");
    }
    channel.shown = entry;
    channel.output->LoadRows(reader);
  }
}

}  // namespace openmi::osi
