#include "fmi-bridge/fmi/InterfaceReader.hpp"

#include <algorithm>
#include <cmath>

namespace openmi::fmi {

namespace {

bool IsIdentifier(std::string_view name) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

/// Whether it is the name of a file in the folder, and not a path elsewhere.
bool IsFileName(std::string_view name) {
  return name.front() != '.' && std::ranges::all_of(name, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
                  c == '.';
         });
}

std::string ReadIdentifier(described::Attributes& attributes, described::Report& report) {
  std::string name = attributes.Required("modelIdentifier");
  if (IsIdentifier(name) || name.empty()) return name;
  if (IsFileName(name)) {
    report.Warning(attributes.Line(), {},
                   fmt::format("expected a modelIdentifier of letters, digits and '_' that begins with no digit, found "
                               "{}; its library is looked for by that name",
                               Quoted(name)),
                   "rename it, and the library with it");
  } else {  // the name becomes part of a path
    report.Error(
        attributes.Line(), {},
        fmt::format("expected a modelIdentifier of letters, digits and '_' that begins with no digit, found {}",
                    Quoted(name)),
        "rename it, and the library with it");
    name.clear();
  }
  return name;
}

}  // namespace

void ReadRoot(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  const bool is_third = description.version == FmiMajor::Fmi3;
  attributes.Find("fmiVersion");
  description.model_name = attributes.Required("modelName");
  description.token = attributes.Required(is_third ? "instantiationToken" : "guid");
  description.description = attributes.Text("description");
  description.author = attributes.Text("author");
  description.model_version = attributes.Text("version");
  description.generation_tool = attributes.Text("generationTool");
  description.generation_time = attributes.Text("generationDateAndTime");
  if (description.version != FmiMajor::Fmi1) {
    description.copyright = attributes.Text("copyright");
    description.license = attributes.Text("license");
  }
  static constexpr std::array<described::Choice<bool>, 2> kConventions = {{{"flat", false}, {"structured", true}}};
  description.is_structured = attributes.OneOf<bool>("variableNamingConvention", kConventions).value_or(false);
  if (!is_third) {
    description.event_indicators =
        static_cast<std::size_t>(attributes.Unsigned32("numberOfEventIndicators").value_or(0));
  }
  if (description.version != FmiMajor::Fmi1) return;
  description.continuous_states = attributes.Unsigned32("numberOfContinuousStates").value_or(0);
  // Without Implementation the FMU is Model Exchange; with it, Co-Simulation takes over these attributes.
  Interface exchange;
  exchange.model_identifier = ReadIdentifier(attributes, report);
  exchange.line = tag.line;
  description.Of(InterfaceKind::ModelExchange) = std::move(exchange);
}

void ReadInterface(const XmlEventTag& tag, InterfaceKind kind, described::Report& report,
                   ModelDescription& description) {
  described::Attributes attributes(tag, report);
  const bool is_third = description.version == FmiMajor::Fmi3;
  if (description.Of(kind)) {
    report.Error(tag.line, {}, fmt::format("expected one {}, found another", Name(kind)), "remove one of the two");
  }
  Interface one;
  one.line = tag.line;
  one.model_identifier = ReadIdentifier(attributes, report);
  one.needs_execution_tool = attributes.Boolean("needsExecutionTool", false);
  one.only_once_per_process = attributes.Boolean("canBeInstantiatedOnlyOncePerProcess", false);
  if (!is_third) one.no_memory_functions = attributes.Boolean("canNotUseMemoryManagementFunctions", false);
  one.can_get_and_set_state = attributes.Boolean(is_third ? "canGetAndSetFMUState" : "canGetAndSetFMUstate", false);
  one.can_serialize_state = attributes.Boolean(is_third ? "canSerializeFMUState" : "canSerializeFMUstate", false);
  one.provides_directional_derivatives =
      attributes.Boolean(is_third ? "providesDirectionalDerivatives" : "providesDirectionalDerivative", false);
  if (is_third) {
    one.provides_adjoint_derivatives = attributes.Boolean("providesAdjointDerivatives", false);
    one.provides_per_element_dependencies = attributes.Boolean("providesPerElementDependencies", false);
  }
  if (kind == InterfaceKind::ModelExchange) {
    one.needs_completed_integrator_step = is_third ? attributes.Boolean("needsCompletedIntegratorStep", false)
                                                   : !attributes.Boolean("completedIntegratorStepNotNeeded", false);
  }
  if (is_third && kind != InterfaceKind::ScheduledExecution) {
    one.provides_evaluate_discrete_states = attributes.Boolean("providesEvaluateDiscreteStates", false);
  }
  if (kind == InterfaceKind::CoSimulation) {
    one.can_handle_variable_step = attributes.Boolean("canHandleVariableCommunicationStepSize", false);
    one.max_output_derivative_order = attributes.Unsigned32("maxOutputDerivativeOrder").value_or(0);
    if (is_third) {
      one.fixed_internal_step = attributes.Double("fixedInternalStepSize");
      one.recommended_input_smoothness = attributes.Unsigned32("recommendedIntermediateInputSmoothness").value_or(0);
      one.provides_intermediate_update = attributes.Boolean("providesIntermediateUpdate", false);
      one.might_return_early = attributes.Boolean("mightReturnEarlyFromDoStep", false);
      one.can_return_early_after_intermediate_update =
          attributes.Boolean("canReturnEarlyAfterIntermediateUpdate", false);
      one.has_event_mode = attributes.Boolean("hasEventMode", false);
      if (one.fixed_internal_step && !(*one.fixed_internal_step > 0.0 && std::isfinite(*one.fixed_internal_step))) {
        attributes.Wrong("fixedInternalStepSize", "a number above 0", fmt::format("{}", *one.fixed_internal_step));
        one.fixed_internal_step.reset();
      }
    } else {
      one.can_interpolate_inputs = attributes.Boolean("canInterpolateInputs", false);
      one.can_run_asynchronously = attributes.Boolean("canRunAsynchronuously", false);
    }
  }
  if (one.can_serialize_state && !one.can_get_and_set_state) {
    report.Warning(tag.line, {}, "expected that an FMU which serialises its state can also get and set it, found not",
                   "write both flags");
  }
  description.Of(kind) = std::move(one);
}

void ReadFirstCapabilities(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  std::optional<Interface>& exchange = description.Of(InterfaceKind::ModelExchange);
  Interface one = exchange.value_or(Interface());
  exchange.reset();
  one.line = tag.line;
  one.can_handle_variable_step = attributes.Boolean("canHandleVariableCommunicationStepSize", false);
  one.can_handle_events = attributes.Boolean("canHandleEvents", false);
  one.can_reject_steps = attributes.Boolean("canRejectSteps", false);
  one.can_interpolate_inputs = attributes.Boolean("canInterpolateInputs", false);
  one.max_output_derivative_order = attributes.Unsigned32("maxOutputDerivativeOrder").value_or(0);
  one.can_run_asynchronously = attributes.Boolean("canRunAsynchronuously", false);
  one.can_signal_events = attributes.Boolean("canSignalEvents", false);
  one.only_once_per_process = attributes.Boolean("canBeInstantiatedOnlyOncePerProcess", false);
  one.no_memory_functions = attributes.Boolean("canNotUseMemoryManagementFunctions", false);
  description.Of(InterfaceKind::CoSimulation) = std::move(one);
}

void ReadDefaultExperiment(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  DefaultExperiment& experiment = description.experiment;
  const auto read = [&](const char* name, bool is_positive) {
    std::optional<double> number = attributes.Double(name);
    if (number && (!std::isfinite(*number) || (is_positive && *number <= 0.0))) {
      attributes.Wrong(name, is_positive ? "a number above 0" : "a number", fmt::format("{}", *number));
      number.reset();
    }
    return number;
  };
  experiment.start = read("startTime", false);
  experiment.stop = read("stopTime", false);
  experiment.tolerance = read("tolerance", true);
  if (description.version != FmiMajor::Fmi1) experiment.step = read("stepSize", true);
  if (experiment.stop && *experiment.stop < experiment.start.value_or(0.0)) {
    report.Warning(tag.line, {},
                   fmt::format("expected a stopTime that is not before the startTime {}, found {}",
                               experiment.start.value_or(0.0), *experiment.stop),
                   "correct one of the two");
  }
}

void ReadLogCategory(const XmlEventTag& tag, described::Report& report, ModelDescription& description) {
  described::Attributes attributes(tag, report);
  LogCategory category;
  category.name = attributes.Required("name");
  category.description = attributes.Text("description");
  if (std::ranges::any_of(description.log_categories,
                          [&](const LogCategory& one) { return one.name == category.name; })) {
    report.Error(tag.line, {}, fmt::format("expected every log category once, found {} again", Quoted(category.name)),
                 "remove one of the two");
  }
  // A limit, because the list is searched linearly.
  if (description.log_categories.size() < 10'000) description.log_categories.push_back(std::move(category));
}

}  // namespace openmi::fmi
