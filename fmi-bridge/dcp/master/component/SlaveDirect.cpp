// The part of Slave that handles data which slaves exchange without the master in between.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "fmi-bridge/dcp/master/component/HeartbeatSender.hpp"
#include "fmi-bridge/dcp/master/component/Slave.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {

void Slave::FindNeighbours() {
  for (Slave* other : SlaveRegister::Others(*this)) {
    // a slave with a session is no longer configured
    if (other->description_ == nullptr || other->session_ != nullptr) continue;
    Connect(*this, *other);
    Connect(*other, *this);
  }
}

const Slave::NumericPort* Slave::PortOf(const NumericOutput* output) const {
  const auto found = std::ranges::find(numeric_ports_, output, &NumericPort::output);
  return output == nullptr || found == numeric_ports_.end() ? nullptr : &*found;
}

bool Slave::MaySendTo(const Slave& receiver, const SessionOptions& mine, const SessionOptions& theirs) const {
  if (!receiver.direct_.Value() || mine.mode != theirs.mode || mine.is_lock_step || theirs.is_lock_step) return false;
  if (!description_->transports.Of(theirs.data)) return false;
  if (IsOnLoopback(theirs.slave.address) && !IsOnLoopback(mine.slave.address)) return false;
  if (mine.mode != OpMode::NRT) return true;
  // The receiver uses the last data that arrived. They belong to the end of its step where both steps end together.
  // Another consumer with another time step would make the sender run ahead of the receiver.
  for (const Slave* other : SlaveRegister::Others(receiver)) {
    const bool takes = std::ranges::any_of(other->numeric_ports_, [&](const NumericPort& port) {
      return port.input != nullptr && PortOf(DirectSourceOf(*port.input)) != nullptr;
    });
    if (takes && ToSeconds(other->TimeStep()) != ToSeconds(receiver.TimeStep())) return false;
  }
  const double ratio = ToSeconds(receiver.TimeStep()) / ToSeconds(TimeStep());
  return std::abs(ratio - std::round(ratio)) < 1e-9 * ratio && ratio > 0.5;
}

void Slave::Connect(Slave& from, Slave& to) {
  if (!to.direct_.Value()) return;
  const auto is_between = [&](const std::shared_ptr<DirectData>& one) { return one->to == &to; };
  if (std::ranges::any_of(from.direct_out_, is_between)) return;
  auto data = std::make_shared<DirectData>();
  data->from = &from;
  data->to = &to;
  std::size_t bytes = kDataHead;
  std::size_t count = 0;
  SlaveValues mine(*from.description_), theirs(*to.description_);  // for the sizes of arrays
  bool is_sized = false;
  for (const NumericPort& port : to.numeric_ports_) {
    if (port.input == nullptr || to.VariableAt(port.variable).kind != VariableKind::Input) continue;
    const NumericPort* sent = from.PortOf(DirectSourceOf(*port.input));
    if (sent == nullptr) continue;
    if (!std::exchange(is_sized, true)) {
      if (!from.MaySendTo(to, from.Options(), to.Options())) return;
      static_cast<void>(from.arguments_.Apply(*from.description_, mine));
      static_cast<void>(to.arguments_.Apply(*to.description_, theirs));
    }
    const Variable& output = from.VariableAt(sent->variable);
    const TypedValue& value = mine.At(sent->variable);
    const bool is_in_step = output.steps.Allows(from.Options().steps) || from.op_mode_ == OpMode::NRT;
    const std::size_t most = std::min(from.description_->transports.Of(to.Options().data)->max_pdu_size,
                                      to.description_->transports.Of(to.Options().data)->max_pdu_size);
    const bool fits = value.Elements() == theirs.At(port.variable).Elements() && bytes + value.EncodedSize() <= most;
    if (output.is_constant || !is_in_step || !fits || !CanConvert(output.Type(), to.VariableAt(port.variable).Type()))
      continue;
    data->outputs.push_back(sent->variable);
    data->inputs.push_back(port.variable);
    data->sent_as.push_back(output.Type());
    bytes += value.EncodedSize();
    count += value.Elements();
  }
  if (data->outputs.empty()) return;
  data->id = SlaveRegister::NextDataId();
  data->values.assign(count, 0.0);
  from.direct_out_.push_back(data);
  to.direct_in_.push_back(data);
}

bool Slave::ComesDirectly(Index input) const {
  return std::ranges::any_of(
      direct_in_, [input](const auto& data) { return std::ranges::find(data->inputs, input) != data->inputs.end(); });
}

void Slave::ReachPrepared() {
  if (is_prepared_) return;
  MakeSession();
  for (const auto& data : direct_in_) {
    data->from->MakeSession();
    session_->ReceiveDirectly(data->id, data->inputs, data->sent_as);
    Log(fmt::format("data {} come from '{}' directly", data->id, data->from->Caption()));
  }
  for (const auto& data : direct_out_) {
    data->to->MakeSession();
    session_->SendDirectly(data->id, data->outputs, data->to->session_->DataPlace());
  }
  is_prepared_ = true;
  session_->Register();
  session_->Prepare();
  if (!description_->heartbeat) return;
  HeartbeatSender::Join(this, session_->PollInterval(), [this] {
    const std::unique_lock lock(session_guard_, std::try_to_lock);
    if (lock.owns_lock()) session_->Beat();  // else a step is under way, which requests the state
  });
}

// Checks before a step that the receivers have taken what they were sent. Otherwise they would step with values of a
// later time.
void Slave::RequireReceiversAt(Stamp to) const {
  if (op_mode_ != OpMode::NRT) return;
  for (const auto& data : direct_out_) {
    const std::lock_guard lock(data->guard);
    if (data->is_over || !Before(data->to->NextTime(), to)) continue;
    throw ModelError(
        {.file = path_.string(), .component = Caption()},
        fmt::format("expected '{}', which gets data of this slave directly, to step before this one goes "
                    "on, found that something else asks for more of it",
                    data->to->Caption()),
        fmt::format("set direct=false at '{}', or let all that ask keep the same pace", data->to->Caption()));
  }
}

void Slave::NoteSent() {
  for (const auto& data : direct_out_) {
    const std::lock_guard lock(data->guard);
    data->has_begun = true;
    std::span<double> rest(data->values);
    for (const Index output : data->outputs) {
      const TypedValue& value = session_->Values().At(output);
      value.Numbers(rest.first(value.Elements()));
      rest = rest.subspan(value.Elements());
    }
  }
}

// Checks that the values of the composition are those that the slave received: an override, for example, does not reach
// the slave.
void Slave::CompareReceived() {
  bool comes_from_here = false;
  for (const auto& data : direct_in_) {
    const std::lock_guard lock(data->guard);
    const bool is_nrt = op_mode_ == OpMode::NRT;
    comes_from_here = comes_from_here || data->is_over || (is_nrt && !data->has_begun);
    if (data->is_over || !data->has_begun || !is_nrt) continue;  // in real time each slave follows its own clock
    std::span<const double> rest(data->values);
    for (const Index input : data->inputs) {
      const auto port = std::ranges::find(numeric_ports_, input, &NumericPort::variable);
      const std::span<const double> row = port->input->Row();
      const std::span<const double> sent = rest.first(row.size());
      rest = rest.subspan(row.size());
      if (std::memcmp(row.data(), sent.data(), row.size_bytes()) == 0) continue;
      throw ModelError({.file = path_.string(), .component = Caption(), .item = VariableAt(input).name},
                       fmt::format("expected the value that '{}' has sent it directly, found another on the link",
                                   data->from->Caption()),
                       "set direct=false: overrides, extrapolated loops and other times need the master in between");
    }
  }
  session_->SetTakeOver(comes_from_here);
}

void Slave::LeaveNeighbours() {
  const auto leave = [](const auto& all) {
    for (const auto& data : all) {
      const std::lock_guard lock(data->guard);
      data->is_over = true;
    }
  };
  leave(direct_in_);
  leave(direct_out_);
  // The other end keeps the object, so that it finds that this end is gone.
  direct_in_.clear();
  direct_out_.clear();
  is_prepared_ = is_connected_ = is_initialized_ = false;
}

}  // namespace openmi::dcp
