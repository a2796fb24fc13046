#include "fmi-bridge/osmp/component/OsmpLayer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/osmp/packaging/Rules.hpp"
#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osmp {
namespace {

using fmi::Causality;

std::unique_ptr<const IValueDefinition> DefinitionOf(const BinaryVariable& variable) {
  const std::string& message = variable.message;
  std::string type = message.empty() ? message : "osi3::" + message;
  if (variable.kind == Kind::GroundTruthInit) type += " or osi3::SensorView";  // which contains one
  return items::PlainDefinitionOf(message.empty() ? variable.mime_type : message, ValueKind::Binary, type);
}

}  // namespace

OsmpLayer::OsmpLayer(const fmi::ModelDescription& description, OsmpModel model)
    : description_(description), model_(std::move(model)), owned_(description.variables.size(), false) {
  for (const BinaryVariable& variable : model_.variables) {
    for (const fmi::Index part : variable.parts) {
      if (part != fmi::kNowhere) owned_[static_cast<std::size_t>(part)] = true;
    }
  }
}

void OsmpLayer::AddArguments(ArgumentList& list) {
  const auto add = [&](const std::string& id, const ArgumentOptions<std::string>& options) {
    ArgumentItem* there = list.Find(id);
    return there != nullptr ? Argument<std::string>(*there) : list.Add<std::string>(id, options);
  };
  check_messages_ = add("check-messages", {.description = "which messages of each item are walked through whole",
                                           .value = "first",
                                           .possible_values = kChecks.List()});
  check_ground_truth_ =
      add("check-ground-truth",
          {.description = "which sensor views are held against OSMPGroundTruthInit: ids, and that nothing changed",
           .value = "first",
           .possible_values = kChecks.List()});
  for (const BinaryVariable& variable : model_.variables) {
    if (variable.causality != Causality::Parameter) continue;
    const std::string what = variable.message.empty() ? variable.mime_type : "osi3::" + variable.message;
    initial_.Add(variable, add(variable.name,
                               {.description = "file with one encoded " + what + "; or link the input of that name",
                                .optional = true,
                                .meaning = ArgumentMeaning::Path}));
  }
}

void OsmpLayer::MakeItems(const fmi::LayerHost& host) {
  ThrowIfErrors(ProblemsOf(model_, host.file));
  const auto triple = std::ranges::find_if(model_.variables, &BinaryVariable::is_triple);
  if (host.is_for_windows && triple != model_.variables.end()) {
    throw LoadError({.file = host.file, .item = triple->name},
                    "expected messages that reach a library for Windows, found those of FMI 2.0, which are addresses: "
                    "they do not cross to Wine",
                    "use the FMU for FMI 3.0, or one for Linux");
  }
  input_ports_ = output_ports_ = {};
  inputs_.clear();
  outputs_.clear();
  initial_.Begin(host);
  for (const BinaryVariable& variable : model_.variables) {
    const auto add = [&variable](const auto& adder) -> auto& {
      return adder(variable.name, DefinitionOf(variable), nullptr, variable.mime_type);
    };
    switch (variable.causality) {
      case Causality::Input:
        inputs_.push_back({&add(host.add_input), input_ports_.Add(variable, description_)});
        break;
      case Causality::Parameter:
        initial_.Take(variable, description_, add(host.add_input));
        break;
      case Causality::CalculatedParameter:
        initial_.Take(variable, description_, add(host.add_output));
        break;
      default:
        outputs_.push_back({&add(host.add_output), output_ports_.Add(variable, description_)});
    }
  }
  messages_ = *kChecks.Find(check_messages_.Value());
  ground_ = *kChecks.Find(check_ground_truth_.Value());
  initial_.ReadGroundTruth();
}

std::vector<std::string> OsmpLayer::Notes() const {
  std::vector<std::string> notes = initial_.Notes();
  for (const BinaryVariable& variable : model_.variables) {
    const std::string named = MessageInName(variable.name);
    if (variable.kind != Kind::Other || named.empty() || variable.message.empty() || named == variable.message)
      continue;
    notes.push_back(
        fmt::format("{}: expected a {}, as its name says, found type={}; correct the MIME type in the FMU, "
                    "if that is wrong",
                    variable.name, named, variable.message));
  }
  return notes;
}

void OsmpLayer::CheckMessage(const BinaryVariable& variable, osi::Message message, bool& was_checked) const {
  if (message.empty() || messages_ == Check::None) return;
  was_checked = true;
  if (variable.message.empty()) return;
  try {
    osi::RequireFields(message);
  } catch (const osi::WireError& error) {
    MessagePorts::Refuse(variable, RuleId::MessageEncoded,
                         fmt::format("expected an encoded {}, found: {}", variable.message, error.what()),
                         "link an output that gives such messages; check-messages = none lets them pass");
  }
}

void OsmpLayer::CheckGroundTruth(const BinaryVariable& variable, osi::Message message) {
  if (message.empty() || variable.message != "SensorView") return;
  try {
    if (const auto found = initial_.Truth()->Content().Compare(message, true)) {
      MessagePorts::Refuse(variable, found->is_id ? RuleId::GroundTruthIds : RuleId::GroundTruthStatic, found->problem,
                           "give a ground truth of the same world that contains only what does not change; "
                           "check-ground-truth = none lets it pass");
    }
  } catch (const osi::WireError& error) {
    MessagePorts::Refuse(variable, RuleId::MessageEncoded,
                         fmt::format("expected an encoded SensorView, found: {}", error.what()),
                         "link an output that gives such messages");
  }
  if (ground_ == Check::First) initial_.ForgetTruth();
}

void OsmpLayer::Initializing(fmi::Instance& instance, double start, double step) {
  for (In& one : inputs_) one.was_checked = false;
  for (Out& one : outputs_) one.was_checked = false;
  linked_.clear();
  for (In& one : inputs_) {
    osi::RequireLinkedMessage(*one.item, input_ports_.Variable(one.port).message);
    if (one.item->Provider() != nullptr) linked_.push_back(&one);
  }
  initial_.Give(instance, start, step);
}

void OsmpLayer::Initialized() {
  initial_.Release();
  if (ground_ == Check::None || linked_.empty()) initial_.ForgetTruth();
}

void OsmpLayer::SetInputs(fmi::Instance& instance, Stamp to) {
  const auto keep_shown = [&] {
    for (const Out& one : outputs_) one.item->KeepShownBefore();
  };
  if (linked_.empty()) return keep_shown();
  for (const In* one : linked_) one->item->Pull(to);
  // A provider may have made further steps while another one was pulled, and its earlier message may be gone.
  if (linked_.size() > 1) {
    for (const In* one : linked_) one->item->Pull(to);
  }
  keep_shown();
  for (In* one : linked_) {
    const osi::Message message = one->item->GetBytes(0);
    const BinaryVariable& variable = input_ports_.Variable(one->port);
    if (!one->was_checked || messages_ == Check::Always) CheckMessage(variable, message, one->was_checked);
    if (initial_.Truth() != nullptr) CheckGroundTruth(variable, message);
    input_ports_.Edit(one->port, message);
  }
  input_ports_.Set(instance);
}

void OsmpLayer::GetOutputs(fmi::Instance& instance, Stamp time) {
  if (outputs_.empty()) return;
  output_ports_.Get(instance);
  shows_ = true;
  for (Out& one : outputs_) {
    const osi::Message message = output_ports_.Message(one.port);
    if (!one.was_checked || messages_ == Check::Always) {
      CheckMessage(output_ports_.Variable(one.port), message, one.was_checked);
    }
    if (output_ports_.Stays(one.port)) {
      one.item->ShowBytes(0, message);
    } else {
      one.item->KeepBytes(0, message);
    }
    one.item->Publish(time);
  }
}

void OsmpLayer::ShowMissing(Stamp time) {
  for (const Out& one : outputs_) {
    one.item->ShowBytes(0, {});
    one.item->Publish(time);
  }
}

void OsmpLayer::End() {
  if (!std::exchange(shows_, false)) return;
  for (const Out& one : outputs_) one.item->KeepShown();
}

void OsmpLayer::Save(StateWriter& writer) const {
  for (const Out& one : outputs_) one.item->SaveRows(writer);
}

// What was shown until the next step was in the memory of the FMU, whose state was restored.
void OsmpLayer::Load(StateReader& reader) {
  for (const Out& one : outputs_) one.item->LoadRows(reader);
  shows_ = false;
}

std::unique_ptr<fmi::IFmuLayer> MakeOsmpLayer(const fmi::ModelDescription& description) {
  OsmpModel model = ReadOsmpModel(description);
  if (!model.is_osmp) return nullptr;
  return std::make_unique<OsmpLayer>(description, std::move(model));
}

}  // namespace openmi::osmp
