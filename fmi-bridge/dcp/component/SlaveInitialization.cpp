// How slaves that are linked to each other come to their initial values.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "adaptors/RowAdaptor.hpp"
#include "composition/run/LinkEnd.hpp"
#include "composition/run/StandIn.hpp"
#include "fmi-bridge/dcp/component/Slave.hpp"
#include "fmi-bridge/dcp/component/SlaveItems.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::dcp {
namespace {

/// What a linked input hangs on, where that is an output of a slave of this process.
struct Origin {
  Slave* slave = nullptr;  ///< null: of something else, or by an adaptor that looks at other times
  const IBaseOutput* output = nullptr;
  std::vector<IBaseAdaptedOutput*> adaptors;  ///< of the link, from the output on
};

Origin OriginOf(const IBaseInput& input) {
  Origin origin;
  IBaseOutput* output = input.Provider();
  if (const auto* end = dynamic_cast<const LinkEnd*>(output)) output = &end->Source();
  while (auto* adapted = dynamic_cast<IBaseAdaptedOutput*>(output)) {
    if (dynamic_cast<const StandIn*>(adapted) == nullptr) {
      if (dynamic_cast<const RowAdaptor*>(adapted) == nullptr) return {};
      origin.adaptors.insert(origin.adaptors.begin(), adapted);
    }
    output = &adapted->Adaptee();
  }
  if (output != nullptr) origin.slave = dynamic_cast<Slave*>(output->Component());
  origin.output = output;
  return origin;
}

/// Prepared, but for what Prepare does.
bool IsWaiting(const Slave& slave) {
  const LinkableComponentStatus status = slave.Status();
  return status == LinkableComponentStatus::Initialized || status == LinkableComponentStatus::Valid;
}

/// What a link says at `begin`, past whoever listens there: of what is tried out nobody is to hear.
const ITimeSpaceValueSet& AskAt(Stamp begin, NumericInput& input) {
  input.EditTimeSet().SetSingle(begin);
  if (auto* end = dynamic_cast<LinkEnd*>(input.Provider())) return end->Ask();
  return dynamic_cast<ITimeSpaceOutput&>(*input.Provider()).GetValues(input);
}

/// The newest of the rows. \returns false where there are not as many values as `row` has places
bool TakeRow(const ITimeSpaceValueSet& values, std::span<double> row) {
  const std::size_t times = values.GetIndexCount({});
  if (times == 0) return false;
  const std::size_t last = times - 1;
  if (values.GetIndexCount(std::span(&last, 1)) != row.size()) return false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = values.GetValue(static_cast<int>(last), static_cast<int>(i)).Number().value_or(std::nan(""));
  }
  return true;
}

}  // namespace

bool Slave::HasValuesAt(Stamp begin, const IBaseOutput& output) const {
  if (!is_initialized_ || !SameTime(is_started_ ? CurrentTime() : StartTime(), begin)) return false;
  const auto is_it = [&output](const auto& port) { return port.output == &output; };
  return std::ranges::any_of(numeric_ports_, is_it) || std::ranges::any_of(value_ports_, is_it);
}

void Slave::AddWithSources(Stamp begin, std::vector<Slave*>& seen, std::vector<Slave*>& group) {
  seen.push_back(this);
  const auto look_at = [&](const IBaseInput* input) {
    if (input == nullptr || input->Provider() == nullptr) return;
    Slave* source = OriginOf(*input).slave;
    if (source == nullptr || std::ranges::find(seen, source) != seen.end()) return;
    if (!IsWaiting(*source) || source->is_initialized_ || !SameTime(source->StartTime(), begin)) return;
    source->AddWithSources(begin, seen, group);
  };
  if (initial_rounds_.Value() > 0) {
    for (const NumericPort& port : numeric_ports_) look_at(port.input);
    for (const ValuePort& port : value_ports_) look_at(port.input);
  }
  group.push_back(this);
}

void Slave::InitializeTogether(Stamp begin) {
  std::vector<Slave*> seen, group;
  AddWithSources(begin, seen, group);
  for (Slave* one : group) {
    one->ReachPrepared();
    for (const auto& data : one->direct_out_) data->to->ReachPrepared();
  }
  int most = 1;
  for (Slave* one : group) {
    one->session_->Connect();
    most = std::max(most, one->initial_rounds_.Value());
  }
  std::string moved;  // in the round before
  for (int round = 1;; ++round) {
    std::string moving;
    bool is_settled = true;
    for (Slave* one : group) {
      const bool is_moved = one->TakeInitialInputs(begin, moving);
      if (!is_moved && one->is_initialized_) continue;
      is_settled = false;
      if (round > most) continue;
      for (Slave* other : group) other->session_->Beat();
      one->session_->Initialize();
      one->is_initialized_ = true;
      one->ShowInitialOutputs(begin);
    }
    if (is_settled) return;
    if (!moving.empty()) Log(fmt::format("initialization, round {}: {}", round, moving));
    if (round <= most) {
      moved = std::move(moving);
      continue;
    }
    throw ModelError({.file = path_.string(), .component = Caption()},
                     fmt::format("expected initial values of slaves that depend on each other to stay after {} rounds "
                                 "of initialization, found that these still move: {}",
                                 most, moved),
                     "raise initial-rounds or initial-tolerance, or set initial-rounds=0 at one of them, which then "
                     "begins with its start values");
  }
}

bool Slave::TakeInitialInputs(Stamp begin, std::string& moving) {
  if (initial_rounds_.Value() == 0) return false;
  bool is_moved = false;
  const auto note = [&](Index variable, const std::string& before, const std::string& after) {
    is_moved = true;
    moving += fmt::format("{}{}.{} (from {} to {})", moving.empty() ? "" : ", ", Caption(), VariableAt(variable).name,
                          before, after);
  };
  std::vector<double> before, after;
  for (NumericPort& port : numeric_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    const Origin origin = OriginOf(*port.input);
    if (origin.slave == nullptr || !origin.slave->HasValuesAt(begin, *origin.output)) continue;
    if (origin.slave == this || IsWaiting(*origin.slave)) {  // else they were when it was prepared
      for (IBaseAdaptedOutput* adaptor : origin.adaptors) adaptor->Initialize();
    }
    TypedValue& value = session_->Values().At(port.variable);
    before.resize(value.Elements());
    after.resize(value.Elements());
    value.Numbers(before);
    if (!TakeRow(AskAt(begin, *port.input), after)) continue;  // the first step says what is wrong
    if (!IsFloat(value.Type())) RequireWhole(Caption(), VariableAt(port.variable), after);
    value.SetNumbers(after);
    value.Numbers(after);
    std::size_t most = 0;  // the element that moves most
    double change = 0.0;
    bool is_same = true;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (std::memcmp(&before[i], &after[i], sizeof(double)) == 0) continue;
      is_same = false;
      port.initial_size = std::max({port.initial_size, std::abs(before[i]), std::abs(after[i])});
      const double own = std::abs(after[i] - before[i]);
      if (own <= change) continue;  // not for a missing value
      change = own;
      most = i;
      if (std::isnan(own)) break;
    }
    if (is_same) continue;
    if (change <= initial_tolerance_.Value() * port.initial_size) {
      value.SetNumbers(before);  // what the slave was initialized with is what is compared again
      continue;
    }
    note(port.variable, fmt::format("{}", before[most]), fmt::format("{}", after[most]));
  }
  for (const ValuePort& port : value_ports_) {
    if (port.input == nullptr || port.input->Provider() == nullptr) continue;
    const Origin origin = OriginOf(*port.input);
    if (origin.slave == nullptr || !origin.slave->HasValuesAt(begin, *origin.output)) continue;
    const auto& values = dynamic_cast<const ITimeSpaceValueSet&>(port.input->Provider()->Values());
    if (values.GetIndexCount({}) == 0) continue;
    TypedValue& value = session_->Values().At(port.variable);
    const std::string text(value.Text());
    SetFromValue(Caption(), VariableAt(port.variable), values.GetValue(0, 0), value);
    if (value.Text() == text) continue;
    note(port.variable, fmt::format("{} bytes", text.size()), fmt::format("{} other bytes", value.Text().size()));
  }
  return is_moved;
}

void Slave::ShowInitialOutputs(Stamp begin) {
  for (const NumericPort& port : numeric_ports_) {
    if (port.output == nullptr) continue;
    port.output->Reset();
    session_->Values().At(port.variable).Numbers(port.output->NextRow());
    port.output->PublishAt(begin, Days{});
  }
  for (const ValuePort& port : value_ports_) {
    if (port.output != nullptr) port.output->Set(0, ValueOf(session_->Values().At(port.variable)));
  }
}

}  // namespace openmi::dcp
