#include "components/MuskingumCunge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/times/WholeSeconds.hpp"

namespace openmi {
namespace {

/// The least discharge, m3/s, for which flow is computed: below it, a segment is a linear reservoir.
constexpr double kLeastDischarge = 1e-6;

}  // namespace

MuskingumCunge::MuskingumCunge() : StatefulSteppingComponent("muskingum-cunge", "PT1H") {
  SetDescription("flow along a reach, by Muskingum-Cunge");
  SetRestartable(true);
  length_ = AddArgument<double>("length", {.caption = "length of the reach", .unit = "m", .minimum = 1e-3});
  slope_ = AddArgument<double>(
      "slope", {.caption = "slope of the bed", .description = "metres for each metre", .value = 1e-3, .minimum = 1e-7});
  roughness_ = AddArgument<double>("roughness", {.caption = "Manning's n", .value = 0.035, .minimum = 1e-4});
  bottom_width_ =
      AddArgument<double>("bottom-width", {.caption = "width of the bed", .unit = "m", .value = 10.0, .minimum = 0.0});
  bank_slope_ =
      AddArgument<double>("bank-slope", {.caption = "slope of the banks",
                                         .description = "height for each metre of width; 0: the banks are vertical",
                                         .value = 0.0,
                                         .minimum = 0.0});
  segment_count_ = AddArgument<std::int64_t>(
      "segments", {.caption = "parts into which the reach is divided", .value = 1, .minimum = 1, .maximum = 1000});
  initial_ = AddArgument<double>(
      "initial-flow", {.caption = "steady flow at the start", .unit = "m3 s-1", .value = 0.0, .minimum = 0.0});
  travel_hours_ = AddArgument<double>("travel-time",
                                      {.caption = "K of Muskingum's method with constant parameters",
                                       .description = "for the whole reach; 0: the parameters follow from the channel",
                                       .unit = "h",
                                       .value = 0.0,
                                       .minimum = 0.0});
  weight_ = AddArgument<double>(
      "weight",
      {.caption = "X of Muskingum's method", .description = "with travel-time", .value = 0.2, .maximum = 0.5});
}

void MuskingumCunge::Setup() {
  inflow_ = AddInput("inflow", "m3 s-1", {.caption = "flow into the upper end", .default_value = 0.0});
  lateral_ = AddInput("lateral-inflow", "m3 s-1",
                      {.caption = "flow that enters along the reach", .asks = InputTime::Span, .default_value = 0.0});
  outflow_ = AddOutput("outflow", "m3 s-1", {.caption = "flow out of the lower end"});
  depth_ = AddOutput("depth", "m", {.caption = "depth of uniform flow at the lower end"});
  channel_ = {.bottom_width = bottom_width_.Value(),
              .run = bank_slope_.Value() > 0.0 ? 1.0 / bank_slope_.Value() : 0.0,
              .roughness = roughness_.Value(),
              .slope = slope_.Value()};
  if (channel_.bottom_width == 0.0 && channel_.run == 0.0) {
    throw ArgumentError({.component = Caption(), .item = "bottom-width"},
                        "expected a width above 0 of a channel with vertical banks, found 0",
                        "set bottom-width or bank-slope");
  }
  segment_length_ = length_.Value() / static_cast<double>(segment_count_.Value());
}

bool MuskingumCunge::OnValidate(std::vector<std::string>& messages) {
  const double travel = travel_hours_.Value() * 3600.0 / static_cast<double>(segment_count_.Value());
  const double step = ToSeconds(TimeStep());
  const double weight = weight_.Value();
  if (travel > 0.0 && (step < 2.0 * travel * weight || step > 2.0 * travel * (1.0 - weight))) {
    messages.push_back(Error::Format(
        {.component = Caption(), .item = "weight"},
        fmt::format("a step of {:g} s lies outside of 2 K X to 2 K (1 - X), {:g} s to {:g} s, in which no coefficient "
                    "is negative: X is changed as little as that needs",
                    step, 2.0 * travel * weight, 2.0 * travel * (1.0 - weight)),
        "change time-step or segments"));
  }
  return StatefulSteppingComponent::OnValidate(messages);
}

MuskingumCunge::Weights MuskingumCunge::Limited(double courant, double reynolds, double seconds) const {
  const double d = std::clamp(reynolds, std::fabs(1.0 - courant), 1.0 + courant);
  return {.a = seconds * (1.0 - d) / (2.0 * courant), .b = seconds * (1.0 + d) / (2.0 * courant)};
}

MuskingumCunge::Weights MuskingumCunge::WeightsFor(double discharge, double seconds) {
  if (const double travel = travel_hours_.Value() * 3600.0; travel > 0.0) {
    const double courant = seconds * static_cast<double>(stored_.size()) / travel;
    return Limited(courant, 1.0 - 2.0 * weight_.Value(), seconds);
  }
  const double q = std::max(discharge, kLeastDischarge);
  const UniformFlow flow = FlowOf(channel_, q, last_depth_);
  last_depth_ = flow.depth;
  const double courant = flow.velocity * seconds / segment_length_;
  const double reynolds =
      q * flow.velocity / (flow.width * channel_.slope * flow.celerity * flow.celerity * segment_length_);
  return Limited(courant, reynolds, seconds);
}

void MuskingumCunge::Start(Stamp) {
  const double initial = initial_.Value();
  const auto segments = static_cast<std::size_t>(segment_count_.Value());
  flows_.assign(segments + 1, initial);
  stored_.assign(segments, 0.0);
  last_depth_ = 0.0;
  const Weights weights = WeightsFor(initial, ToSeconds(TimeStep()));
  std::ranges::fill(stored_, (weights.a + weights.b) * initial);
  in_ = out_ = 0.0;
  outflow_.Set(initial);
  depth_.Set(initial > 0.0 ? FlowOf(channel_, initial, last_depth_).depth : 0.0);
}

double MuskingumCunge::Route(std::size_t segment, double inflow, double next_inflow, double lateral, double seconds) {
  const double outflow = flows_[segment + 1];
  // What is there at the end of the step, apart from the outflow at that time.
  const double water = stored_[segment] + seconds * (0.5 * (inflow + next_inflow) + lateral - 0.5 * outflow);
  if (std::isnan(water)) return stored_[segment] = water;  // so is all that follows
  double next = outflow;
  Weights weights;
  constexpr int kMost = 30;
  for (int i = 0; i < kMost; ++i) {
    weights = WeightsFor(0.5 * (next_inflow + next), seconds);
    const double better = std::max(0.0, (water - weights.a * next_inflow) / (weights.b + 0.5 * seconds));
    const double change = std::fabs(better - next);
    next = better;
    if (!(change > 1e-10 * next)) break;
  }
  stored_[segment] = water - 0.5 * seconds * next;
  return next;
}

void MuskingumCunge::Step(Stamp from, Stamp to) {
  const double seconds = WholeSeconds(to - from);
  const double lateral = lateral_.Get() / static_cast<double>(stored_.size());
  double inflow = flows_[0];
  double next_inflow = inflow_.Get();
  in_ += seconds * (0.5 * (inflow + next_inflow) + lateral_.Get());
  const double last = flows_.back();
  flows_[0] = next_inflow;
  for (std::size_t segment = 0; segment < stored_.size(); ++segment) {
    const double outflow = Route(segment, inflow, next_inflow, lateral, seconds);
    inflow = flows_[segment + 1];
    next_inflow = flows_[segment + 1] = outflow;
  }
  out_ += 0.5 * seconds * (last + flows_.back());
  outflow_.Set(flows_.back());
  depth_.Set(flows_.back() > 0.0 ? FlowOf(channel_, flows_.back(), last_depth_).depth : 0.0 * flows_.back());
}

double MuskingumCunge::Storage() const {
  return std::accumulate(stored_.begin(), stored_.end(), 0.0);
}

BalanceTerms MuskingumCunge::Balance() const {
  return {.storage = Storage(), .in = in_, .out = out_};
}

void MuskingumCunge::SaveState(StateWriter& writer) const {
  writer.Write(flows_);
  writer.Write(stored_);
  for (const double value : {last_depth_, in_, out_}) writer.Write(value);
}

void MuskingumCunge::LoadState(StateReader& reader) {
  reader.ReadDoubles(flows_);
  reader.ReadDoubles(stored_);
  for (double* value : {&last_depth_, &in_, &out_}) *value = reader.ReadDouble();
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.MuskingumCunge", openmi::MuskingumCunge)
