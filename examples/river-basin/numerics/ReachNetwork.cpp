#include "examples/river-basin/numerics/ReachNetwork.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "openmi/sdk/Error.hpp"

namespace riverbasin {

ReachNetwork::ReachNetwork(std::vector<ReachDescription> reaches, double step)
    : descriptions_(std::move(reaches)), from_above_(descriptions_.size(), 0.0), step_(step) {
  std::map<std::string, std::size_t> by_id;
  for (std::size_t i = 0; i < descriptions_.size(); ++i) {
    const ReachDescription& reach = descriptions_[i];
    if (!by_id.emplace(reach.id, i).second) {
      throw openmi::FormatError({}, fmt::format("expected reaches with different ids, found '{}' twice", reach.id),
                                "rename one in the file of reaches");
    }
    reaches_.emplace_back(CungeParameters(reach.geometry), reach.geometry.length * reach.geometry.width, step);
  }
  std::vector<int> waiting_for(Size(), 0);
  for (std::size_t i = 0; i < Size(); ++i) {
    const auto found = by_id.find(descriptions_[i].downstream);
    downstream_.push_back(found == by_id.end() ? kNone : found->second);
    if (downstream_[i] == kNone) {
      outlets_.push_back(i);
    } else {
      ++waiting_for[downstream_[i]];
    }
  }
  for (std::size_t i = 0; i < Size(); ++i) {
    if (waiting_for[i] == 0) order_.push_back(i);
  }
  for (std::size_t next = 0; next < order_.size(); ++next) {
    const std::size_t down = downstream_[order_[next]];
    if (down != kNone && --waiting_for[down] == 0) order_.push_back(down);
  }
  if (order_.size() != Size()) {
    const auto in_loop = std::find_if(waiting_for.begin(), waiting_for.end(), [](int count) { return count > 0; });
    const auto& id = descriptions_[static_cast<std::size_t>(in_loop - waiting_for.begin())].id;
    throw openmi::FormatError({}, fmt::format("expected reaches that flow to an outlet, found '{}' on a loop", id),
                              "correct 'toid' in the file of reaches");
  }
}

void ReachNetwork::StartSteady(std::span<const double> lateral) {
  std::fill(from_above_.begin(), from_above_.end(), 0.0);
  for (const std::size_t i : order_) {
    reaches_[i].StartSteady(from_above_[i], lateral[i]);
    if (downstream_[i] != kNone) from_above_[downstream_[i]] += from_above_[i] + lateral[i];
  }
}

void ReachNetwork::Step(std::span<const double> lateral, Tailwater tailwater, std::span<double> outflow) {
  std::fill(from_above_.begin(), from_above_.end(), 0.0);
  for (const std::size_t i : order_) {
    const bool leaves = downstream_[i] == kNone;
    outflow[i] = reaches_[i].Route(from_above_[i], lateral[i], leaves ? tailwater : Tailwater{});
    inflow_ += lateral[i] * step_;
    if (leaves) {
      outflow_ += outflow[i] * step_;
    } else {
      from_above_[downstream_[i]] += outflow[i];
    }
  }
}

std::vector<double> ReachNetwork::States() const {
  std::vector<double> states = {inflow_, outflow_};
  for (const MuskingumReach& reach : reaches_)
    states.insert(states.end(), reach.Volumes().begin(), reach.Volumes().end());
  return states;
}

void ReachNetwork::SetStates(std::span<const double> states) {
  inflow_ = states[0];
  outflow_ = states[1];
  std::size_t at = 2;
  for (MuskingumReach& reach : reaches_) {
    for (double& volume : reach.Volumes()) volume = states[at++];
  }
}

double ReachNetwork::Storage() const {
  double sum = 0.0;
  for (const MuskingumReach& reach : reaches_) sum += reach.Storage();
  return sum;
}

}  // namespace riverbasin
