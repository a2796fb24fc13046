#include "examples/river-basin/numerics/MuskingumReach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "openmi/sdk/Error.hpp"

namespace riverbasin {

namespace {

void RequirePositive(const char* name, double value, const char* unit) {
  if (!(value > 0.0) || !std::isfinite(value)) {
    throw openmi::ArgumentError({},
                                fmt::format("expected the {} of a reach to be above 0 {}, found {}", name, unit, value),
                                "correct it in the file of reaches");
  }
}

double Submergence(double tail, double upstream) {
  if (tail <= 0.0) return 1.0;
  if (tail >= upstream) return 0.0;
  return std::pow(1.0 - std::pow(tail / upstream, 1.5), 0.385);
}

/// The flow O that leaves through a submerged outlet:  O = f(depth without O + held back by O) * free.
///
/// Implicit in the depth at the end of the sub-step: the factor is so steep where the two levels meet that an explicit
/// one would shut and open the outlet in turns. The right-hand side falls as O grows, so there is one solution;
/// bisection.
double SubmergedFlow(double free, double depth_if_free, double depth_of_flow, double tail) {
  double low = 0.0;
  double high = free;
  for (int i = 0; i < 60; ++i) {
    const double flow = 0.5 * (low + high);
    (flow < free * Submergence(tail, depth_if_free + (free - flow) * depth_of_flow) ? low : high) = flow;
  }
  return 0.5 * (low + high);
}

}  // namespace

MuskingumParameters CungeParameters(const ReachGeometry& geometry) {
  RequirePositive("length", geometry.length, "m");
  RequirePositive("slope", geometry.slope, "m/m");
  RequirePositive("width", geometry.width, "m");
  RequirePositive("roughness", geometry.roughness, "s m-1/3");
  RequirePositive("reference discharge", geometry.reference_discharge, "m3 s-1");
  const double per_width = geometry.reference_discharge / geometry.width;
  const double depth = std::pow(per_width * geometry.roughness / std::sqrt(geometry.slope), 0.6);
  const double celerity = 5.0 / 3.0 * per_width / depth;
  const double weight = 0.5 * (1.0 - per_width / (geometry.slope * celerity * geometry.length));
  return {geometry.length / celerity, std::clamp(weight, 0.0, 0.45)};
}

MuskingumReach::MuskingumReach(MuskingumParameters parameters, double surface, double step)
    : weight_(parameters.weight) {
  RequirePositive("travel time", parameters.travel_time, "s");
  RequirePositive("surface", surface, "m2");
  RequirePositive("step", step, "s");
  if (!(weight_ >= 0.0 && weight_ <= 0.45)) {
    throw openmi::ArgumentError({}, fmt::format("expected the weight X of a reach within 0 .. 0.45, found {}", weight_),
                                "above 0.45 the limits 2 K X and 2 K (1 - X) leave hardly any step");
  }
  // The fewest pieces for which some whole number of sub-steps lies between the two limits. More pieces flatten the
  // wave less than the law asks for, so not one more than needed.
  int segments = 1;
  for (;; ++segments) {
    const double travel_time = parameters.travel_time / segments;
    sub_steps_ = std::max(1, static_cast<int>(std::ceil(step / (2.0 * travel_time * (1.0 - weight_)))));
    if (step / sub_steps_ >= 2.0 * travel_time * weight_) break;
  }
  travel_time_ = parameters.travel_time / segments;
  surface_ = surface / segments;
  sub_step_ = step / sub_steps_;
  volumes_.assign(static_cast<std::size_t>(segments), 0.0);
}

void MuskingumReach::StartSteady(double inflow, double lateral) {
  double flow = inflow;
  for (double& volume : volumes_) {
    flow += lateral / static_cast<double>(volumes_.size());
    volume = travel_time_ * flow;
  }
}

double MuskingumReach::RouteSegment(double& volume, double inflow) const {
  const double outflow = (volume + (0.5 * sub_step_ - travel_time_ * weight_) * inflow) /
                         (travel_time_ * (1.0 - weight_) + 0.5 * sub_step_);
  volume += sub_step_ * (inflow - outflow);
  return outflow;
}

double MuskingumReach::Route(double inflow, double lateral, Tailwater tailwater) {
  const double share = lateral / static_cast<double>(volumes_.size());
  double total = 0.0;
  for (int i = 0; i < sub_steps_; ++i) {
    double flow = inflow;
    for (double& volume : volumes_) flow = RouteSegment(volume, flow + share);
    if (tailwater.depth > 0.0 && flow > 0.0) {
      const double passes = SubmergedFlow(flow, OutletDepth(), sub_step_ / surface_, tailwater.depth);
      volumes_.back() += sub_step_ * (flow - passes);
      flow = passes;
    }
    total += flow;
  }
  return total / sub_steps_;
}

double MuskingumReach::Storage() const {
  double sum = 0.0;
  for (const double volume : volumes_) sum += volume;
  return sum;
}

double MuskingumReach::OutletDepth() const {
  return volumes_.back() / surface_;
}

}  // namespace riverbasin
