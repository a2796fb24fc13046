#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

#include <algorithm>

namespace openmi::dcp {

namespace {

constexpr std::array<const char*, kDataTypes> kTypes = {"Uint8", "Uint16", "Uint32",  "Uint64",  "Int8",   "Int16",
                                                        "Int32", "Int64",  "Float32", "Float64", "String", "Binary"};

}  // namespace

const char* ElementName(DataType type) {
  return IsDataType(type) ? kTypes[static_cast<std::size_t>(type)] : "unknown";
}

std::optional<DataType> DataTypeNamed(std::string_view element) {
  for (std::size_t i = 0; i < kTypes.size(); ++i) {
    if (element == kTypes[i]) return static_cast<DataType>(i);
  }
  return std::nullopt;
}

bool StepRange::Allows(std::uint32_t steps) const {
  if (is_fixed) return steps == standard;
  return steps >= fewest.value_or(1) && (!most || steps <= *most);
}

bool DataPorts::Allows(std::uint16_t port) const {
  return ranges.empty() ||
         std::ranges::any_of(ranges, [port](const PortRange& range) { return port >= range.from && port <= range.to; });
}

std::uint64_t Variable::StartSize() const {
  std::uint64_t size = 1;
  for (const Dimension& dimension : dimensions) {
    if (__builtin_mul_overflow(size, dimension.size, &size)) return ~std::uint64_t{0};
  }
  return size;
}

bool SlaveDescription::Supports(OpMode mode) const {
  if (mode == OpMode::HRT) return hard_real_time;
  return mode == OpMode::SRT ? soft_real_time : non_real_time.has_value();
}

bool SlaveDescription::AllowsResolution(std::uint32_t numerator, std::uint32_t denominator) const {
  if (resolutions.empty() && resolution_ranges.empty()) return true;
  const auto equal = [&](std::uint64_t other, std::uint64_t by) { return numerator * by == other * denominator; };
  if (std::ranges::any_of(resolutions, [&](const Resolution& one) { return equal(one.numerator, one.denominator); })) {
    return true;
  }
  return std::ranges::any_of(resolution_ranges, [&](const ResolutionRange& range) {
    return denominator == range.denominator && numerator >= range.numerator_from && numerator <= range.numerator_to;
  });
}

Resolution SlaveDescription::StandardResolution() const {
  for (const Resolution& one : resolutions) {
    if (one.is_fixed || one.is_recommended.value_or(false)) return one;
  }
  if (!resolutions.empty()) return resolutions.front();
  if (!resolution_ranges.empty()) {
    return {.numerator = resolution_ranges.front().numerator_from,
            .denominator = resolution_ranges.front().denominator,
            .is_fixed = false,
            .is_recommended = {}};
  }
  return {.numerator = 1, .denominator = 1000, .is_fixed = false, .is_recommended = {}};
}

const Resolution* SlaveDescription::FixedResolution() const {
  const auto found = std::ranges::find_if(resolutions, &Resolution::is_fixed);
  return found == resolutions.end() ? nullptr : &*found;
}

const Variable* SlaveDescription::Find(std::string_view variable_name) const {
  const auto found = std::ranges::find(variables, variable_name, &Variable::name);
  return found == variables.end() ? nullptr : &*found;
}

Index SlaveDescription::Find(ValueReference reference) const {
  const auto found = std::ranges::find(variables, reference, &Variable::value_reference);
  return found == variables.end() ? kNowhere : static_cast<Index>(found - variables.begin());
}

}  // namespace openmi::dcp
