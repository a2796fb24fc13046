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
/// Its outputs, inputs and settings are those of the modelDescription.xml that the argument `description` names:
/// outputs are members of messages by that name (or the one that the arguments `fields` and `publish` map to it),
/// inputs are published, parameters set the argument of their name. Beside the arguments of a stream there are the
/// parameters of the RabbitMQ FMU (`config.hostname`, ...), which set those. A description of another RabbitMQ FMU
/// serves as well.
///
/// As that FMU does, it says "ready" before it waits for the first message, publishes at the begin of each step, with
/// the stamp of the machine's clock, also where no input changed.
class RabbitMqFmu final : public Stream {
 public:
  RabbitMqFmu();

  /// What the description says.
  outward::FmuForm Form() override;

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
  /// What a parameter that does nothing here is set to, where that is another value than usual; empty: it is not.
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
