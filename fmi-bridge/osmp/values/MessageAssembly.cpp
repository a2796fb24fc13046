#include "fmi-bridge/osmp/values/MessageAssembly.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "fmi-bridge/osmp/wire/CommonMessages.hpp"
#include "fmi-bridge/osmp/wire/OsiFields.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/items/NumericInput.hpp"
#include "timespace/state/StateReader.hpp"
#include "timespace/state/StateWriter.hpp"

namespace openmi::osi {
namespace {

/// Checks the host vehicle in the first message with objects: a sensor looks from that vehicle.
/// \param is_truth  whether the message is a GroundTruth; else it is a SensorView
/// \returns whether the message has objects
bool LookForHost(Message message, bool is_truth, Problems& remarks) {
  Message truth;
  std::optional<std::uint64_t> host;
  if (is_truth) {
    truth = message;
  } else {
    for (FieldReader field(message); field.Next();) {
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
  if (ids.empty()) return false;
  if (!host || std::ranges::find(ids, *host) != ids.end()) return true;
  constexpr std::size_t kMost = 10;
  const std::size_t count = ids.size();
  ids.resize(std::min(count, kMost));
  AddWarning(
      remarks, {.item = "message"},
      fmt::format("expected host_vehicle_id {} among the moving objects of the ground truth, found {}{}: a sensor "
                  "has no vehicle to look from",
                  *host, fmt::join(ids, " "), count > kMost ? fmt::format(" and {} more", count - kMost) : ""),
      "correct host_vehicle_id.value in constants, or the ids in objects");
  return true;
}

}  // namespace

MessageAssembly::MessageAssembly()
    : StatefulSteppingComponent("osi-message", "PT0.02S"),
      arguments_(
          AddFieldArguments(ArgumentItems(),
                            "the inputs, as paths between blanks: `x=moving_object[*].base.position.x`; one that ends "
                            "in a message takes its bytes: `global_ground_truth`",
                            "ids of the objects of a list", true)) {
  SetDescription("OSI messages out of numbers and of other messages");
  SetRestartable(true);
}

void MessageAssembly::Setup() {
  const std::string file = arguments_.table_file.Value();
  schema_ = SchemaOf(file.empty() ? file : PathOf(file));
  const std::string message = arguments_.message.Value();
  const std::vector<NamedField> fields =
      ParseFields(*schema_, message, arguments_.fields.Value(), "fields", FieldPath::Ends::InNumberOrMessage);
  ids_ = ParseIds(arguments_.objects.Value(), "objects");
  osi_version_ = ParseVersion(arguments_.version.Value(), "osi-version");
  std::vector<FieldPath> paths;
  for (const NamedField& field : fields) paths.push_back(field.path);
  assembly_ = std::make_unique<FieldAssembly>(
      *schema_, message, paths, ParseConstants(*schema_, message, arguments_.constants.Value(), "constants"));
  if (assembly_->HasList() && ids_.empty()) {
    throw ArgumentError({.component = Caption(), .item = "objects"},
                        "expected the ids of the objects for [*], found none", "write 10 11 12, for instance");
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
      port.message = &AddItem<ValueInput>(field.item, MessageDefinition(field.path.Leaf().message));
      continue;
    }
    std::shared_ptr<const ISpatialDefinition> where;
    if (field.path.HasAll()) where = elements;
    const std::string unit = field.path.unit.empty() ? "1" : field.path.unit;
    port.numbers = &AddInput(field.item, unit, where, {.description = field.path.text}).Item();
  }
  base_ = &AddItem<ValueInput>("base", MessageDefinition(message), nullptr,
                               "a message whose fields come first; may stay unlinked");
  output_ = &AddItem<ValueOutput>("message", MessageDefinition(message));
}

void MessageAssembly::Start(Stamp begin) {
  columns_.assign(ports_.size(), {});
  messages_.assign(ports_.size(), {});
  RequireLinkedMessage(*base_);
  for (const Port& port : ports_) {
    if (port.message == nullptr) continue;
    RequireLinkedMessage(*port.message);
    RequireProvider(*port.message);
  }
  shown_ = {};
  has_looked_for_host_ = arguments_.message.Value() != "GroundTruth" && arguments_.message.Value() != "SensorView";
  remarks_.clear();
  output_->ShowBytes(0, shown_);
  output_->Publish(begin);
}

void MessageAssembly::Step(Stamp, Stamp to) {
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

void MessageAssembly::Write(std::int64_t nanos) {
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
    if (!has_looked_for_host_) {
      has_looked_for_host_ = LookForHost(shown_, arguments_.message.Value() == "GroundTruth", remarks_);
    }
  } catch (const WireError& error) {
    throw ModelError({.component = Caption(), .item = "message"}, error.what(),
                     "check what is linked to the inputs of bytes");
  }
}

void MessageAssembly::SaveState(StateWriter& writer) const {
  output_->SaveRows(writer);
}

void MessageAssembly::LoadState(StateReader& reader) {
  output_->LoadRows(reader);
}

}  // namespace openmi::osi
