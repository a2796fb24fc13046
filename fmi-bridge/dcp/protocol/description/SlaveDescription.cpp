#include "fmi-bridge/dcp/protocol/description/SlaveDescription.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace openmi::dcp {

namespace {

constexpr std::array<const char*, kDataTypes> kTypes = {"Uint8", "Uint16", "Uint32",  "Uint64",  "Int8",   "Int16",
                                                        "Int32", "Int64",  "Float32", "Float64", "String", "Binary"};

/// Nothing for a number that is not whole, below 1 or too large.
std::optional<std::uint64_t> Whole(double number) {
  constexpr double kMost = 9e15;  // a double counts no further
  const double whole = std::round(number);
  if (!(whole >= 1.0 && whole < kMost) || std::abs(number - whole) > 1e-6) return std::nullopt;
  return static_cast<std::uint64_t>(whole);
}

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

std::optional<Resolution> SlaveDescription::ResolutionFor(double step,
                                                          const std::function<bool(std::uint32_t)>& allows) const {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::vector<Resolution> listed = resolutions;
  std::stable_partition(listed.begin(), listed.end(),  // clang 14 refuses that of std::ranges
                        [](const Resolution& one) { return one.is_recommended.value_or(false); });
  listed.insert(listed.begin(), StandardResolution());
  for (const Resolution& one : listed) {
    const auto parts = Whole(step / one.Seconds());
    if (parts && *parts <= kMost && allows(static_cast<std::uint32_t>(*parts))) return one;
  }
  std::vector<ResolutionRange> ranges = resolution_ranges;
  if (resolutions.empty() && ranges.empty()) {  // any
    for (const std::uint32_t denominator : {1'000U, 1'000'000U, 1'000'000'000U}) {
      ranges.push_back({.numerator_from = 1, .numerator_to = kMost, .denominator = denominator});
    }
  }
  int tries = 100'000;  // over all ranges: a file from elsewhere must not keep this side busy
  for (const ResolutionRange& range : ranges) {
    const auto numerators = Whole(step * range.denominator);
    if (!numerators || range.numerator_from == 0) continue;
    const std::uint64_t fewest = (*numerators + range.numerator_to - 1) / range.numerator_to;
    for (std::uint64_t parts = fewest; parts <= std::min(*numerators / range.numerator_from, kMost); ++parts) {
      if (--tries < 0) return std::nullopt;
      if (*numerators % parts != 0 || !allows(static_cast<std::uint32_t>(parts))) continue;
      return Resolution{.numerator = static_cast<std::uint32_t>(*numerators / parts),
                        .denominator = range.denominator,
                        .is_fixed = false,
                        .is_recommended = {}};
    }
  }
  return std::nullopt;
}

std::string SlaveDescription::ResolutionsText() const {
  std::vector<std::string> all;
  for (const Resolution& one : resolutions) {
    all.push_back(fmt::format("{}/{} s{}{}", one.numerator, one.denominator, one.is_fixed ? " (fixed)" : "",
                              one.is_recommended.value_or(false) ? " (recommended)" : ""));
  }
  for (const ResolutionRange& range : resolution_ranges) {
    all.push_back(fmt::format("{} to {}/{} s", range.numerator_from, range.numerator_to, range.denominator));
  }
  return all.empty() ? "any" : fmt::format("{}", fmt::join(all, ", "));
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
