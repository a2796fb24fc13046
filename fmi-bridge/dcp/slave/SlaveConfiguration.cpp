#include "fmi-bridge/dcp/slave/SlaveConfiguration.hpp"

#include <algorithm>
#include <cstring>

namespace openmi::dcp {
namespace {

using enum ErrorCode;

bool HasGap(const auto& groups) {
  return std::ranges::any_of(groups, [](const auto& entry) { return entry.second.layout.Gap().has_value(); });
}

/// Whether a group that carries something has no address to arrive at.
bool LacksSource(const SlaveConfiguration::Groups& groups) {
  return std::ranges::any_of(groups,
                             [](const auto& entry) { return !entry.second.layout.IsEmpty() && !entry.second.source; });
}

bool AllowsSteps(const SlaveValues& values, const OutputGroup& group, std::uint32_t steps) {
  return std::ranges::all_of(group.layout.Places(), [&](const DataLayout::Place& place) {
    if (place.value == nullptr) return true;
    return values.VariableAt(values.Find(place.value_reference)).steps.Allows(steps);
  });
}

bool FitsTransport(const Transports& transports, const DataLayout& layout, TransportProtocol protocol) {
  const std::optional<Ipv4>& transport = transports.Of(protocol);
  const std::optional<std::size_t> largest = layout.LargestPayload();
  // A text without a largest size is checked when it is sent.
  return !largest || (transport && kDataHead + *largest <= transport->max_pdu_size);
}

}  // namespace

SlaveConfiguration::SlaveConfiguration(SlaveValues& values,
                                       std::function<bool(const CfgNetworkInformation&)> is_allowed)
    : values_(values), is_allowed_(std::move(is_allowed)) {}

ErrorCode SlaveConfiguration::Apply(const CfgTimeRes& pdu) {
  if (pdu.numerator == 0 || pdu.denominator == 0) return INVALID_TIME_RESOLUTION;
  if (!values_.Description().AllowsResolution(pdu.numerator, pdu.denominator)) return INVALID_TIME_RESOLUTION;
  resolution_ =
      Resolution{.numerator = pdu.numerator, .denominator = pdu.denominator, .is_fixed = false, .is_recommended = {}};
  return NONE;
}

ErrorCode SlaveConfiguration::Apply(const CfgSteps& pdu) {
  if (pdu.steps == 0) return INVALID_STEPS;
  const auto group = outputs_.find(pdu.data_id);
  if (group != outputs_.end() && !AllowsSteps(values_, group->second, pdu.steps)) return INVALID_STEPS;
  steps_[pdu.data_id] = pdu.steps;
  return NONE;
}

bool SlaveConfiguration::HasRoomFor(const DataLayout& layout, std::uint16_t position) {
  const std::size_t now = layout.Places().size();
  const std::size_t further = position >= now ? std::size_t{position} + 1 - now : 0;
  if (places_ + further > kMostPlaces) return false;
  places_ += further;
  return true;
}

ErrorCode SlaveConfiguration::PutInput(Groups& groups, std::uint16_t id, std::uint16_t position, Index index,
                                       DataType source) {
  const Variable& variable = values_.VariableAt(index);
  if (!CanConvert(source, variable.Type())) return INVALID_SOURCE_DATA_TYPE;
  InputGroup& group = groups[id];
  if (!HasRoomFor(group.layout, position)) return NOT_SUPPORTED_PDU_SIZE;
  group.layout.Put(position,
                   {.value_reference = variable.value_reference, .wire_type = source, .value = &values_.At(index)});
  if (const auto& most = variable.max_consecutive_missed_pdus) {
    group.most_missed = std::min(*most, group.most_missed.value_or(*most));
  }
  return NONE;
}

ErrorCode SlaveConfiguration::Apply(const CfgInput& pdu) {
  const Index index = values_.Find(pdu.target_vr);
  if (index == kNowhere || values_.VariableAt(index).kind != VariableKind::Input) return INVALID_VALUE_REFERENCE;
  return PutInput(inputs_, pdu.data_id, pdu.position, index, pdu.source_type);
}

ErrorCode SlaveConfiguration::Apply(const CfgTunableParameter& pdu) {
  const Index index = values_.Find(pdu.parameter_vr);
  if (index == kNowhere || !values_.VariableAt(index).IsTunable()) return INVALID_VALUE_REFERENCE;
  return PutInput(parameters_, pdu.param_id, pdu.position, index, pdu.source_type);
}

ErrorCode SlaveConfiguration::Apply(const CfgOutput& pdu) {
  const Index index = values_.Find(pdu.source_vr);
  if (index == kNowhere || values_.VariableAt(index).kind != VariableKind::Output) return INVALID_VALUE_REFERENCE;
  const Variable& variable = values_.VariableAt(index);
  const auto steps = steps_.find(pdu.data_id);
  if (steps != steps_.end() && !variable.steps.Allows(steps->second)) return INVALID_STEPS;
  DataLayout& layout = outputs_[pdu.data_id].layout;
  if (!HasRoomFor(layout, pdu.position)) return NOT_SUPPORTED_PDU_SIZE;
  layout.Put(pdu.position,
             {.value_reference = variable.value_reference, .wire_type = variable.Type(), .value = &values_.At(index)});
  return NONE;
}

ErrorCode SlaveConfiguration::Apply(const CfgNetworkInformation& pdu) {
  const bool is_ipv4 = pdu.protocol == TransportProtocol::UDP_IPv4 || pdu.protocol == TransportProtocol::TCP_IPv4;
  const Transports& transports = values_.Description().transports;
  if (!is_ipv4 || !transports.Of(pdu.protocol)) return INVALID_TRANSPORT_PROTOCOL;
  const Ipv4& transport = *transports.Of(pdu.protocol);
  const bool is_target = pdu.type == PduType::CFG_target_network_information;
  const bool is_parameter = pdu.type == PduType::CFG_param_network_information;
  if (pdu.port == 0) return INVALID_NETWORK_INFORMATION;
  if (is_target && pdu.address == 0) return INVALID_NETWORK_INFORMATION;
  if (!is_target) {
    const std::optional<DataPorts>& ports = is_parameter ? transport.parameters : transport.data;
    if (ports && !ports->Allows(pdu.port)) return INVALID_NETWORK_INFORMATION;
  }
  if (is_allowed_ && !is_allowed_(pdu)) return INVALID_NETWORK_INFORMATION;
  const NetworkPlace place{.protocol = pdu.protocol, .address = pdu.address, .port = pdu.port};
  if (is_target) {
    std::vector<NetworkPlace>& targets = outputs_[pdu.id].targets;
    if (std::ranges::find(targets, place) == targets.end()) targets.push_back(place);
  } else {
    (is_parameter ? parameters_ : inputs_)[pdu.id].source = place;
  }
  return NONE;
}

ErrorCode SlaveConfiguration::Apply(const CfgParameter& pdu) {
  const Index index = values_.Find(pdu.parameter_vr);
  if (index == kNowhere) return INVALID_VALUE_REFERENCE;
  const VariableKind kind = values_.VariableAt(index).kind;
  const bool is_structural = kind == VariableKind::StructuralParameter;
  if (!is_structural && kind != VariableKind::Parameter) return INVALID_VALUE_REFERENCE;
  TypedValue& value = values_.At(index);
  if (!CanConvert(pdu.source_type, value.Type())) return INVALID_SOURCE_DATA_TYPE;
  if (value.Measure(pdu.source_type, pdu.value) != pdu.value.size()) {
    std::uint32_t length = 0;
    if (pdu.value.size() >= sizeof length) std::memcpy(&length, pdu.value.data(), sizeof length);
    return IsText(value.Type()) && length > value.MaxSize() ? INVALID_PAYLOAD : INVALID_LENGTH;
  }
  if (IsText(value.Type())) {
    value.Take(pdu.source_type, pdu.value);
    return NONE;
  }
  const TypedValue before = value;
  value.Take(pdu.source_type, pdu.value);
  if (!values_.IsWithinLimits(index) || (is_structural && !values_.FollowStructure())) {
    values_.At(index) = before;
    return PROTOCOL_ERROR_PROPERTY_VIOLATED;
  }
  return NONE;
}

ErrorCode SlaveConfiguration::Apply(const CfgLogging& pdu) {
  const CapabilityFlags& flags = values_.Description().capabilities;
  if (pdu.mode == LogMode::OnRequest && !flags.can_provide_log_on_request) return NOT_SUPPORTED_LOG_ON_REQUEST;
  if (pdu.mode == LogMode::OnNotification && !flags.can_provide_log_on_notification) {
    return NOT_SUPPORTED_LOG_ON_NOTIFICATION;
  }
  const auto& log = values_.Description().log;
  if (pdu.category != 0 &&
      (!log || std::ranges::find(log->categories, pdu.category, &LogCategory::id) == log->categories.end())) {
    return INVALID_LOG_CATEGORY;
  }
  if (pdu.level > LogLevel::Debug) return INVALID_LOG_LEVEL;
  if (pdu.mode > LogMode::OnNotification) return INVALID_LOG_MODE;
  const auto level = static_cast<std::size_t>(pdu.level);
  for (std::size_t category = 0; category < log_modes_.size(); ++category) {
    if (pdu.category == 0 || pdu.category == category) log_modes_[category][level] = pdu.mode;
  }
  return NONE;
}

LogMode SlaveConfiguration::LogModeOf(std::uint8_t category, LogLevel level) const {
  return level > LogLevel::Debug ? LogMode::None : log_modes_[category][static_cast<std::size_t>(level)];
}

ErrorCode SlaveConfiguration::Apply(const CfgScope& pdu) {
  if (pdu.scope > Scope::Run) return INVALID_SCOPE;
  scopes_[pdu.data_id] = pdu.scope;
  return NONE;
}

void SlaveConfiguration::Clear() {
  inputs_.clear();
  parameters_.clear();
  outputs_.clear();
  steps_.clear();
  scopes_.clear();
  resolution_.reset();
  log_modes_ = {};
  places_ = 0;
  values_.Reset();
}

ErrorCode SlaveConfiguration::CheckComplete(OpMode mode) const {
  if (HasGap(inputs_)) return INCOMPLETE_CONFIG_GAP_INPUT_POS;
  if (HasGap(outputs_)) return INCOMPLETE_CONFIG_GAP_OUTPUT_POS;
  if (HasGap(parameters_)) return INCOMPLETE_CONFIG_GAP_TUNABLE_POS;
  if (LacksSource(inputs_)) return INCOMPLETE_CONFIG_NW_INFO_INPUT;
  const auto lacks_target = [](const auto& entry) {
    return !entry.second.layout.IsEmpty() && entry.second.targets.empty();
  };
  if (std::ranges::any_of(outputs_, lacks_target)) return INCOMPLETE_CONFIG_NW_INFO_OUTPUT;
  if (LacksSource(parameters_)) return INCOMPLETE_CONFIG_NW_INFO_TUNABLE;
  const auto has_content = [](const auto& entry) { return !entry.second.layout.IsEmpty(); };
  if (mode != OpMode::NRT && std::ranges::any_of(outputs_, [&](const auto& entry) {
        return has_content(entry) && !steps_.contains(entry.first);
      })) {
    return INCOMPLETE_CONFIG_STEPS;
  }
  if (!resolution_ && values_.Description().FixedResolution() == nullptr) return INCOMPLETE_CONFIG_TIME_RESOLUTION;
  const auto lacks_scope = [&](const auto& entry) { return has_content(entry) && !scopes_.contains(entry.first); };
  if (std::ranges::any_of(inputs_, lacks_scope) || std::ranges::any_of(outputs_, lacks_scope)) {
    return INCOMPLETE_CONFIG_SCOPE;
  }
  const Transports& transports = values_.Description().transports;
  const auto source_fits = [&](const auto& entry) {
    return !has_content(entry) || FitsTransport(transports, entry.second.layout, entry.second.source->protocol);
  };
  const auto targets_fit = [&](const auto& entry) {
    return std::ranges::all_of(entry.second.targets, [&](const NetworkPlace& target) {
      return FitsTransport(transports, entry.second.layout, target.protocol);
    });
  };
  if (!std::ranges::all_of(inputs_, source_fits) || !std::ranges::all_of(parameters_, source_fits) ||
      !std::ranges::all_of(outputs_, targets_fit)) {
    return NOT_SUPPORTED_PDU_SIZE;
  }
  return NONE;
}

Resolution SlaveConfiguration::TimeResolution() const {
  return resolution_ ? *resolution_ : values_.Description().StandardResolution();
}

std::uint32_t SlaveConfiguration::StepsOf(std::uint16_t data_id) const {
  const auto configured = steps_.find(data_id);
  if (configured != steps_.end()) return configured->second;
  const auto group = outputs_.find(data_id);
  if (group == outputs_.end() || group->second.layout.IsEmpty()) return 1;
  return values_.VariableAt(values_.Find(group->second.layout.Places().front().value_reference)).steps.standard;
}

Scope SlaveConfiguration::ScopeOf(std::uint16_t data_id) const {
  const auto scope = scopes_.find(data_id);
  return scope == scopes_.end() ? Scope::InitializationAndRun : scope->second;
}

bool SlaveConfiguration::IsInScope(std::uint16_t data_id, bool initialization) const {
  const Scope scope = ScopeOf(data_id);
  return scope == Scope::InitializationAndRun || (scope == Scope::Initialization) == initialization;
}

}  // namespace openmi::dcp
