// The part of Slave that exchanges initial values (IInitialValues).

#include <algorithm>
#include <mutex>

#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "fmi-bridge/dcp/master/component/SlaveItems.hpp"

namespace openmi::dcp {

void Slave::EnterInitialization() {
  if (is_started_) End();
  ReachPrepared();
  for (const auto& data : direct_out_) data->to->ReachPrepared();
  const std::lock_guard lock(session_guard_);
  session_->Connect();
  is_connected_ = true;
}

void Slave::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  for (const NumericPort& port : numeric_ports_) {
    if (port.input == nullptr || port.input->IdText() != input) continue;
    TypedValue& value = session_->Values().At(port.variable);
    if (!IsFloat(value.Type())) RequireWhole(Caption(), VariableAt(port.variable), row);
    value.SetNumbers(row);
    is_initialized_ = false;
  }
}

void Slave::SetInitialValues(std::string_view input, std::span<const Value> values) {
  for (const ValuePort& port : value_ports_) {
    if (port.input == nullptr || port.input->IdText() != input) continue;
    SetFromValue(Caption(), VariableAt(port.variable), values[0], session_->Values().At(port.variable));
    is_initialized_ = false;
  }
}

void Slave::ShowInitialOutputs() {
  InitializeSlave();
  for (const NumericPort& port : numeric_ports_) {
    if (port.output == nullptr) continue;
    port.output->Reset();
    session_->Values().At(port.variable).Numbers(port.output->NextRow());
    port.output->PublishAt(StartTime(), Days{});
  }
  for (const ValuePort& port : value_ports_) {
    if (port.output == nullptr) continue;
    port.output->Set(0, ValueOf(session_->Values().At(port.variable)));
    port.output->ShowAt(StartTime());
  }
}

void Slave::InitializeSlave() {
  if (is_initialized_) return;
  const std::lock_guard lock(session_guard_);
  session_->Initialize();
  is_initialized_ = true;
  if (exchanges_ == nullptr) return;
  exchanges_->Write(VariableKind::Input, 0.0);
  exchanges_->Write(VariableKind::Output, 0.0);
}

}  // namespace openmi::dcp
