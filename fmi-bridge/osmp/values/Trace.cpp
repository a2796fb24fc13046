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
  file_ = AddArgument<std::string>(
      "file", {.description = "the trace: messages with their lengths (.osi)", .meaning = ArgumentMeaning::Path});
  message_ = ArgumentItems().AddPlain(
      "message",
      {.description = "type of the messages; none: what the name of the file, or the first one, says", .value = ""});
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
  const std::string file = PathOf(file_.Value());
  reader_ = std::make_unique<TraceReader>(file);
  type_ = message_.Value().empty() ? MessageTypeByName(file) : message_.Value();
  ReadIndex();
  if (steps_.Value() == "trace") UseSpacing();
  output_ = &AddItem<ValueOutput>("message", MessageDefinition(type_));
}

void Trace::ReadIndex() {
  index_.clear();
  std::int64_t zero = 0;
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    const std::string which =
        index_.empty() && reader_->Count() == 0 ? "" : fmt::format("message {}: ", reader_->Count());
    throw FormatError({.file = PathOf(file_.Value()), .component = Caption(), .item = "file"}, which + problem, remedy);
  };
  while (true) {
    const std::uint64_t offset = reader_->Offset();
    const std::optional<Message> message = reader_->Next();
    if (!message) break;
    std::optional<Timestamp> time;
    try {
      if (type_.empty()) type_ = MessageTypeByContent(*message);
      time = TimeOf(*message, type_);
    } catch (const WireError& error) {
      refuse(fmt::format("expected a message, found {} bytes that are none: {}", message->size(), error.what()),
             "look at it with openmi osmp trace");
    }
    if (!time) {
      refuse("expected a time stamp, found none",
             "say the type of the messages in the argument 'message', if the name of the file does not");
    }
    const std::int64_t nanos = NanosOf(*time);
    if (index_.empty() && time_zero_.Value() == "first") zero = nanos;
    if (!index_.empty() && nanos - zero == index_.back().nanos) index_.pop_back();
    if (!index_.empty() && nanos - zero < index_.back().nanos) {
      refuse("expected a time stamp not before that of the message before it, found an earlier one",
             "sort the trace by time");
    }
    index_.push_back({offset, nanos - zero});
  }
  if (index_.empty()) refuse("expected messages, found an empty file", "name another file");
}

void Trace::UseSpacing() {
  std::int64_t least = 0;
  for (std::size_t i = 1; i < index_.size(); ++i) {
    const std::int64_t distance = index_[i].nanos - index_[i - 1].nanos;
    least = least == 0 ? distance : std::min(least, distance);
  }
  if (least > 0) SetTimeStep(Days{static_cast<double>(least) / kTicksPerDay});
}

void Trace::Start(Stamp begin) {
  shown_ = -1;
  output_->ShowBytes(0, {});
  ShowUntil(0);
  output_->Publish(begin);
}

void Trace::Step(Stamp, Stamp to) {
  output_->KeepShownBefore();
  ShowUntil(to == WholeStepEnd() ? Ticks() + NanosOf(TimeStep()) : NanosBetween(StartTime(), to));
  output_->Publish(to);
}

void Trace::ShowUntil(std::int64_t nanos) {
  const auto later = std::ranges::upper_bound(index_, nanos, {}, &Entry::nanos);
  Show(later - index_.begin() - 1);
}

// Uses two buffers in turn, so that a message stays readable for one more step.
void Trace::Show(std::int64_t entry) {
  if (entry == shown_) return;
  shown_ = entry;
  if (entry < 0) return output_->ShowBytes(0, {});
  Bytes& buffer = buffers_[turn_];
  turn_ = 1 - turn_;
  reader_->ReadAt(index_[static_cast<std::size_t>(entry)].offset, buffer);
  output_->ShowBytes(0, buffer);
}

void Trace::SaveState(StateWriter& writer) const {
  writer.Write(shown_);
  output_->SaveRows(writer);
}

void Trace::LoadState(StateReader& reader) {
  const std::int64_t entry = reader.ReadInteger();
  if (entry < -1 || entry >= static_cast<std::int64_t>(index_.size())) {
    throw FormatError({.component = Caption()}, "expected a state of this trace, found one of a longer trace");
  }
  shown_ = entry;
  output_->LoadRows(reader);
}

}  // namespace openmi::osi
