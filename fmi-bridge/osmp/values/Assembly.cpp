#include "fmi-bridge/osmp/values/Assembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fmi-bridge/osmp/schema/LinkedMessage.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/NumericInput.hpp"
#include "timespace/StateReader.hpp"
#include "timespace/StateWriter.hpp"

namespace openmi::osi {

Assembly::Assembly() : StatefulSteppingComponent("osi-message", "PT0.02S") {
  SetDescription("OSI messages out of numbers and of other messages");
  SetRestartable(true);
  message_ = AddArgument<std::string>(
      "message", {.description = "type of the messages", .value = "GroundTruth", .meaning = ArgumentMeaning::Plain});
  fields_argument_ = AddArgument<std::string>(
      "fields",
      {.description = "the inputs, as paths between blanks: `x=moving_object[*].base.position.x`; one that ends "
                      "in a message takes its bytes: `global_ground_truth`",
       .meaning = ArgumentMeaning::Plain});
  constants_ = AddArgument<std::string>(
      "constants",
      {.description = "fields that are always the same: `moving_object[*].type=2 host_vehicle_id.value=10`",
       .value = "",
       .meaning = ArgumentMeaning::Plain});
  objects_ = AddArgument<std::string>(
      "objects", {.description = "ids of the objects of a list", .value = "", .meaning = ArgumentMeaning::Plain});
  version_ = AddArgument<std::string>(
      "osi-version", {.description = "that the messages name", .value = "3.8.0", .meaning = ArgumentMeaning::Plain});
  table_file_ = AddArgument<std::string>(
      "osi-table-file",
      {.description = "of your release, made by openmi osmp schema; none: the subset that is built in",
       .value = "",
       .meaning = ArgumentMeaning::Path});
}

void Assembly::Setup() {
  const std::string file = table_file_.Value();
  schema_ = SchemaOf(file.empty() ? file : PathOf(file));
  const std::string message = message_.Value();
  const std::vector<NamedField> fields =
      ParseFields(*schema_, message, fields_argument_.Value(), "fields", FieldPath::Ends::InNumberOrMessage);
  ids_ = ParseIds(objects_.Value(), "objects");
  osi_version_ = ParseVersion(version_.Value(), "osi-version");
  std::vector<FieldPath> paths;
  for (const NamedField& field : fields) paths.push_back(field.path);
  assembly_ = std::make_unique<FieldAssembly>(*schema_, message, paths,
                                              ParseConstants(*schema_, message, constants_.Value(), "constants"));
  if (assembly_->HasList() && ids_.empty()) {
    throw ArgumentError({.component = Caption(), .item = "objects"},
                        "expected the ids of the objects behind [*], found none", "write 10 11 12, for instance");
  }
  const auto elements = std::make_shared<ObjectElements>("objects");
  elements->Set(ids_);
  ports_.clear();
  for (const NamedField& field : fields) {
    Port& port = ports_.emplace_back();
    if (field.path.Leaf().kind == FieldKind::Nested) {
      if (field.path.HasAll()) {
        throw ArgumentError({.component = Caption(), .item = "fields"},
                            fmt::format("expected a message that is not repeated, found '{}'", field.path.text),
                            "give the numbers in it one by one");
      }
      port.message = &TakeInput(MessageInput(field.item, field.path.Leaf().message, *this));
      continue;
    }
    std::shared_ptr<const ISpatialDefinition> where;
    if (field.path.HasAll()) where = elements;
    const std::string unit = field.path.unit.empty() ? "1" : field.path.unit;
    port.numbers = &AddInput(field.item, unit, where, {.description = field.path.text}).Item();
  }
  base_ = &TakeInput(MessageInput("base", message, *this));
  base_->SetDescription("a message whose fields come first; may stay unlinked");
  output_ = &TakeOutput(MessageOutput("message", message, *this, *this));
}

void Assembly::Start(Stamp begin) {
  columns_.assign(ports_.size(), {});
  messages_.assign(ports_.size(), {});
  RequireLinkedMessage(*base_);
  for (const Port& port : ports_) {
    if (port.message != nullptr) RequireLinkedMessage(*port.message);
    if (port.message == nullptr || port.message->Provider() != nullptr) continue;
    throw LinkError({.component = Caption(), .item = port.message->Id()}, "expected a provider of messages, found none",
                    "link an output of bytes to this input");
  }
  shown_ = {};
  has_looked_for_host_ = message_.Value() != "GroundTruth" && message_.Value() != "SensorView";
  remarks_.clear();
  output_->ShowBytes(0, shown_);
  output_->Publish(begin);
}

void Assembly::Step(Stamp, Stamp to) {
  for (std::size_t i = 0; i < ports_.size(); ++i) {
    if (ports_[i].message == nullptr) {
      columns_[i] = ports_[i].numbers->Row();
    } else {
      ports_[i].message->Pull(to);
      messages_[i] = ports_[i].message->GetBytes(0);
    }
  }
  base_->Pull(to);
  output_->KeepShownBefore();
  Write(to == WholeStepEnd() ? Ticks() + NanosOf(TimeStep()) : NanosBetween(StartTime(), to));
  output_->Publish(to);
}

void Assembly::Write(std::int64_t nanos) {
  constexpr std::int64_t kNanos = 1'000'000'000;
  MessageWriter& writer = writers_[turn_];
  turn_ = 1 - turn_;
  try {
    shown_ = assembly_->Write({.columns = columns_,
                               .messages = messages_,
                               .ids = ids_,
                               .base = base_->GetBytes(0),
                               .time = {nanos / kNanos, static_cast<std::uint32_t>(nanos % kNanos)},
                               .version = osi_version_},
                              writer);
    output_->ShowBytes(0, shown_);
    if (!has_looked_for_host_) LookForHost();
  } catch (const WireError& error) {
    throw ModelError({.component = Caption(), .item = "message"}, error.what(),
                     "check what is linked to the inputs of bytes");
  }
}

// Checks the host vehicle in the first message with objects: a sensor looks from that vehicle.
void Assembly::LookForHost() {
  Message truth;
  std::optional<std::uint64_t> host;
  if (message_.Value() == "GroundTruth") {
    truth = shown_;
  } else {
    for (FieldReader field(shown_); field.Next();) {
      if (field.Number() == field::sensor_view::kGlobalGroundTruth) truth = field.Content();
      if (field.Number() == field::sensor_view::kHostVehicleId) host = ReadIdentifier(field.Content());
    }
  }
  std::vector<std::uint64_t> ids;
  for (FieldReader field(truth); field.Next();) {
    if (field.Number() == field::ground_truth::kHostVehicleId && !host) host = ReadIdentifier(field.Content());
    if (field.Number() != field::ground_truth::kMovingObject) continue;
    for (FieldReader object(field.Content()); object.Next();) {
      if (object.Number() != field::moving_object::kId) continue;
      if (const auto id = ReadIdentifier(object.Content())) ids.push_back(*id);
    }
  }
  if (ids.empty()) return;
  has_looked_for_host_ = true;
  if (!host || std::ranges::find(ids, *host) != ids.end()) return;
  constexpr std::size_t kMost = 10;
  const std::size_t count = ids.size();
  ids.resize(std::min(count, kMost));
  AddWarning(
      remarks_, {.item = "message"},
      fmt::format("expected host_vehicle_id {} among the moving objects of the ground truth, found {}{}: a sensor "
                  "has no vehicle to look from",
                  *host, fmt::join(ids, " "), count > kMost ? fmt::format(" and {} more", count - kMost) : ""),
      "correct host_vehicle_id.value in constants, or the ids in objects");
}

void Assembly::SaveState(StateWriter& writer) const {
  output_->SaveRows(writer);
}

void Assembly::LoadState(StateReader& reader) {
  output_->LoadRows(reader);
}

}  // namespace openmi::osi
