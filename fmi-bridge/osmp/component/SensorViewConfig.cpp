#include "fmi-bridge/osmp/component/SensorViewConfig.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "fmi-bridge/osmp/wire/CommonMessages.hpp"

namespace openmi::osmp {
namespace {

namespace config = osi::field::sensor_view_configuration;

/// The fields of a message, sorted by number; fields of one number keep their order.
std::vector<osi::Message> Fields(osi::Message message) {
  std::vector<std::pair<std::uint32_t, osi::Message>> fields;
  for (osi::FieldReader in(message); in.Next();) fields.emplace_back(in.Number(), in.Whole());
  std::ranges::stable_sort(fields, {}, [](const auto& one) { return one.first; });
  std::vector<osi::Message> sorted;
  for (const auto& [number, whole] : fields) sorted.push_back(whole);
  return sorted;
}

bool IsMultiple(const osi::Timestamp& cycle, double step) {
  if (step <= 0.0) return true;
  const double ratio = cycle.Seconds() / step;
  return ratio > 0.5 && std::abs(ratio - std::round(ratio)) < 1e-6;
}

}  // namespace

Bytes AnswerRequest(osi::Message request, const ViewOffer& offer) {
  osi::MessageWriter out;
  std::set<std::uint32_t> stated;
  for (osi::FieldReader in(offer.own); in.Next();) stated.insert(in.Number());
  bool has_version = stated.contains(osi::field::kVersion);
  for (osi::FieldReader in(request); in.Next();) {
    if (stated.contains(in.Number()) || in.Number() == config::kSimulationStartTime) continue;
    if (in.Number() == config::kUpdateCycleTime && !IsMultiple(osi::ReadAs<osi::Timestamp>(in.Content()), offer.step)) {
      continue;
    }
    has_version |= in.Number() == osi::field::kVersion;
    out.Copy(in.Whole());
  }
  if (!has_version) osi::Write(out, osi::field::kVersion, osi::InterfaceVersion{});
  if (!stated.contains(config::kSimulationStartTime)) {
    osi::Write(out, config::kSimulationStartTime, osi::TimestampOf(offer.start));
  }
  out.Copy(offer.own);
  const osi::Message written = out.Written();
  return {written.begin(), written.end()};
}

bool HoldSameData(osi::Message a, osi::Message b) {
  if (std::ranges::equal(a, b)) return true;
  return std::ranges::equal(Fields(a), Fields(b),
                            [](osi::Message x, osi::Message y) { return std::ranges::equal(x, y); });
}

}  // namespace openmi::osmp
