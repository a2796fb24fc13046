#include "fmi-bridge/export/dcp/DescribeModel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "composition/results/FileHash.hpp"
#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"
#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

namespace openmi::dcp {
namespace {

constexpr std::uint32_t kMostText = 60'000;    // bytes of a text parameter
constexpr std::uint32_t kMostTcp = 16U << 20;  // bytes of a PDU
constexpr std::uint32_t kMostSteps = std::numeric_limits<std::uint32_t>::max();

Resolution ResolutionFor(double step) {
  Resolution resolution{.numerator = 1, .denominator = 1000, .is_fixed = false, .is_recommended = true};
  for (const std::uint32_t denominator : {1'000U, 1'000'000U, 1'000'000'000U}) {
    resolution.denominator = denominator;
    const double steps = step * denominator;
    if (steps >= 1.0 && std::abs(steps - std::round(steps)) < 1e-6 * steps) break;
  }
  return resolution;
}

/// The resolutions of a model, which can make steps of any length; a master may count in the units it prefers.
std::vector<ResolutionRange> AnyResolution() {
  constexpr std::uint32_t kMostNumerator = 1'000'000;
  std::vector<ResolutionRange> ranges;
  for (std::uint32_t denominator = 1; denominator <= 100'000'000U; denominator *= 10) {
    ranges.push_back({.numerator_from = 1, .numerator_to = kMostNumerator, .denominator = denominator});
  }
  ranges.push_back({.numerator_from = 1, .numerator_to = kMostNumerator, .denominator = 1'000'000'000});
  return ranges;
}

std::uint32_t StepsFor(double step, const Resolution& resolution) {
  const double steps = std::round(step / resolution.Seconds());
  return static_cast<std::uint32_t>(std::clamp(steps, 1.0, static_cast<double>(kMostSteps - 1)));
}

Index UnitFor(const exported::ExportedVariable& from, std::vector<UnitDefinition>& units) {
  if (from.unit.empty()) return kNowhere;
  const auto known = std::ranges::find(units, from.unit, &UnitDefinition::name);
  if (known != units.end()) return static_cast<Index>(known - units.begin());
  UnitDefinition unit;
  unit.name = from.unit;
  unit.has_base = from.has_base;
  std::ranges::copy(from.exponents, unit.exponents.begin());
  unit.factor = from.factor;
  unit.offset = from.offset;
  units.push_back(std::move(unit));
  return static_cast<Index>(units.size() - 1);
}

void PutType(const exported::ExportedVariable& from, Variable& variable) {
  const bool has_start = variable.kind != VariableKind::Output;
  variable.start.is_given = has_start;
  const double start = std::isfinite(from.start) ? from.start : 0.0;
  const std::size_t count = has_start ? from.count : 0;
  switch (from.type) {
    case exported::VariableType::Float64:
      variable.attributes.type = DataType::float64;
      variable.start.floats.assign(count, start);
      break;
    case exported::VariableType::String:
      variable.attributes.type = DataType::string;
      variable.attributes.max_size = kMostText;
      variable.start.text = from.start_text;
      break;
    case exported::VariableType::Boolean:  // DCP has no such type
      variable.attributes.type = DataType::uint8;
      variable.attributes.limits = {
          .minimum = 0.0, .maximum = 1.0, .gradient = {}, .integer_minimum = 0, .integer_maximum = 1};
      variable.start.integers.assign(count, start != 0.0 ? 1 : 0);
      break;
    default:
      variable.attributes.type = DataType::int64;
      variable.start.integers.assign(count, static_cast<std::int64_t>(start));
      break;
  }
}

Ipv4 Reached(const DescribeOptions& options, std::uint32_t max_pdu_size) {
  Ipv4 transport;
  transport.max_pdu_size = max_pdu_size;
  transport.has_control = true;
  transport.data = transport.parameters = DataPorts{};  // any port; some readers require the elements
  if (options.port) {
    transport.control_host = options.host;
    transport.control_port = options.port;
  }
  return transport;
}

}  // namespace

SlaveDescription DescribeModel(const exported::ExportInterface& interface, const DescribeOptions& options) {
  SlaveDescription slave;
  slave.name = interface.model_name;
  slave.description = interface.description;
  slave.generation_tool = "openmi";
  const double step = interface.step_seconds > 0.0 ? interface.step_seconds : 1.0;
  slave.resolutions.push_back(options.resolution.value_or(ResolutionFor(step)));
  if (!options.resolution) slave.resolution_ranges = AnyResolution();
  const std::uint32_t steps = StepsFor(step, slave.resolutions.front());
  const StepRange range{.standard = steps, .is_fixed = false, .fewest = 1, .most = kMostSteps};
  slave.hard_real_time = slave.soft_real_time = true;
  slave.non_real_time = range;
  if (options.has_udp) slave.transports.udp = Reached(options, kMaxUdpPdu);
  if (options.has_tcp) slave.transports.tcp = Reached(options, kMostTcp);
  slave.capabilities.can_accept_config_pdus = true;
  slave.capabilities.can_handle_reset = true;
  slave.capabilities.can_handle_variable_steps = true;
  if (options.heartbeat_seconds) {
    slave.capabilities.can_monitor_heartbeat = true;
    slave.heartbeat = Heartbeat{
        .numerator = static_cast<std::uint32_t>(std::max(1.0, std::round(*options.heartbeat_seconds * 1000.0))),
        .denominator = 1000};
  }
  slave.capabilities.can_provide_log_on_request = slave.capabilities.can_provide_log_on_notification = true;
  slave.log = Log{.categories = {{.id = 1, .name = "model"}}, .templates = {}};
  for (const LogLevel level : {LogLevel::Error, LogLevel::Warning, LogLevel::Information}) {
    slave.log->templates.push_back(
        {.id = static_cast<std::uint8_t>(level), .category = 1, .level = level, .message = "%String"});
  }
  slave.log->categories.push_back({.id = 2, .name = "missed data"});
  slave.log->templates.push_back(
      {.id = 4, .category = 2, .level = LogLevel::Warning, .message = std::string(kMissedData)});
  for (const exported::ExportedVariable& from : interface.variables) {
    if (from.role == exported::VariableRole::Time) continue;
    Variable variable;
    variable.name = from.name;
    variable.description = from.description;
    variable.value_reference = slave.variables.size();
    const bool is_parameter = from.role == exported::VariableRole::Parameter;
    variable.kind = is_parameter                                 ? VariableKind::Parameter
                    : from.role == exported::VariableRole::Input ? VariableKind::Input
                                                                 : VariableKind::Output;
    const bool is_float = from.type == exported::VariableType::Float64;
    variable.variability = is_parameter ? Variability::Fixed
                           : is_float   ? Variability::Continuous
                                        : Variability::Discrete;
    PutType(from, variable);
    if (is_float) variable.attributes.unit = UnitFor(from, slave.units);
    if (from.is_array) variable.dimensions.push_back({.size = from.count, .variable = kNowhere, .linked = 0});
    if (variable.kind == VariableKind::Output) variable.steps = range;
    if (variable.kind == VariableKind::Input) variable.max_consecutive_missed_pdus = options.most_missed_inputs;
    slave.variables.push_back(std::move(variable));
  }
  Sha256 hash;
  hash.Add(SlaveDescriptionText(slave));
  const std::string digits = hash.Finish();
  for (std::size_t i = 0; i < slave.uuid.size(); ++i) {
    slave.uuid[i] = static_cast<std::uint8_t>(std::stoul(digits.substr(2 * i, 2), nullptr, 16));
  }
  return slave;
}

}  // namespace openmi::dcp
