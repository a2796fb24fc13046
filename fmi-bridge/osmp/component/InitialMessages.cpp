#include "fmi-bridge/osmp/component/InitialMessages.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "fmi-bridge/osmp/component/SensorViewConfig.hpp"
#include "fmi-bridge/osmp/schema/MessageType.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::osmp {
namespace {

Bytes FileBytes(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  Bytes bytes(error || size > osi::kLargestMessage ? 0 : size);
  std::ifstream in(path, std::ios::binary);
  if (bytes.empty() || !in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
    throw FileError({.file = path.string()}, "expected a file with an encoded message, found none that can be read",
                    "name a file below 2 GiB that is not empty");
  }
  return bytes;
}

}  // namespace

void InitialMessages::Begin(const fmi::LayerHost& host) {
  host_.emplace(host);
  parameter_ports_ = request_ports_ = {};
  requests_.clear();
}

void InitialMessages::Take(const BinaryVariable& variable, const fmi::ModelDescription& description, ValueInput& item) {
  Parameter& parameter = *std::ranges::find(parameters_, &variable, &Parameter::variable);
  parameter.item = &item;
  parameter.port = parameter_ports_.Add(variable, description);
  parameter.bytes = {};
}

void InitialMessages::Take(const BinaryVariable& variable, const fmi::ModelDescription& description,
                           ValueOutput& item) {
  requests_.push_back({&variable, &item, request_ports_.Add(variable, description)});
}

std::string InitialMessages::FileOf(const Parameter& parameter) const {
  const std::string name = TextOf(parameter.file);
  return name.empty() ? name : host_->path_of(name);
}

void InitialMessages::ReadGroundTruth() {
  ground_truth_.reset();
  shared_truth_.reset();
  for (const Parameter& parameter : parameters_) {
    const std::string file = FileOf(parameter);
    if (parameter.variable->kind != Kind::GroundTruthInit || file.empty()) continue;
    ground_truth_ = GroundTruth::OfFile(file);
    shared_truth_ = SharedTruth::Require(host_->file, *ground_truth_, file);
  }
}

std::vector<std::string> InitialMessages::Notes() const {
  std::vector<std::string> notes;
  for (const Parameter& parameter : parameters_) {
    const BinaryVariable& variable = *parameter.variable;
    if (variable.kind != Kind::GroundTruthInit || parameter.item->Provider() != nullptr) continue;
    if (FileOf(parameter).empty()) {
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

osi::Message InitialMessages::Given(Parameter& parameter) {
  if (parameter.item->Provider() != nullptr) {
    parameter.item->Pull(host_->steps.CurrentTime());
    return parameter.item->GetBytes(0);
  }
  const std::string file = FileOf(parameter);
  if (file.empty()) return {};
  return parameter.bytes = FileBytes(file);
}

void InitialMessages::TakeGroundTruth(Parameter& parameter) {
  IBaseOutput* const provider = parameter.item->Provider();
  const std::string file = FileOf(parameter);
  if (provider != nullptr) {
    const osi::Message message = Given(parameter);
    if (message.empty()) {
      throw ModelError({.item = parameter.item->Id()},
                       fmt::format("expected a message of '{}' at the start of the run, found none", provider->Id()),
                       "link an output that is there before the first step, or name a file");
    }
    const bool is_view = osi::MessageTypeOf(provider->ValueDefinition()) == "SensorView";
    if (!is_view) osi::RequireLinkedMessage(*parameter.item, "GroundTruth");
    ground_truth_ = GroundTruth::OfMessage(message, is_view, parameter.item->Id());
  } else if (ground_truth_ == nullptr && !file.empty()) {
    ground_truth_ = GroundTruth::OfFile(file);  // a second run
  }
  if (ground_truth_ == nullptr) return;
  shared_truth_.reset();
  shared_truth_ = SharedTruth::Require(host_->file, *ground_truth_, provider != nullptr ? provider->Id() : file);
  parameter_ports_.Edit(parameter.port, ground_truth_->Bytes());
}

void InitialMessages::Configure(Parameter& parameter, double start, double step) {
  osi::Message request;
  for (const Request& one : requests_) {
    if (one.variable->index == parameter.variable->index) request = request_ports_.Message(one.port);
  }
  try {
    parameter.bytes = AnswerRequest(request, {.start = start, .step = step, .own = Given(parameter)});
  } catch (const osi::WireError& error) {
    MessagePorts::Refuse(*parameter.variable, RuleId::MessageEncoded,
                         fmt::format("expected an encoded SensorViewConfiguration, found: {}", error.what()),
                         "look at what the model wants, and at the configuration given");
  }
  parameter_ports_.Edit(parameter.port, parameter.bytes);
}

void InitialMessages::Give(fmi::Instance& instance, double start, double step) {
  if (!requests_.empty()) request_ports_.Get(instance);
  for (Parameter& parameter : parameters_) {
    if (parameter.variable->kind == Kind::GroundTruthInit) {
      TakeGroundTruth(parameter);
    } else if (parameter.variable->kind == Kind::SensorViewInConfig) {
      Configure(parameter, start, step);
    } else {
      parameter_ports_.Edit(parameter.port, Given(parameter));
    }
  }
  if (!parameters_.empty()) parameter_ports_.Set(instance);
  if (requests_.empty()) return;
  // The output shows the first request. Its present value must be the configuration that was set.
  for (const Request& one : requests_) one.item->KeepBytes(0, request_ports_.Message(one.port));
  request_ports_.Get(instance);
  for (const Request& one : requests_) {
    for (const Parameter& parameter : parameters_) {
      const BinaryVariable& config = *parameter.variable;
      if (config.kind != Kind::SensorViewInConfig || config.index != one.variable->index) continue;
      if (HoldSameData(request_ports_.Message(one.port), parameter.bytes)) continue;
      host_->remark(config.name,
                    fmt::format("OSMP rule {}: expected {} to hold what {} was set to, found other data",
                                RuleOf(RuleId::RequestEchoesConfig).Number(), one.variable->name, config.name),
                    "look at what the model can be configured to, and at the configuration given");
    }
  }
}

void InitialMessages::Release() {
  for (Parameter& parameter : parameters_) {
    parameter.item->AskNoMore();
    parameter.bytes = {};
    parameter_ports_.Edit(parameter.port, {});
  }
}

}  // namespace openmi::osmp
