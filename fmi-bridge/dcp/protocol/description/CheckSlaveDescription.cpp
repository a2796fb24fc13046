#include <algorithm>

#include "fmi-bridge/dcp/protocol/description/DescriptionParts.hpp"
#include "fmi-bridge/dcp/protocol/description/IntegerTypes.hpp"

namespace openmi::dcp {

namespace {

std::size_t StartCount(const Variable& variable) {
  return IsFloat(variable.Type()) ? variable.start.floats.size() : variable.start.integers.size();
}

std::string Shown(const Variable& variable, std::size_t i) {
  if (IsFloat(variable.Type())) return fmt::format("{}", variable.start.floats[i]);
  return IntegerText(variable.Type(), variable.start.integers[i]);
}

bool IsOutside(const Variable& variable, std::size_t i) {
  const Limits& limits = variable.attributes.limits;
  if (IsFloat(variable.Type())) {
    const double value = variable.start.floats[i];
    return value < limits.minimum.value_or(value) || value > limits.maximum.value_or(value);
  }
  const std::int64_t value = variable.start.integers[i];
  if (variable.Type() == DataType::uint64) {
    const auto bits = static_cast<std::uint64_t>(value);
    return (limits.minimum && bits < static_cast<std::uint64_t>(limits.integer_minimum)) ||
           (limits.maximum && bits > static_cast<std::uint64_t>(limits.integer_maximum));
  }
  return (limits.minimum && value < limits.integer_minimum) || (limits.maximum && value > limits.integer_maximum);
}

void CheckStart(const Variable& variable, described::Report& report) {
  if (!variable.start.is_given || IsText(variable.Type())) return;
  const std::size_t count = StartCount(variable);
  const std::uint64_t size = variable.StartSize();
  if (count == 1 && size > 1 && variable.IsArray()) {  // slaves made with DCPLib write it so
    report.Warning(
        variable,
        fmt::format("expected {} start values for the elements of the array, found 1, which is taken for all", size),
        "write all elements, the last index fastest");
  } else if (count != size) {
    report.Error(
        variable,
        fmt::format("expected {} start value{} for {}, found {}", size, size == 1 ? "" : "s",
                    variable.IsArray() ? "the elements of the array" : "a scalar", count),
        variable.IsArray() ? "write all elements, the last index fastest" : "give it Dimensions, or one value");
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (variable.kind == VariableKind::StructuralParameter && variable.start.integers[i] == 0) {
      report.Error(variable, "expected a start value of at least 1 of a StructuralParameter, found 0",
                   "write the size that arrays have at first");
    }
    if (!IsOutside(variable, i)) continue;
    report.Warning(variable, fmt::format("expected a start value from min to max, found {}", Shown(variable, i)),
                   "correct one of the three");
    break;
  }
}

/// Warns of outputs that are declared constant after initialization where something else was probably meant.
void CheckConstants(const SlaveDescription& description, described::Report& report) {
  std::size_t outputs = 0, constants = 0;
  for (const Variable& variable : description.variables) {
    if (variable.kind != VariableKind::Output) continue;
    ++outputs;
    if (!variable.is_constant) continue;
    ++constants;
    if (variable.steps.is_fixed && variable.steps.standard == 1) continue;
    report.Warning(variable,
                   "expected no steps of an output that is constant after initialization (initialization=\"true\"), "
                   "found some: it is sent once only",
                   "remove initialization where it is sent while the slave runs, else the steps");
  }
  if (outputs == 0 || constants < outputs) return;
  report.Warning(0, "Variables",
                 "expected an output that is sent while the slave runs, found initialization=\"true\" at all: they are "
                 "constant after initialization",
                 "remove it where an output changes; every output has a value at initialization without it");
}

std::uint64_t LargestPdu(const Transports& transports) {
  std::uint64_t largest = 0;
  if (transports.udp) largest = std::max<std::uint64_t>(largest, transports.udp->max_pdu_size);
  if (transports.tcp) largest = std::max<std::uint64_t>(largest, transports.tcp->max_pdu_size);
  if (transports.usb2) largest = std::max<std::uint64_t>(largest, transports.usb2->max_pdu_size);
  if (transports.bluetooth) largest = std::max<std::uint64_t>(largest, transports.bluetooth->max_pdu_size);
  return largest;
}

}  // namespace

void CheckSlaveDescription(const SlaveDescription& description, described::Report& report) {
  const CapabilityFlags& flags = description.capabilities;
  if (flags.can_monitor_heartbeat && !description.heartbeat) {
    report.Error(0, "CapabilityFlags", "expected the element Heartbeat where canMonitorHeartbeat is true, found none",
                 "write Heartbeat with its MaximumPeriodicInterval, or canMonitorHeartbeat=\"false\"");
  } else if (!flags.can_monitor_heartbeat && description.heartbeat) {
    report.Error(0, "CapabilityFlags",
                 "expected canMonitorHeartbeat to be true where there is a Heartbeat, found false",
                 "write canMonitorHeartbeat=\"true\", or remove Heartbeat");
  }
  const bool can_log = flags.can_provide_log_on_request || flags.can_provide_log_on_notification;
  if (can_log && !description.log) {
    report.Error(0, "CapabilityFlags", "expected the element Log where the slave can provide a log, found none",
                 "write Log with its Categories and Templates, or set both flags to false");
  } else if (!can_log && description.log) {
    report.Error(0, "CapabilityFlags",
                 "expected canProvideLogOnRequest or canProvideLogOnNotification where there is a Log, found neither",
                 "set one of them to true, or remove Log");
  }
  if (flags.can_handle_variable_steps && (!description.non_real_time || description.non_real_time->is_fixed)) {
    report.Warning(0, "CapabilityFlags",
                   "expected NonRealTime with fixedSteps=\"false\" where canHandleVariableSteps is true, found none",
                   "write it, or canHandleVariableSteps=\"false\"");
  }
  CheckConstants(description, report);
  const std::uint64_t largest = LargestPdu(description.transports);
  for (const Variable& variable : description.variables) {
    CheckStart(variable, report);
    const std::uint64_t size = variable.StartSize();
    const std::uint64_t bytes = IsText(variable.Type()) ? 4 : SizeOf(variable.Type());
    if (largest != 0 && size > (largest - std::min<std::uint64_t>(largest, 5)) / bytes) {
      report.Error(variable,
                   fmt::format("expected a variable that fits into a PDU of {} bytes, found {} elements of {} bytes",
                               largest, size, bytes),
                   "split the array, or offer a transport with larger PDUs");
    }
  }
}

}  // namespace openmi::dcp
