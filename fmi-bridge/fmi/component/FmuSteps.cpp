// The part of Fmu for initialization mode, steps and states.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "fmi-bridge/fmi/component/Fmu.hpp"
#include "fmi-bridge/fmi/component/FmuItems.hpp"
#include "fmi-bridge/fmi/run/ChildTrial.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/Iso8601.hpp"

namespace openmi::fmi {
namespace {

constexpr double kStepTicksPerDay = 86400e9;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

// The values of a source as texts.
// \returns false if a value is missing: the previous values stay
template <class ValueAt>
bool Fmu::FillTexts(ValuePort& port, ValueAt&& value_at) {
  for (std::size_t i = 0; i < port.texts.size(); ++i) {
    const Value value = value_at(i);
    if (const auto* text = value.As<std::string>()) {
      port.texts[i] = *text;
    } else if (const auto* bytes = value.As<Bytes>()) {
      port.texts[i].assign(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    } else if (const auto number = value.Number()) {
      port.texts[i] = fmt::format("{}", *number);
    } else {
      return false;
    }
  }
  port.known = true;
  return true;
}

void Fmu::RequireInitialization() {
  if (instance_->CurrentMode() == Instance::Mode::Initialization) return;
  const auto numbers = initial_numbers_;
  const auto values = initial_values_;
  EnterInitialization();
  for (const auto& [input, row] : numbers) SetInitialNumbers(input, row);
  for (const auto& [input, row] : values) SetInitialValues(input, row);
}

void Fmu::EndInitialization() {
  if (instance_->CurrentMode() != Instance::Mode::Initialization) return;
  // Before their first tick, variables of clocks are readable here only.
  for (ValueBatch& batch : clocked_out_) batch.Get(*instance_);
  for (const auto& port : value_outputs_) {
    if (!port->variable->clocks.empty()) GetValues(*port);
  }
  const bool has_mode = description_->version != FmiMajor::Fmi1;
  if (has_mode) KeepStartsOfInputs();
  instance_->ExitInitialization();
  if (!has_mode) KeepStartsOfInputs();
  if (layer_ != nullptr) layer_->Initialized();
}

// Keeps the values that the FMU has while its linked inputs have none.
void Fmu::KeepStartsOfInputs() {
  if (missing_.ItsManner() != MissingInputs::Manner::Hold) return;
  for (InputPort& port : inputs_) {
    ValueBatch batch(*instance_, port.variable->type);
    port.held.resize(port.item->ElementCount());
    batch.Add(port.variable->value_reference, port.held.size());
    batch.Get(*instance_);
    batch.Numbers(0, port.held);
  }
}

void Fmu::SetInitialNumbers(std::string_view input, std::span<const double> row) {
  const auto port = std::ranges::find(numeric_inputs_, input, [](const auto& one) { return one.first->IdText(); });
  if (port == numeric_inputs_.end() || !port->second->clocks.empty()) return;
  RequireInitialization();
  ValueBatch batch(*instance_, port->second->type);
  batch.Add(port->second->value_reference, row.size());
  batch.SetNumbers(0, row);
  batch.Set(*instance_);
  initial_numbers_.insert_or_assign(std::string(input), std::vector<double>(row.begin(), row.end()));
}

void Fmu::SetInitialValues(std::string_view input, std::span<const Value> values) {
  const auto port = std::ranges::find(value_inputs_, input, [](const auto& one) { return one->input->IdText(); });
  if (port == value_inputs_.end() || !(*port)->variable->clocks.empty()) return;
  RequireInitialization();
  if (FillTexts(**port, [values](std::size_t element) { return values[element]; })) SetValues(**port);
  initial_values_.insert_or_assign(std::string(input), std::vector<Value>(values.begin(), values.end()));
}

void Fmu::ShowInitialOutputs() {
  if (description_->version == FmiMajor::Fmi1) EndInitialization();
  for (ValueBatch& batch : out_) batch.Get(*instance_);
  for (const OutputPort& port : outputs_) port.item->Reset();
  ShowOutputs(out_, outputs_);
  for (const OutputPort& port : outputs_) port.item->PublishAt(StartTime(), Days{});
  for (const auto& port : value_outputs_) {
    if (!port->variable->clocks.empty()) continue;
    GetValues(*port);
    port->output->ShowAt(StartTime());
  }
}

ValueBatch& Fmu::BatchOf(const InputPort& port) {
  if (!port.variable->clocks.empty()) return clocked_in_[port.batch];
  return (port.in_update ? moving_in_ : port.continuous ? continuous_in_ : in_)[port.batch];
}

// The row of a linked input in the step, after missing values were handled.
std::span<const double> Fmu::RowOf(InputPort& port) {
  const std::span<const double> row = port.item->Row();
  const bool is_missing = MissingInputs::IsIn(row);
  if (is_missing) [[unlikely]]
    missing_.Note(port.item->IdText(), row, NextTime());
  if (port.held.empty()) return row;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) port.held[i] = row[i];
  }
  return port.held;
}

// Requests the values of linked inputs in the step; sets those that stay for the whole step.
void Fmu::TakeInputs(Stamp from, double step) {
  for (InputPort& port : inputs_) {
    std::span<const double> row = RowOf(port);
    if (first_step_ && mode_ != InputsAt::End) {
      const std::vector<double> end(row.begin(), row.end());
      port.before = end;
      try {
        port.item->Pull(from, from);
        const std::span<const double> begin = port.item->Row();
        if (!MissingInputs::IsIn(begin)) std::ranges::copy(begin, port.before.begin());
      } catch (const Error&) {  // the provider has no values before its first step
      }
      port.item->Pull(from, NextTime());
      row = port.held.empty() ? port.item->Row() : std::span<const double>(port.held);
    }
    const bool moves = mode_ == InputsAt::Linear && port.moves;
    if (moves) {
      for (std::size_t i = 0; i < row.size(); ++i) port.slope[i] = (row[i] - port.before[i]) / step;
    }
    BatchOf(port).SetNumbers(port.first,
                             moves || mode_ == InputsAt::Begin ? std::span<const double>(port.before) : row);
  }
  if (in_events_) return TakeInputsInEvents();
  for (const auto* batches : {&continuous_in_, &moving_in_, &in_}) {
    for (const ValueBatch& batch : *batches) batch.Set(*instance_);
  }
  if (slopes_.empty()) return;
  for (const InputPort& port : inputs_) {
    if (port.slope_index >= 0) slopes_[static_cast<std::size_t>(port.slope_index)] = port.slope[0];
  }
  if (!instance_->SetInputDerivatives(slope_references_, slope_orders_, slopes_)) GiveUpSlopes();
}

// The FMU declares derivatives of inputs, but refuses them: inputs get their values at the end of the step.
void Fmu::GiveUpSlopes() {
  constexpr const char* kProblem =
      "expected an FMU that takes derivatives of its inputs, as canInterpolateInputs says, found that it refuses them: "
      "inputs are held in each step at their values of its end";
  AddWarning(remarks_, {.item = "inputs"}, kProblem, "set inputs to end or begin");
  if (log_ != nullptr) log_->Write({Caption(), CallStatus::Warning, "openmi", kProblem});
  slopes_.clear();
  slope_references_.clear();
  slope_orders_.clear();
  for (InputPort& port : inputs_) {
    if (port.slope_index < 0) continue;
    port.slope_index = -1;
    port.moves = false;
    ValueBatch& batch = BatchOf(port);
    batch.SetNumbers(port.first, port.held.empty() ? port.item->Row() : std::span<const double>(port.held));
    batch.Set(*instance_);
  }
}

// Sets continuous inputs at once, and the others in event mode if one of them has changed or a clock has to tick.
void Fmu::TakeInputsInEvents() {
  if (model_exchange_ != nullptr) {
    if (mode_ != InputsAt::Linear && !continuous_in_.empty()) model_exchange_->InputsJumped();
  } else {
    for (const auto* batches : {&continuous_in_, &moving_in_}) {
      for (const ValueBatch& batch : *batches) batch.Set(*instance_);
    }
  }
  for (const ClockPort& port : clock_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    if (MissingInputs::IsIn(port.input->Row())) missing_.Note(port.input->IdText(), port.input->Row(), NextTime());
  }
  bool wanted = DiscreteInputsChanged();
  wanted |= AskClocks();
  for (int events = 0; wanted && !ended_; ++events) {
    constexpr int kMost = 1000;
    if (events > kMost) {
      throw ModelError({.component = Caption()},
                       fmt::format("expected clocks that are to tick {} times at most in a step, found more", kMost),
                       "link a number that counts ticks");
    }
    ended_ = stepper_->HandleEvent(from_);
    wanted = AskClocks();
  }
}

// Whether a discrete input differs from the value in the FMU; stores the values as set.
bool Fmu::DiscreteInputsChanged() {
  bool changed = false;
  for (std::size_t i = 0; i < in_.size(); ++i) {
    if (is_discrete_set_ && in_[i].SameAs(discrete_set_[i])) continue;
    discrete_set_[i].SetMemory(in_[i].Memory());
    changed = true;
  }
  for (const auto& port : value_inputs_) {
    if (port->input->Provider() == nullptr || !port->variable->clocks.empty() || !port->known) continue;
    if (is_discrete_set_ && port->texts == port->set_texts) continue;
    port->set_texts = port->texts;
    changed = true;
  }
  is_discrete_set_ = true;
  return changed;
}

// Makes those clocks tick, once each, whose number has grown beyond the ticks made.
// \returns whether there is one
bool Fmu::AskClocks() {
  bool any = false;
  for (ClockPort& port : clock_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    const double number = port.input->Row()[0];
    if (std::isnan(number) || std::round(number) <= static_cast<double>(port.ticks)) continue;
    ++port.ticks;
    stepper_->ItsClocks().Ask(port.clock);
    any = true;
  }
  return any;
}

void Fmu::SetDiscreteInputs(const Clocks& clocks) {
  for (const ValueBatch& batch : in_) batch.Set(*instance_);
  if (!clocked_in_.empty()) {
    for (const InputPort& port : inputs_) {
      if (port.variable->clocks.empty() || !clocks.IsActive(port.variable->clocks)) continue;
      clocked_in_[port.batch].Set(*instance_);
    }
  }
  for (const auto& port : value_inputs_) {
    if (port->known && clocks.IsActive(port->variable->clocks)) SetValues(*port);
  }
}

// Reads outputs of clocks that tick; the others keep their values.
void Fmu::GetClockedOutputs(const Clocks& clocks) {
  for (const OutputPort& port : clocked_outputs_) {
    if (clocks.IsActive(port.variable->clocks)) clocked_out_[port.batch].Get(*instance_);
  }
  for (const auto& port : value_outputs_) {
    if (!port->variable->clocks.empty() && clocks.IsActive(port->variable->clocks)) GetValues(*port);
  }
}

// Sets continuous inputs at a time within the step: all of them in model exchange, those of intermediate update in
// co-simulation.
void Fmu::SetNumbersAt(double time) {
  for (InputPort& port : inputs_) {
    if (mode_ != InputsAt::Linear || !port.moves || !(port.in_update || model_exchange_ != nullptr)) continue;
    ValueBatch& batch = BatchOf(port);
    for (std::size_t i = 0; i < port.before.size(); ++i) {
      batch.SetNumber(port.first + i, port.before[i] + port.slope[i] * (time - from_));
    }
  }
  for (const ValueBatch& batch : model_exchange_ != nullptr ? continuous_in_ : moving_in_) batch.Set(*instance_);
}

void Fmu::SetValues(ValuePort& port) {
  const Variable& variable = *port.variable;
  const std::span<const ValueReference> reference(&variable.value_reference, 1);
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
  if (!clocked_outputs_.empty()) [[unlikely]] {
    if (in_events_) {
      ShowOutputs(clocked_out_, clocked_outputs_);
    } else {  // no clock ticks
      for (const OutputPort& port : clocked_outputs_) std::ranges::fill(port.item->NextRow(), kNoNumber);
    }
  }
  for (const ClockPort& port : clock_ports_) {
    if (port.output == nullptr) continue;
    port.output->NextRow()[0] = static_cast<double>(stepper_->ItsClocks().TicksOf(port.clock));
  }
}

// Marks all values as missing.
[[gnu::noinline]] void Fmu::ShowMissing() {
  for (const OutputPort& port : outputs_) std::ranges::fill(port.item->NextRow(), kNoNumber);
  for (const OutputPort& port : clocked_outputs_) std::ranges::fill(port.item->NextRow(), kNoNumber);
  for (const ClockPort& port : clock_ports_) {
    if (port.output != nullptr) port.output->NextRow()[0] = kNoNumber;
  }
}

// Counts whole steps, so that no rounding errors come from sums or divisions. A step starts where another one ended.
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
                 : begin_ + std::round((to - StartTime()).count * kStepTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;
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
    if (!port.with) port.batch.Get(*instance_);
    const ValueBatch& batch = port.with ? out_[*port.with] : port.batch;
    for (std::size_t i = 0; i < port.texts.size(); ++i) {
      const std::int64_t value = batch.Integer(port.first + i);
      port.output->Set(i, Value(variable.type == VariableType::Boolean ? std::string(value != 0 ? "true" : "false")
                                                                       : ItemName(*description_, variable, value)));
    }
  }
}

void Fmu::PublishValues(Stamp time) {
  for (const auto& port : value_outputs_) {
    if (!ended_ && port->variable->clocks.empty()) GetValues(*port);
    port->output->Publish(time);
  }
}

// Requests the values of linked texts and categories.
[[gnu::noinline]] void Fmu::TakeValues(Stamp to) {
  for (const auto& port : value_inputs_) {
    if (port->input->Provider() == nullptr) continue;
    port->input->Pull(to);
    const auto shown = [&port](std::size_t element) { return port->input->Get(element); };
    if (FillTexts(*port, shown) && !in_events_ && port->variable->clocks.empty()) SetValues(*port);
  }
}

void Fmu::Step(Stamp from, Stamp to) {
  if (ended_) [[unlikely]] {
    if (!missing_since_) missing_since_ = from;
    return ShowMissing();
  }
  FindStep(to);
  if (!kept_states_.empty() || knows_states_) [[unlikely]]
    ReportKeptStates();
  if (!value_inputs_.empty()) TakeValues(to);
  if (takes_inputs_) {
    if (are_inputs_plain_) {
      for (const InputPort& port : inputs_) {
        const double value = port.item->Row()[0];
        if (std::isnan(value)) [[unlikely]]
          missing_.Note(port.item->IdText(), port.item->Row(), to);
        *port.only = value;
      }
      for (const ValueBatch& batch : continuous_in_) batch.Set(*instance_);
      for (const ValueBatch& batch : moving_in_) batch.Set(*instance_);
      for (const ValueBatch& batch : in_) batch.Set(*instance_);
    } else {
      TakeInputs(from, length_);
      if (ended_) [[unlikely]] {  // ended by an event at the start of the step
        ShowMissing();
        return PublishValues(to);
      }
    }
  }
  if (layer_ != nullptr) layer_->SetInputs(*instance_, to);
  const Reached reached = co_simulation_ != nullptr ? co_simulation_->Advance(from_, until_, length_)
                                                    : stepper_->Advance(from_, until_, length_);
  GetOutputs();
  if (mode_ != InputsAt::End) {
    for (InputPort& port : inputs_) {
      std::ranges::copy(port.held.empty() ? port.item->Row() : std::span<const double>(port.held), port.before.begin());
    }
  }
  first_step_ = false;
  if (!value_outputs_.empty()) PublishValues(to);
  if (layer_ != nullptr) layer_->GetOutputs(*instance_, to);
  if (reached.ended) [[unlikely]] {
    ended_ = true;
    if (reached.time < until_ - 1e-9 * std::max(1.0, std::abs(until_))) {
      ShowMissing();
    }
  }
}

[[gnu::noinline]] void Fmu::ReportKeptStates() {
  double earliest = std::numeric_limits<double>::infinity();
  for (const auto& [id, time] : kept_states_) earliest = std::min(earliest, time);
  stepper_->SetEarliestState(earliest);
  knows_states_ = !kept_states_.empty();
}

const IIdentifiable& Fmu::KeepCurrentState() {
  const IIdentifiable& id = StatefulSteppingComponent::KeepCurrentState();
  kept_states_[std::string(id.Id())] = FmuTime(Ticks());
  return id;
}

// The time of a state from bytes is unknown until it is restored.
const IIdentifiable& Fmu::ConvertFromByteArray(std::span<const std::byte> bytes) {
  const IIdentifiable& id = StatefulSteppingComponent::ConvertFromByteArray(bytes);
  kept_states_[std::string(id.Id())] = -std::numeric_limits<double>::infinity();
  return id;
}

void Fmu::ClearState(const IIdentifiable& state_id) {
  const std::string id(state_id.Id());
  StatefulSteppingComponent::ClearState(state_id);
  kept_states_.erase(id);
}

Problems Fmu::Remarks() const {
  Problems remarks = remarks_;
  missing_.AddRemarks(remarks);
  if (missing_since_) {
    AddWarning(remarks, {},
               fmt::format("expected an FMU that goes on until the end of the run, found that it ended the simulation "
                           "at {}: its outputs are missing from then on",
                           FormatIsoTime(missing_since_->mjd)),
               "end the run there, or look at what ends the FMU");
  }
  const auto is_all_missing = [](const NumericOutput* output) {
    const std::span<const double> row = output->LastRow();
    return !row.empty() && std::ranges::all_of(row, [](double value) { return std::isnan(value); });
  };
  if (!ended_ && !NumericOutputs().empty() && std::ranges::all_of(NumericOutputs(), is_all_missing)) {
    AddWarning(remarks, {},
               fmt::format("expected an FMU that gives values until the end of the run, found none in any of its {} "
                           "numeric outputs at its last step",
                           NumericOutputs().size()),
               "take a smaller step, or look at its parameters and inputs");
  }
  return remarks;
}

void Fmu::End() {
  if (instance_ != nullptr && state_ != nullptr && !instance_->IsFatal()) {
    try {
      instance_->FreeState(state_);
    } catch (const std::exception&) {  // the state is freed with the instance
    }
  }
  state_ = nullptr;
  if (layer_ != nullptr) layer_->End();
  stepper_.reset();
  co_simulation_ = nullptr;
  model_exchange_ = nullptr;
  instance_.reset();
  log_.reset();
  is_entered_ = false;
  initial_numbers_.clear();
  initial_values_.clear();
}

void Fmu::SaveState(StateWriter& writer) const {
  if (instance_ == nullptr || !instance_->Offers().can_serialize_state) {
    throw StateError({.file = path_.string(), .component = Caption()},
                     "expected an FMU whose state can be kept as bytes, found one that cannot",
                     "use one that says canSerializeFMUState");
  }
  auto& self = const_cast<Fmu&>(*this);  // changes the memory of the handle and restarts the solver
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
  SaveEvents(writer);
  for (const auto& port : value_outputs_) port->output->SaveRows(writer);
  if (layer_ != nullptr) layer_->Save(writer);
}

// Writes what was set and read at events and stays valid until the next one.
void Fmu::SaveEvents(StateWriter& writer) const {
  writer.Write(is_discrete_set_);
  for (const auto* batches : {&discrete_set_, &clocked_out_}) {
    for (const ValueBatch& batch : *batches) writer.Write(batch.Memory());
  }
  for (const auto& port : value_inputs_) {
    writer.Write(static_cast<std::int64_t>(port->set_texts.size()));
    for (const std::string& text : port->set_texts) writer.Write(text);
  }
  for (const ClockPort& port : clock_ports_) writer.Write(port.ticks);
  for (const InputPort& port : inputs_) writer.Write(port.held);
}

void Fmu::LoadEvents(StateReader& reader) {
  is_discrete_set_ = reader.ReadBool();
  for (auto* batches : {&discrete_set_, &clocked_out_}) {
    for (ValueBatch& batch : *batches) {
      const std::span<const std::byte> bytes = reader.ReadBytes();
      if (bytes.size() != batch.Memory().size()) {
        throw FormatError(
            {.file = path_.string(), .component = Caption()},
            fmt::format("expected {} bytes of values in a state, found {}", batch.Memory().size(), bytes.size()),
            "restore it with the FMU and the links that it was kept with");
      }
      batch.SetMemory(bytes);
    }
  }
  for (const auto& port : value_inputs_) {
    port->set_texts.clear();
    for (std::int64_t left = reader.ReadInteger(); left > 0; --left) port->set_texts.push_back(reader.ReadText());
  }
  for (ClockPort& port : clock_ports_) port.ticks = reader.ReadInteger();
  for (InputPort& port : inputs_) reader.ReadDoubles(port.held);
}

void Fmu::SetFmuState(std::span<const std::byte> bytes, Instance::Mode mode) {
  const auto free = [this](void* state) {
    try {
      if (!instance_->IsFatal()) instance_->FreeState(state);
    } catch (...) {  // only the result of SetState matters
    }
  };
  const std::unique_ptr<void, decltype(free)> state(instance_->Deserialize(bytes), free);
  instance_->SetState(state.get(), mode);
}

// Native code may crash on bytes that it did not write.
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
  if (start != StartTime().mjd) {  // the run that kept the state started at another time
    begin_ += std::round((StartTime().mjd - start) * kStepTicksPerDay / 1000.0) / 1e6 / seconds_per_unit_;
  }
  stepper_->Load(reader);
  const std::int64_t count = reader.ReadInteger();
  if (count != static_cast<std::int64_t>(inputs_.size())) {
    refuse(fmt::format("{} linked inputs", inputs_.size()), std::to_string(count));
  }
  for (InputPort& port : inputs_) reader.ReadDoubles(port.before);
  LoadEvents(reader);
  for (const auto& port : value_outputs_) port->output->LoadRows(reader);
  if (layer_ != nullptr) layer_->Load(reader);
  SetFmuState(bytes, static_cast<Instance::Mode>(mode));
  ended_ = ended;
  first_step_ = first_step;
  next_ticks_ = -1;  // begin_ may have changed
}

}  // namespace openmi::fmi
