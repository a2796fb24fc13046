// What a component does with its FMU step by step, and the states it keeps.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "composition/run/LinkEnd.hpp"
#include "composition/run/SuppliedOutput.hpp"
#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/ChildTrial.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi::fmi {
namespace {

constexpr double kTicksPerDay = 86400e9;
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// Other providers have nothing before they step; what is supplied is there, and initial outputs may depend on it.
void Fmu::TakeSuppliedInputs() {
  for (const auto& [item, variable] : numeric_inputs_) {
    const auto* end = dynamic_cast<const LinkEnd*>(item->Provider());
    if (end == nullptr || dynamic_cast<const SuppliedOutput*>(&end->Source()) == nullptr) continue;
    try {
      item->Pull(StartTime(), StartTime());
    } catch (const Error&) {
      continue;  // nothing was supplied so early
    }
    const std::span<const double> row = item->Row();
    if (std::ranges::any_of(row, [](double value) { return std::isnan(value); })) continue;
    ValueBatch batch(*instance_, variable->type);
    batch.Add(variable->value_reference, row.size());
    batch.SetNumbers(0, row);
    batch.Set(*instance_);
  }
}

// What linked inputs are in the step; sets them where they hold for all of it.
void Fmu::TakeInputs(Stamp from, double step) {
  for (InputPort& port : inputs_) {
    std::span<const double> row = port.item->Row();
    if (first_step_ && mode_ != InputsAt::End) {
      const std::vector<double> end(row.begin(), row.end());
      try {
        port.item->Pull(from, from);
        std::ranges::copy(port.item->Row(), port.before.begin());
      } catch (const Error&) {  // the provider begins with its first step
        port.before = end;
      }
      port.item->Pull(from, NextTime());
      row = port.item->Row();
    }
    ValueBatch& batch = (port.continuous ? continuous_in_ : in_)[port.batch];
    const bool linear = mode_ == InputsAt::Linear && port.continuous;
    if (linear) {
      for (std::size_t i = 0; i < row.size(); ++i) port.slope[i] = (row[i] - port.before[i]) / step;
    }
    const bool from_begin =
        mode_ == InputsAt::Begin || (linear && (model_exchange_ != nullptr || !slopes_.empty() ||
                                                !instance_->Options().intermediate_variables.empty()));
    batch.SetNumbers(port.first, from_begin ? std::span<const double>(port.before) : row);
  }
  if (model_exchange_ != nullptr) {
    bool discrete_changed = false;
    for (const auto& port : value_inputs_) discrete_changed |= port->input->Provider() != nullptr;
    discrete_changed |= !in_.empty();
    if (mode_ != InputsAt::Linear && !continuous_in_.empty()) model_exchange_->InputsJumped();
    if (discrete_changed && model_exchange_->HandleEvent()) ended_ = true;
    return;
  }
  for (const ValueBatch& batch : continuous_in_) batch.Set(*instance_);
  for (const ValueBatch& batch : in_) batch.Set(*instance_);
  if (!slopes_.empty()) {
    for (const InputPort& port : inputs_) {
      if (port.slope_index >= 0) slopes_[static_cast<std::size_t>(port.slope_index)] = port.slope[0];
    }
    instance_->SetInputDerivatives(slope_references_, slope_orders_, slopes_);
  }
}

// Continuous inputs at a time within the step.
void Fmu::SetNumbersAt(double time) {
  for (InputPort& port : inputs_) {
    if (!port.continuous || mode_ != InputsAt::Linear) continue;
    ValueBatch& batch = continuous_in_[port.batch];
    for (std::size_t i = 0; i < port.before.size(); ++i) {
      batch.SetNumber(port.first + i, port.before[i] + port.slope[i] * (time - from_));
    }
  }
  for (const ValueBatch& batch : continuous_in_) batch.Set(*instance_);
}

void Fmu::SetValues(ValuePort& port) {
  const Variable& variable = *port.variable;
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
  for (std::size_t i = 0; i < port.texts.size(); ++i) {
    const Value value = port.input->Get(i);
    if (const auto* text = value.As<std::string>()) {
      port.texts[i] = *text;
    } else if (const auto* bytes = value.As<Bytes>()) {
      port.texts[i].assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    } else if (const auto number = value.Number()) {
      port.texts[i] = fmt::format("{}", *number);
    } else {
      return;  // missing: what was before holds
    }
  }
  if (variable.type == VariableType::String) {
    instance_->SetTexts(reference, port.texts);
  } else if (variable.type == VariableType::Binary) {
    instance_->SetBinaries(reference, port.texts);
  } else {
    const auto index = static_cast<Index>(&variable - description_->variables.data());
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      port.batch.SetInteger(i, ReadStartValue(*description_, index, port.texts[i], 1).integers[0]);
    }
    port.batch.Set(*instance_);
  }
}

inline void Fmu::ShowOutputs(std::vector<ValueBatch>& batches, const std::vector<OutputPort>& ports) {
  for (const OutputPort& port : ports) {
    const std::span<double> row = port.item->NextRow();
    if (port.only != nullptr) {
      row[0] = *port.only;
    } else {
      batches[port.batch].Numbers(port.first, row);
    }
  }
}

void Fmu::GetOutputs() {
  for (ValueBatch& batch : out_) batch.Get(*instance_);
  ShowOutputs(out_, outputs_);
  if (!clocked_outputs_.empty()) [[unlikely]]
    ShowOutputs(clocked_out_, clocked_outputs_);
}

// Nothing is known any more.
[[gnu::noinline]] void Fmu::ShowMissing() {
  for (const OutputPort& port : outputs_) std::ranges::fill(port.item->NextRow(), kMissing);
  for (const OutputPort& port : clocked_outputs_) std::ranges::fill(port.item->NextRow(), kMissing);
}

// Whole steps are counted, so that neither anything adds up nor anything is divided. Where one begins another has
// ended.
inline void Fmu::FindStep(Stamp to) {
  if (Ticks() != next_ticks_ || to != WholeStepEnd()) [[unlikely]]
    return FindOtherStep(to);
  from_ = until_;
  ++next_number_;
  next_ticks_ += step_ticks_;
  until_ = begin_ + static_cast<double>(next_number_) * step_;
  length_ = step_;
}

[[gnu::noinline]] void Fmu::FindOtherStep(Stamp to) {
  const std::int64_t ticks = Ticks();
  const bool whole = to == WholeStepEnd();
  from_ = FmuTime(ticks);
  until_ = whole ? FmuTime(ticks + step_ticks_)
                 : begin_ + std::round((to - StartTime()).count * kTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;
  const bool is_on_grid = whole && ticks % step_ticks_ == 0;
  length_ = is_on_grid ? step_ : until_ - from_;
  next_ticks_ = is_on_grid ? ticks + step_ticks_ : -1;
  next_number_ = is_on_grid ? next_ticks_ / step_ticks_ : -1;
}

void Fmu::GetValues(ValuePort& port) {
  const Variable& variable = *port.variable;
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
  if (variable.type == VariableType::String) {
    instance_->GetTexts(reference, port.texts);
    for (std::size_t i = 0; i < port.texts.size(); ++i) port.output->Set(i, Value(port.texts[i]));
  } else if (variable.type == VariableType::Binary) {
    instance_->GetBinaries(reference, port.texts);
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      port.output->KeepBytes(i, std::as_bytes(std::span(port.texts[i])));
    }
  } else {
    port.batch.Get(*instance_);
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      const std::int64_t value = port.batch.Integer(i);
      port.output->Set(i, Value(variable.type == VariableType::Boolean ? std::string(value != 0 ? "true" : "false")
                                                                       : ItemName(*description_, variable, value)));
    }
  }
}

void Fmu::PublishValues(Stamp time) {
  for (const auto& port : value_outputs_) {
    if (!ended_) GetValues(*port);
    port->output->Publish(time);
  }
}

// Texts and categories that are linked.
[[gnu::noinline]] void Fmu::TakeValues(Stamp to) {
  for (const auto& port : value_inputs_) {
    if (port->input->Provider() == nullptr) continue;
    port->input->Pull(to);
    if (model_exchange_ == nullptr) SetValues(*port);
  }
}

void Fmu::Step(Stamp from, Stamp to) {
  if (ended_) [[unlikely]]
    return ShowMissing();
  FindStep(to);
  if (!value_inputs_.empty()) TakeValues(to);
  if (takes_inputs_) {
    if (are_inputs_plain_) {
      for (const InputPort& port : inputs_) *port.only = port.item->Row()[0];
      for (const ValueBatch& batch : continuous_in_) batch.Set(*instance_);
      for (const ValueBatch& batch : in_) batch.Set(*instance_);
    } else {
      TakeInputs(from, length_);
    }
  }
  if (layer_ != nullptr) layer_->SetInputs(*instance_, to);
  const Reached reached = co_simulation_ != nullptr ? co_simulation_->Advance(from_, until_, length_)
                                                    : stepper_->Advance(from_, until_, length_);
  GetOutputs();
  if (mode_ != InputsAt::End) {
    for (InputPort& port : inputs_) std::ranges::copy(port.item->Row(), port.before.begin());
  }
  first_step_ = false;
  if (!value_outputs_.empty()) PublishValues(to);
  if (layer_ != nullptr) layer_->GetOutputs(*instance_, to);
  if (reached.ended) [[unlikely]] {
    ended_ = true;
    if (reached.time < until_ - 1e-9 * std::max(1.0, std::abs(until_))) {
      for (const OutputPort& port : outputs_) std::ranges::fill(port.item->NextRow(), kMissing);
    }
  }
}

void Fmu::End() {
  if (instance_ != nullptr && state_ != nullptr && !instance_->IsFatal()) {
    try {
      instance_->FreeState(state_);
    } catch (const std::exception&) {  // it goes with the instance
    }
  }
  state_ = nullptr;
  if (layer_ != nullptr) layer_->End();
  stepper_.reset();
  co_simulation_ = nullptr;
  model_exchange_ = nullptr;
  instance_.reset();
  log_.reset();
}

void Fmu::SaveState(StateWriter& writer) const {
  if (instance_ == nullptr || !instance_->Offers().can_serialize_state) {
    throw StateError({.file = path_.string(), .component = Caption()},
                     "expected an FMU whose state can be kept as bytes, found one that cannot",
                     "use one that says canSerializeFMUState");
  }
  auto& self = const_cast<Fmu&>(*this);  // the memory of the handle, and the solver, which begins anew here
  self.state_ = instance_->GetState(state_);
  writer.Write(description_->token);
  writer.Write(description_->version_text);
  writer.Write(NumberOfThisProcess());
  writer.Write(std::span<const std::byte>(instance_->Serialize(state_)));
  writer.Write(ended_);
  writer.Write(first_step_);
  writer.Write(static_cast<std::int64_t>(instance_->CurrentMode()));
  writer.Write(begin_);
  writer.Write(StartTime().mjd);
  stepper_->Save(writer);
  writer.Write(static_cast<std::int64_t>(inputs_.size()));
  for (const InputPort& port : inputs_) writer.Write(port.before);
  if (layer_ != nullptr) layer_->Save(writer);
}

void Fmu::SetFmuState(std::span<const std::byte> bytes, Instance::Mode mode) {
  void* state = instance_->Deserialize(bytes);
  instance_->SetState(state, mode);
  instance_->FreeState(state);
}

// What native code makes of bytes that it did not write itself, nobody knows.
void Fmu::TryState(std::span<const std::byte> bytes, Instance::Mode mode) {
  constexpr std::chrono::seconds kMost{30};
  const ChildTrial trial = TryInChild(
      [&] {
        instance_->Silence();
        SetFmuState(bytes, mode);
        for (ValueBatch& batch : out_) batch.Get(*instance_);
      },
      kMost);
  if (trial.good) return;
  throw StateError({.file = path_.string(), .component = Caption()},
                   fmt::format("expected a state that the FMU takes in a child process, found {}", trial.found),
                   "restore a state that this very FMU wrote; try-states = false gives it to the FMU untried");
}

void Fmu::LoadState(StateReader& reader) {
  const auto refuse = [this](const std::string& expected, const std::string& found) {
    throw FormatError({.file = path_.string(), .component = Caption()},
                      fmt::format("expected a state of {}, found one of {}", expected, found),
                      "restore it with the FMU and the links that it was kept with");
  };
  if (const std::string token = reader.ReadText(); token != description_->token) refuse(description_->token, token);
  if (const std::string version = reader.ReadText(); version != description_->version_text) {
    refuse("FMI " + description_->version_text, "FMI " + version);
  }
  const bool is_own = reader.ReadInteger() == NumberOfThisProcess();
  const std::span<const std::byte> bytes = reader.ReadBytes();
  const bool ended = reader.ReadBool();
  const bool first_step = reader.ReadBool();
  const std::int64_t mode = reader.ReadInteger();
  if (mode < 0 || mode > static_cast<std::int64_t>(Instance::Mode::Failed))
    refuse("a known mode", std::to_string(mode));
  if (!is_own && try_states_.Value()) TryState(bytes, static_cast<Instance::Mode>(mode));
  const double begin = reader.ReadDouble();
  const double start = reader.ReadDouble();
  begin_ = begin;
  if (start != StartTime().mjd) {  // the run began at another time than the one that kept the state
    begin_ += std::round((StartTime().mjd - start) * kTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;
  }
  stepper_->Load(reader);
  const std::int64_t count = reader.ReadInteger();
  if (count != static_cast<std::int64_t>(inputs_.size())) {
    refuse(fmt::format("{} linked inputs", inputs_.size()), std::to_string(count));
  }
  for (InputPort& port : inputs_) reader.ReadDoubles(port.before);
  if (layer_ != nullptr) layer_->Load(reader);
  SetFmuState(bytes, static_cast<Instance::Mode>(mode));
  ended_ = ended;
  first_step_ = first_step;
  next_ticks_ = -1;  // begin_ may be another
}

}  // namespace openmi::fmi
