#include "Frame.hpp"

#include <algorithm>

namespace osmp_fmu {

Model::Model()
    : inputs(kDescription.messages.size()),
      outputs(kDescription.messages.size()),
      is_configured(kDescription.messages.size(), false) {
  for (const NumberVariable& number : kDescription.numbers) numbers.push_back(number.start);
}

double* Instance::Number(unsigned reference, bool to_set) {
  const std::size_t at = reference - kFirstNumber;
  if (at >= kDescription.numbers.size()) return nullptr;
  const bool may_set =
      !kDescription.numbers[at].is_output && (mode == Mode::Instantiated || mode == Mode::Initialization);
  return !to_set || may_set ? &model->numbers[at] : nullptr;
}

std::size_t Instance::Message(unsigned reference) const {
  const std::size_t at = (reference - kFirstMessage) / 3;
  if (reference < kFirstMessage || at >= kDescription.messages.size()) {
    throw std::invalid_argument("there is no variable of value reference " + std::to_string(reference));
  }
  return at;
}

void Instance::SetMessage(std::size_t message, openmi::osi::Message bytes) {
  const Port port = kDescription.messages[message].port;
  const bool is_parameter = port == Port::Config || port == Port::GroundTruth;
  if (port == Port::Output || port == Port::ConfigRequest || (is_parameter && mode == Mode::Step)) {
    throw std::logic_error(std::string(kDescription.messages[message].name) + " cannot be set now");
  }
  model->inputs[message] = bytes;
  if (port != Port::Config) return;
  model->is_configured[message] = !bytes.empty();
}

openmi::osi::Message Instance::GetMessage(std::size_t message) {
  const MessageVariable& variable = kDescription.messages[message];
  Output& output = model->outputs[message];
  if (variable.port != Port::ConfigRequest) {
    return variable.port == Port::Output ? output.Bytes() : model->inputs[message];
  }
  if (mode != Mode::Initialization) return output.Bytes();
  for (std::size_t other = 0; other < kDescription.messages.size(); ++other) {
    if (kDescription.messages[other].port != Port::Config || !model->is_configured[other]) continue;
    output.Begin().Copy(model->inputs[other]);  // the same data, in bytes of our own
    return output.Bytes();
  }
  model->Wish(message);
  return output.Bytes();
}

void Instance::ExitInitialization() {
  Require(mode == Mode::Initialization, "ExitInitializationMode");
  for (std::size_t i = 0; i < kDescription.messages.size(); ++i) {
    if (kDescription.messages[i].port == Port::ConfigRequest) GetMessage(i);
  }
  model->Initialize(start);
  // From now on these may be gone.
  for (std::size_t i = 0; i < kDescription.messages.size(); ++i) {
    const Port port = kDescription.messages[i].port;
    if (port == Port::Config || port == Port::GroundTruth) model->inputs[i] = {};
  }
  mode = Mode::Step;
}

void Instance::DoStep(double time, double step) {
  Require(mode == Mode::Step, "DoStep");
  model->Step(time, step);
  for (std::size_t i = 0; i < kDescription.messages.size(); ++i) {  // inputs are good for one step
    if (kDescription.messages[i].port == Port::Input) model->inputs[i] = {};
  }
}

}  // namespace osmp_fmu
