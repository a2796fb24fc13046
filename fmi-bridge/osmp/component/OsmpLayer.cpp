#include "fmi-bridge/osmp/component/OsmpLayer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include "fmi-bridge/common/items/ItemDefinitions.hpp"
#include "fmi-bridge/osmp/component/SensorViewConfig.hpp"
#include "fmi-bridge/osmp/packaging/Rules.hpp"
#include "fmi-bridge/osmp/schema/LinkedMessage.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osmp {
namespace {

using fmi::Causality;

std::vector<std::byte> FileBytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::vector<std::byte> bytes(error || size > osi::kLargestMessage ? 0 : size);
  std::ifstream in(path, std::ios::binary);
  if (bytes.empty() || !in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
    throw FileError({.file = path.string()}, "expected a file with an encoded message, found none that can be read",
                    "name a file below 2 GiB that is not empty");
  }
  return bytes;
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
  const std::vector<std::string> when = {"none", "first", "always"};
  check_messages_ = add("check-messages", {.description = "which messages of each item are walked through whole",
                                           .value = "first",
                                           .possible_values = when});
  check_ground_truth_ =
      add("check-ground-truth",
          {.description = "which sensor views are held against OSMPGroundTruthInit: ids, and that nothing changed",
           .value = "first",
           .possible_values = when});
  files_.clear();
  for (const BinaryVariable& variable : model_.variables) {
    if (variable.causality != Causality::Parameter) continue;
    const std::string what = variable.message.empty() ? variable.mime_type : "osi3::" + variable.message;
    files_.emplace_back(&variable, add(variable.name, {.description = "file with one encoded " + what +
                                                                      "; or link the input of that name",
                                                       .optional = true,
                                                       .meaning = ArgumentMeaning::Path}));
  }
}

OsmpLayer::Check OsmpLayer::CheckOf(const Argument<std::string>& argument) {
  const std::string text = argument.Value();
  return text == "none" ? Check::None : text == "first" ? Check::First : Check::Always;
}

namespace {

std::unique_ptr<const IValueDefinition> DefinitionOf(const BinaryVariable& variable) {
  const std::string& message = variable.message;
  return items::PlainDefinitionOf(message.empty() ? variable.mime_type : message, ValueKind::Binary,
                                  message.empty() ? message : "osi3::" + message);
}

}  // namespace

items::ValueInput& OsmpLayer::MakeInput(const BinaryVariable& variable) {
  auto& item = making_->take_input(
      std::make_unique<items::ValueInput>(variable.name, DefinitionOf(variable), nullptr, making_->component));
  item.SetDescription(variable.mime_type);
  return item;
}

items::ValueOutput& OsmpLayer::MakeOutput(const BinaryVariable& variable) {
  auto& item = making_->take_output(std::make_unique<items::ValueOutput>(variable.name, DefinitionOf(variable), nullptr,
                                                                         making_->component, making_->steps));
  item.SetDescription(variable.mime_type);
  return item;
}

void OsmpLayer::MakeItems(const fmi::LayerHost& host) {
  ThrowIfErrors(ProblemsOf(model_, host.file));
  making_ = &host;
  path_of_ = host.path_of;
  remark_ = host.remark;
  file_ = host.file;
  steps_ = &host.steps;
  input_ports_ = output_ports_ = request_ports_ = parameter_ports_ = {};
  inputs_.clear();
  outputs_.clear();
  requests_.clear();
  parameters_.clear();
  for (const BinaryVariable& variable : model_.variables) {
    switch (variable.causality) {
      case Causality::Input:
        inputs_.push_back({&MakeInput(variable), input_ports_.Add(variable, description_)});
        break;
      case Causality::Parameter: {
        const auto file = std::ranges::find(files_, &variable, [](const auto& one) { return one.first; });
        parameters_.push_back({&MakeInput(variable), file->second, parameter_ports_.Add(variable, description_), {}});
        break;
      }
      case Causality::CalculatedParameter:
        requests_.push_back({&MakeOutput(variable), request_ports_.Add(variable, description_)});
        break;
      default:
        outputs_.push_back({&MakeOutput(variable), output_ports_.Add(variable, description_)});
    }
  }
  making_ = nullptr;
  messages_ = CheckOf(check_messages_);
  ground_ = CheckOf(check_ground_truth_);
  // Read here, before any instance runs, so that all instances share the same bytes.
  ground_truth_.reset();
  shared_truth_.reset();
  for (const Parameter& parameter : parameters_) {
    if (parameter_ports_.Variable(parameter.port).kind != Kind::GroundTruthInit || !HasFile(parameter)) continue;
    ground_truth_ = GroundTruth::OfFile(path_of_(parameter.file.Value()));
    shared_truth_ = SharedTruth::Require(file_, *ground_truth_, path_of_(parameter.file.Value()));
  }
}

std::vector<std::string> OsmpLayer::Notes() const {
  std::vector<std::string> notes;
  for (const Parameter& parameter : parameters_) {
    const BinaryVariable& variable = parameter_ports_.Variable(parameter.port);
    if (variable.kind != Kind::GroundTruthInit || parameter.item->Provider() != nullptr) continue;
    if (!HasFile(parameter)) {
      notes.push_back(fmt::format(
          "{}: no ground truth is given; name a file, or link the input, if the model needs one", variable.name));
    } else if (ground_truth_ != nullptr && !ground_truth_->LeftOut().empty()) {
      notes.push_back(fmt::format("{}: OSMP rule {}: left out of the file what changes during a run: {}", variable.name,
                                  RuleOf(RuleId::GroundTruthStatic).Number(),
                                  fmt::join(ground_truth_->LeftOut(), ", ")));
    }
  }
  return notes;
}

void OsmpLayer::CheckMessage(const BinaryVariable& variable, osi::Message message, bool& was_checked) const {
  if (message.empty() || messages_ == Check::None || (was_checked && messages_ == Check::First)) return;
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
    if (const auto found = ground_truth_->Content().Compare(message, true)) {
      MessagePorts::Refuse(variable, found->is_id ? RuleId::GroundTruthIds : RuleId::GroundTruthStatic, found->problem,
                           "give a ground truth of the same world without what changes; check-ground-truth = none lets "
                           "it pass");
    }
  } catch (const osi::WireError& error) {
    MessagePorts::Refuse(variable, RuleId::MessageEncoded,
                         fmt::format("expected an encoded SensorView, found: {}", error.what()),
                         "link an output that gives such messages");
  }
  if (ground_ == Check::First) ground_truth_.reset();
}

osi::Message OsmpLayer::Given(Parameter& parameter) {
  if (parameter.item->Provider() != nullptr) {
    parameter.item->Pull(steps_->CurrentTime());
    return parameter.item->GetBytes(0);
  }
  if (!HasFile(parameter)) return {};
  parameter.bytes = FileBytes(path_of_(parameter.file.Value()));
  return parameter.bytes;
}

void OsmpLayer::TakeGroundTruth(Parameter& parameter) {
  if (IBaseOutput* provider = parameter.item->Provider()) {
    const osi::Message message = Given(parameter);
    if (message.empty()) {
      throw ModelError({.item = parameter.item->Id()},
                       fmt::format("expected a message of '{}' at the begin of the run, found none", provider->Id()),
                       "link an output that is there before the first step, or name a file");
    }
    const bool is_view = osi::MessageTypeOf(provider->ValueDefinition()) == "SensorView";
    if (!is_view) osi::RequireLinkedMessage(*parameter.item, "GroundTruth");
    ground_truth_ = GroundTruth::OfMessage(message, is_view, parameter.item->Id());
  } else if (ground_truth_ == nullptr && HasFile(parameter)) {
    ground_truth_ = GroundTruth::OfFile(path_of_(parameter.file.Value()));  // a second run
  }
  if (ground_truth_ == nullptr) return;
  const IBaseOutput* provider = parameter.item->Provider();
  shared_truth_.reset();
  shared_truth_ = SharedTruth::Require(file_, *ground_truth_,
                                       provider != nullptr ? provider->Id() : path_of_(parameter.file.Value()));
  parameter_ports_.Edit(parameter.port, ground_truth_->Bytes());
}

void OsmpLayer::Configure(Parameter& parameter, double start, double step) {
  const BinaryVariable& variable = parameter_ports_.Variable(parameter.port);
  osi::Message request;
  for (const Out& one : requests_) {
    if (request_ports_.Variable(one.port).index == variable.index) request = request_ports_.Message(one.port);
  }
  try {
    parameter.bytes = AnswerRequest(request, {.start = start, .step = step, .own = Given(parameter)});
  } catch (const osi::WireError& error) {
    MessagePorts::Refuse(variable, RuleId::MessageEncoded,
                         fmt::format("expected an encoded SensorViewConfiguration, found: {}", error.what()),
                         "look at what the model wants, and at the configuration given");
  }
  parameter_ports_.Edit(parameter.port, parameter.bytes);
}

void OsmpLayer::Initializing(fmi::Instance& instance, double start, double step) {
  for (In& one : inputs_) one.was_checked = false;
  for (Out& one : outputs_) one.was_checked = false;
  linked_.clear();
  for (In& one : inputs_) {
    osi::RequireLinkedMessage(*one.item, input_ports_.Variable(one.port).message);
    if (one.item->Provider() != nullptr) linked_.push_back(&one);
  }
  if (parameters_.empty() && requests_.empty()) return;
  if (!requests_.empty()) request_ports_.Get(instance);
  for (Parameter& parameter : parameters_) {
    const BinaryVariable& variable = parameter_ports_.Variable(parameter.port);
    if (variable.kind == Kind::GroundTruthInit) {
      TakeGroundTruth(parameter);
    } else if (variable.kind == Kind::SensorViewInConfig) {
      Configure(parameter, start, step);
    } else {
      parameter_ports_.Edit(parameter.port, Given(parameter));
    }
  }
  if (!parameters_.empty()) parameter_ports_.Set(instance);
  if (requests_.empty()) return;
  // The output shows the first request. Its present value must be the configuration that was set.
  for (const Out& one : requests_) one.item->KeepBytes(0, request_ports_.Message(one.port));
  request_ports_.Get(instance);
  for (const Out& one : requests_) {
    const BinaryVariable& variable = request_ports_.Variable(one.port);
    for (const Parameter& parameter : parameters_) {
      const BinaryVariable& config = parameter_ports_.Variable(parameter.port);
      if (config.kind != Kind::SensorViewInConfig || config.index != variable.index) continue;
      if (!HoldSameData(request_ports_.Message(one.port), parameter.bytes)) {
        remark_(config.name,
                fmt::format("OSMP rule {}: expected {} to hold what {} was set to, found other data",
                            RuleOf(RuleId::RequestEchoesConfig).Number(), variable.name, config.name),
                "look at what the model can be configured to, and at the configuration given");
      }
    }
  }
}

void OsmpLayer::Initialized() {
  // The model has copied what it needs, so the bytes are freed.
  for (Parameter& parameter : parameters_) {
    parameter.item->AskNoMore();
    parameter.bytes = {};
    parameter_ports_.Edit(parameter.port, {});
  }
  if (ground_ == Check::None || linked_.empty()) ground_truth_.reset();
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
    if (ground_truth_ != nullptr) CheckGroundTruth(variable, message);
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
