#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fmi-bridge/broker/component/Stream.hpp"
#include "fmi-bridge/broker/fmu/FmuParameters.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::broker {

/// The stream inside a RabbitMQ FMU: `openmi.broker.RabbitMqFmu` of the assembly `openmi-broker-bridge`.
///
/// Its outputs, inputs and settings are those of the modelDescription.xml that the argument `description` names. An
/// output is the member of messages with its name, or the member that the arguments `fields` and `publish` map to it.
/// Inputs are published. Parameters set the argument of their name. In addition to the arguments of a stream there are
/// the parameters of the RabbitMQ FMU (`config.hostname`, ...), which set those arguments. The description may be that
/// of another RabbitMQ FMU.
///
/// As that FMU does, it publishes "ready" before it waits for the first message. It publishes at the start of each
/// step, with the stamp of the machine's clock, even where no input changed.
class RabbitMqFmu final : public Stream {
 public:
  RabbitMqFmu();

  /// The form that the description states.
  exported::FmuForm Form() override;

 protected:
  void Setup() override;
  std::vector<Field> Fields() const override { return outputs_; }
  std::vector<Field> Published() const override { return inputs_; }
  bool OnValidate(std::vector<std::string>& messages) override;
  bool MaySend() override { return !has_gate_ || gate_.Get() != 0.0; }

 private:
  void ReadDescription();
  void TakeVariable(const fmi::Variable& variable);
  void TakeParameter(const fmi::Variable& variable);
  void TranslateParameters();
  /// The value of a parameter that has no effect here, where it is not the usual one; empty where it is.
  std::string IdleValueOf(const FmuParameter& known);
  /// The value that a parameter has in the description; empty: none.
  std::string DescribedValueOf(std::string_view parameter) const;

  Argument<std::string> description_path_;
  fmi::ModelDescription description_;
  std::vector<Field> outputs_;
  std::vector<Field> inputs_;
  bool has_gate_ = false;
  ScalarInput gate_;
};

}  // namespace openmi::broker
