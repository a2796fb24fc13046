// CheckModelDescription: the rules that concern the whole description. Sources: FMI 2.0.4, sections 2.2.7 and 2.2.8;
// FMI 3.0, sections 2.4.7 and 2.4.8.
#include <algorithm>
#include <cmath>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/DescriptionReader.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"

namespace openmi::fmi {

namespace {

class Checker {
 public:
  Checker(const ModelDescription& description, Problems& problems)
      : description_(description), report_(description.file, problems) {}
  void Check();

 private:
  bool IsThird() const { return description_.version == FmiMajor::Fmi3; }
  const Variable& At(Index index) const { return description_.At(index); }
  std::string Describe(Index index) const {
    return fmt::format("{} on line {}", Quoted(At(index).name), At(index).line);
  }
  void CheckInterfaces();
  void CheckNames();
  void CheckIndependent();
  void CheckVariable(const Variable& variable, Index self);
  void CheckArray(const Variable& variable);
  void CheckClocked(const Variable& variable);
  void CheckClock(const Variable& variable);
  void CheckPrevious(const Variable& variable);
  void CheckEnumeration(const Variable& variable);
  void CheckOutputs();
  void CheckDerivatives();
  void CheckInitialUnknowns();
  void CheckClockedStates();
  void CheckEventIndicators();

  const ModelDescription& description_;
  described::Report report_;
};

void Checker::CheckInterfaces() {
  if (std::ranges::none_of(description_.interfaces, [](const auto& one) { return one.has_value(); })) {
    report_.Error(1, {}, "expected ModelExchange, CoSimulation or ScheduledExecution, found none",
                  "write what the FMU can do");
  }
  if (description_.variables.empty() && description_.version != FmiMajor::Fmi1) {
    report_.Warning(1, {}, "expected ModelVariables, found none", "an FMU without variables exchanges nothing");
  }
  const std::optional<Interface>& simulation = description_.Of(InterfaceKind::CoSimulation);
  if (IsThird() && simulation && !simulation->has_event_mode && !description_.clocks.empty()) {
    report_.Warning(simulation->line, {}, "expected hasEventMode of an FMU with clocks, found none",
                    "write hasEventMode=\"true\"");
  }
}

void Checker::CheckNames() {
  const VariableNames names(description_);
  for (const auto& [first, again] : names.Duplicates()) {
    report_.Warning(
        At(again), fmt::format("expected every name once, found it again; {} has it too and keeps it", Describe(first)),
        "rename one of the two; here a number is put after the name of the later one");
  }
  for (const Variable& variable : description_.variables) {
    if (variable.name.find_first_of("\r\n\t") != std::string::npos) {
      report_.Error(variable, "expected a name without line ends and tabs, found one with", "rename the variable");
    } else if (description_.is_structured && !IsStructuredName(variable.name)) {
      report_.Warning(variable,
                      "expected a structured name such as a.b[1].c, der(a.b) or 'quoted name'.c, found another",
                      "rename the variable, or write variableNamingConvention=\"flat\"");
    }
  }
}

void Checker::CheckIndependent() {
  if (description_.independent == kNowhere) {
    if (IsThird()) {
      report_.Warning(1, {}, "expected one variable with causality independent, found none",
                      "declare time, a continuous Float64");
    }
    return;
  }
  const Variable& time = At(description_.independent);
  if (!IsFloat(time.type) || time.IsArray()) {
    report_.Error(time,
                  fmt::format("expected the independent variable to be a scalar float, found {}{}",
                              time.IsArray() ? "an array of " : "", Name(time.type, description_.version)),
                  "correct its type");
  }
}

void Checker::CheckVariable(const Variable& variable, Index self) {
  if (IsThird()) {
    CheckArray(variable);
    CheckClocked(variable);
    CheckPrevious(variable);
    if (variable.type == VariableType::Clock) CheckClock(variable);
    if (variable.intermediate_update && (variable.variability != Variability::Continuous || !variable.clocks.empty())) {
      report_.Warning(variable, "expected intermediateUpdate of continuous variables only, found it elsewhere",
                      "remove it");
    }
  }
  if (variable.type == VariableType::Enumeration) CheckEnumeration(variable);
  if (variable.derivative_of == self) {
    report_.Error(variable, "expected a derivative of another variable, found that of itself", "correct the reference");
  }
}

void Checker::CheckArray(const Variable& variable) {
  const std::uint64_t size = variable.StartSize();
  if (variable.start_count > 1 && variable.start_count != size) {
    report_.Error(variable, fmt::format("expected 1 or {} start values, found {}", size, variable.start_count),
                  variable.IsArray() ? "write one for all elements, or one for each"
                                     : "write one value, or the Dimension that is missing");
  }
  if (size > (std::uint64_t{1} << 40U)) {
    report_.Error(variable, fmt::format("expected an array that fits into memory, found {} elements", size),
                  "correct the Dimension");
  }
}

void Checker::CheckClocked(const Variable& variable) {
  for (const Index clock : variable.clocks) {
    if (At(clock).type != VariableType::Clock) {
      report_.Error(variable, fmt::format("expected clocks to name variables of type Clock, found {}", Describe(clock)),
                    "correct the value reference");
    } else if (&At(clock) == &variable) {
      report_.Error(variable, "expected a clock that does not tick with itself, found its own number",
                    "remove it from clocks");
    }
  }
  if (!variable.clocks.empty() && variable.variability != Variability::Discrete) {
    report_.Error(variable,
                  fmt::format("expected a variable with clocks to be discrete, found {}", Name(variable.variability)),
                  "write variability=\"discrete\", or remove clocks");
  }
}

void Checker::CheckClock(const Variable& variable) {
  const ClockAttributes& clock = description_.ClockOf(variable);
  if (variable.causality != Causality::Input && variable.causality != Causality::Output &&
      variable.causality != Causality::Local) {
    report_.Error(variable,
                  fmt::format("expected a Clock to be input, output or local, found {}", Name(variable.causality)),
                  "correct the causality");
  } else if (variable.variability != Variability::Discrete) {
    report_.Error(variable, fmt::format("expected a Clock to be discrete, found {}", Name(variable.variability)),
                  "remove the attribute variability");
  } else if (variable.causality != Causality::Input && clock.IsTimeBased()) {
    report_.Error(variable,
                  fmt::format("expected an {} Clock to be triggered, found {}", Name(variable.causality),
                              Name(clock.interval_variability)),
                  "write intervalVariability=\"triggered\"");
  }
  if (clock.interval_variability == IntervalVariability::Constant && !clock.interval_decimal) {
    report_.Error(variable, "expected intervalDecimal of a constant Clock, found none", "write the interval");
  }
  if (clock.supports_fraction && clock.interval_variability == IntervalVariability::Constant &&
      (!clock.resolution || !clock.interval_counter)) {
    report_.Warning(
        variable, "expected resolution and intervalCounter of a constant Clock that supports fractions, found not both",
        "write both");
  }
  if (clock.resolution == std::uint64_t{0} || clock.interval_counter == std::uint64_t{0}) {
    report_.Error(variable, "expected resolution and intervalCounter above 0, found 0", "correct the number");
  }
  const auto& scheduled = description_.Of(InterfaceKind::ScheduledExecution);
  if (scheduled && variable.causality == Causality::Input && !clock.priority) {
    report_.Warning(variable,
                    "expected a priority of an input Clock in ScheduledExecution, found none: its partition comes last",
                    "write priority=\"...\"");
  }
}

void Checker::CheckPrevious(const Variable& variable) {
  if (variable.previous == kNowhere) return;
  const Variable& previous = At(variable.previous);
  if (variable.clocks.empty() || variable.variability != Variability::Discrete) {
    report_.Error(variable, "expected previous only of a discrete variable with clocks, found it elsewhere",
                  "write the clocks that the variable belongs to");
  }
  if (previous.type != variable.type || previous.dimensions.size() != variable.dimensions.size()) {
    report_.Error(variable,
                  fmt::format("expected previous to have the same type and dimensions, found {} of type {}",
                              Describe(variable.previous), Name(previous.type)),
                  "correct the value reference");
  }
}

void Checker::CheckEnumeration(const Variable& variable) {
  const TypeDefinition* type = description_.TypeOf(variable);
  if (type == nullptr || type->items.size() > 1000) return;
  for (const std::int64_t value : description_.Integers(variable)) {
    if (std::ranges::find(type->items, value, &EnumerationItem::value) == type->items.end()) {
      report_.Warning(variable,
                      fmt::format("expected as start the value of an item of {}, found {}", Quoted(type->name), value),
                      "items have values, not positions");
      return;
    }
  }
}

void Checker::CheckOutputs() {
  if (description_.version == FmiMajor::Fmi1) return;
  std::vector<bool> listed(description_.variables.size());
  for (const Unknown& unknown : description_.structure.outputs) {
    listed[static_cast<std::size_t>(unknown.variable)] = true;
    const Variable& variable = At(unknown.variable);
    if (variable.causality != Causality::Output) {
      report_.Error(unknown.line, variable.name,
                    fmt::format("expected an output among the outputs of ModelStructure, found a variable with "
                                "causality {}",
                                Name(variable.causality)),
                    "remove the line, or correct the causality");
    }
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Variable& variable = description_.variables[i];
    // In 2.0 each alias of an output is listed under its own name; in old files of 3.0 clocks are not among the
    // outputs.
    if (variable.causality != Causality::Output || listed[i] || variable.type == VariableType::Clock) continue;
    report_.Warning(variable, "expected every output in ModelStructure, found this one missing", "list it there");
  }
}

void Checker::CheckDerivatives() {
  if (description_.version == FmiMajor::Fmi1) return;
  std::vector<bool> is_state(description_.variables.size());
  for (const Unknown& unknown : description_.structure.derivatives) {
    const Variable& variable = At(unknown.variable);
    if (variable.derivative_of == kNowhere) {
      constexpr const char* kProblem =
          "expected the derivative of a state, found a variable without the attribute derivative";
      constexpr const char* kRemedy = "write derivative=\"...\" at the variable";
      if (description_.Of(InterfaceKind::ModelExchange)) {
        report_.Error(unknown.line, variable.name, kProblem, kRemedy);
      } else {  // co-simulation does not use derivatives
        report_.Warning(unknown.line, variable.name, kProblem, kRemedy);
      }
      continue;
    }
    is_state[static_cast<std::size_t>(variable.derivative_of)] = true;
    const Variable& state = At(variable.derivative_of);
    if (state.StartSize() != variable.StartSize()) {
      report_.Error(unknown.line, variable.name,
                    fmt::format("expected as many elements as its state {} has ({}), found {}",
                                Describe(variable.derivative_of), state.StartSize(), variable.StartSize()),
                    "correct the dimensions");
    }
  }
  for (std::size_t i = 0; i < is_state.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.reinit && !is_state[i]) {
      report_.Warning(variable, "expected reinit of continuous states only, found it elsewhere", "remove it");
    }
  }
}

void Checker::CheckInitialUnknowns() {
  if (description_.version == FmiMajor::Fmi1) return;
  std::vector<bool> listed(description_.variables.size());
  for (const Unknown& unknown : description_.structure.initial_unknowns) {
    listed[static_cast<std::size_t>(unknown.variable)] = true;
    const Variable& variable = At(unknown.variable);
    if (variable.initial == Initial::Exact || variable.initial == Initial::None) {
      if (variable.type == VariableType::Clock) continue;
      report_.Warning(unknown.line, variable.name,
                      fmt::format("expected an initial unknown to be calculated or approximate, found it {}",
                                  variable.initial == Initial::None ? "independent" : Name(variable.initial)),
                      "remove the line");
    }
    const bool is_strange = std::ranges::any_of(unknown.kinds, [](DependencyKind kind) {
      return kind != DependencyKind::Dependent && kind != DependencyKind::Constant;
    });
    if (is_strange && IsThird()) {
      report_.Warning(unknown.line, variable.name,
                      "expected only dependent and constant as dependenciesKind of an InitialUnknown, found another",
                      "write dependent");
    }
  }
  const auto require = [&](Index index) {
    const Variable& variable = At(index);
    const bool is_unknown = variable.initial == Initial::Calculated || variable.initial == Initial::Approx;
    if (!is_unknown || listed[static_cast<std::size_t>(index)] || !variable.clocks.empty()) return;
    listed[static_cast<std::size_t>(index)] = true;
    report_.Warning(variable,
                    "expected it among the initial unknowns of ModelStructure, as its first value is calculated, found "
                    "it missing",
                    "list it there");
  };
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.type == VariableType::Clock) continue;
    if (variable.causality == Causality::Output || variable.causality == Causality::CalculatedParameter) {
      require(static_cast<Index>(i));
    }
  }
  for (const Unknown& unknown : description_.structure.derivatives) {
    require(unknown.variable);
    if (At(unknown.variable).derivative_of != kNowhere) require(At(unknown.variable).derivative_of);
  }
}

void Checker::CheckClockedStates() {
  std::vector<bool> listed(description_.variables.size());
  for (const Unknown& unknown : description_.structure.clocked_states) {
    listed[static_cast<std::size_t>(unknown.variable)] = true;
    const Variable& variable = At(unknown.variable);
    if (variable.previous == kNowhere) {
      report_.Error(unknown.line, variable.name, "expected a ClockedState to have the attribute previous, found none",
                    "write previous=\"...\" at the variable");
    }
  }
  for (std::size_t i = 0; i < listed.size(); ++i) {
    const Variable& variable = description_.variables[i];
    if (variable.previous != kNowhere && !listed[i]) {
      report_.Warning(variable,
                      "expected a variable with previous among the ClockedStates of ModelStructure, found it missing",
                      "list it there");
    }
  }
}

void Checker::CheckEventIndicators() {
  for (const Unknown& unknown : description_.structure.event_indicators) {
    const Variable& variable = At(unknown.variable);
    if (!IsFloat(variable.type) || variable.variability != Variability::Continuous) {
      report_.Error(unknown.line, variable.name,
                    fmt::format("expected an EventIndicator to be a continuous float, found a {} {}",
                                Name(variable.variability), Name(variable.type)),
                    "correct the value reference");
    }
  }
}

void Checker::Check() {
  CheckInterfaces();
  CheckNames();
  CheckIndependent();
  for (std::size_t i = 0; i < description_.variables.size(); ++i) {
    CheckVariable(description_.variables[i], static_cast<Index>(i));
  }
  CheckOutputs();
  CheckDerivatives();
  CheckInitialUnknowns();
  CheckClockedStates();
  CheckEventIndicators();
  report_.Close();
}

}  // namespace

void CheckModelDescription(const ModelDescription& description, Problems& problems) {
  Checker(description, problems).Check();
}

}  // namespace openmi::fmi
