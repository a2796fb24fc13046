#include "fmi-bridge/dcp/master/DataGroups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace openmi::dcp {

void DataGroups::Plan(std::span<const Index> inputs, std::span<const Index> outputs, std::span<const Index> stand_by) {
  inputs_.clear();
  outputs_.clear();
  Add(inputs_, inputs, false);
  Add(inputs_, stand_by, true);
  Add(outputs_, outputs, false);
  std::size_t largest = 64;
  for (const auto* groups : {&inputs_, &outputs_}) {
    for (const DataGroup& group : *groups) {
      largest = std::max(largest, group.layout.LargestPayload().value_or(group.layout.PayloadSize() + 65'536) + 16);
    }
  }
  buffer_.resize(largest);
}

void DataGroups::Add(std::vector<DataGroup>& groups, std::span<const Index> variables, bool stand_by) {
  const std::size_t most_bytes = sockets_.MostBytes() - kDataHead;
  for (const Index index : variables) {
    const Variable& variable = values_.VariableAt(index);
    TypedValue& value = values_.At(index);
    DataGroup fresh{.is_tunable = variable.IsTunable(), .stands_by = stand_by};
    if (&groups == &outputs_) {
      fresh.scope = variable.is_constant ? Scope::Initialization : Scope::InitializationAndRun;
      fresh.steps = variable.steps.Allows(options_.steps) ? options_.steps : variable.steps.standard;
    }
    const std::size_t bytes = IsText(value.Type()) ? std::size_t{4} + std::min<std::size_t>(value.MaxSize(), most_bytes)
                                                   : value.EncodedSize();
    DataGroup* group = nullptr;
    for (DataGroup& one : groups) {
      const std::size_t used = one.layout.LargestPayload().value_or(most_bytes);
      const bool has_room = used + bytes <= most_bytes && one.variables.size() < 65'535 &&
                            (options_.most_in_group == 0 || one.variables.size() < options_.most_in_group);
      const bool is_alike = one.is_tunable == fresh.is_tunable && one.stands_by == fresh.stands_by &&
                            one.scope == fresh.scope && one.steps == fresh.steps;
      if (is_alike && has_room) group = &one;
    }
    if (group == nullptr) {
      fresh.id = static_cast<std::uint16_t>(inputs_.size() + outputs_.size() + 1);
      if (!fresh.is_tunable) fresh.lane = groups.size() % sockets_.Lanes();
      group = &groups.emplace_back(std::move(fresh));
    }
    group->layout.Put(static_cast<std::uint16_t>(group->variables.size()),
                      {.value_reference = variable.value_reference, .wire_type = value.Type(), .value = &value});
    group->variables.push_back(index);
  }
}

std::uint16_t DataGroups::SendInputs(bool all) {
  has_missed_inputs_ = false;
  for (DataGroup& group : inputs_) {
    if (group.stands_by && !all && !takes_over_) continue;
    if (const std::size_t size = group.layout.PayloadSize(); size + kDataHead > buffer_.size())
      buffer_.resize(size + 64);
    const PduType type = group.is_tunable ? PduType::DAT_parameter : PduType::DAT_input_output;
    const std::size_t size = EncodeData(type, group.sequence++, group.id, group.layout, buffer_);
    if (!sockets_.SendData(group.is_tunable, group.lane, ByteView(buffer_).first(size))) return group.id;
    ++counts_.data_sent;
  }
  return 0;
}

std::string DataGroups::LastInputs() const {
  std::string text;
  for (const DataGroup& group : inputs_) {
    if (group.stands_by && !takes_over_) continue;
    text += fmt::format("{}PDU {} of data {}", text.empty() ? "" : ", ", static_cast<std::uint16_t>(group.sequence - 1),
                        group.id);
    if (text.size() > 200) return text + ", ...";
  }
  return text;
}

void DataGroups::NoteMissed(std::uint16_t id) {
  ++counts_.inputs_missed;
  ++counts_.data_missed;
  // else another slave sends it directly
  has_missed_inputs_ = has_missed_inputs_ || std::ranges::find(inputs_, id, &DataGroup::id) != inputs_.end();
}

bool DataGroups::AreFresh(bool at_initialization) const {
  return std::ranges::all_of(outputs_, [this, at_initialization](const DataGroup& group) {
    if (group.is_fresh || at_initialization) return group.is_fresh;
    // In real time a group may be sent less often than this side steps.
    const bool is_slower = options_.mode != OpMode::NRT && !options_.is_lock_step && group.steps > options_.steps;
    return group.scope == Scope::Initialization || is_slower;
  });
}

bool DataGroups::Take(const Dat& data) {
  const auto group = std::ranges::find(outputs_, data.id, &DataGroup::id);
  if (data.type != PduType::DAT_input_output || group == outputs_.end()) {
    ++counts_.strays;
    return false;
  }
  ++counts_.data_received;
  const SequenceWatch::Verdict verdict = group->watch.See(data.sequence);
  if (verdict == SequenceWatch::Verdict::Duplicate || verdict == SequenceWatch::Verdict::Late) {
    ++(verdict == SequenceWatch::Verdict::Late ? counts_.late : counts_.duplicated);
    return false;
  }
  if (verdict == SequenceWatch::Verdict::Gap) counts_.data_missed += group->watch.Missed();
  if (!group->layout.DecodePayload(data.payload)) {
    ++counts_.strays;
    return false;
  }
  group->is_fresh = true;
  return verdict == SequenceWatch::Verdict::First;
}

}  // namespace openmi::dcp
