#include "fmi-bridge/dcp/master/monitor/PduDescriber.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"

namespace openmi::dcp {

namespace {

constexpr std::size_t kMostShown = 8;  // elements of an array

std::string TextOf(const TypedValue& value) {
  if (value.Type() == DataType::string) {
    const std::string_view text = value.Text();
    return fmt::format("\"{}\"{}", text.substr(0, 60), text.size() > 60 ? "..." : "");
  }
  if (value.Type() == DataType::binary) return fmt::format("{} bytes", value.Text().size());
  std::string text;
  const std::size_t shown = std::min(value.Elements(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) text += fmt::format("{}{:g}", i == 0 ? "" : " ", value.Number(i));
  if (shown < value.Elements()) text += fmt::format(" ... ({} elements)", value.Elements());
  return text;
}

}  // namespace

const Variable* PduDescriber::Find(std::uint64_t value_reference) const {
  if (description_ == nullptr) return nullptr;
  const Index index = description_->Find(ValueReference{value_reference});
  return index == kNowhere ? nullptr : &description_->At(index);
}

std::string PduDescriber::NameOfVariable(std::uint64_t value_reference) const {
  const Variable* variable = Find(value_reference);
  return variable == nullptr ? fmt::format("vr {}", value_reference) : variable->name;
}

void PduDescriber::Learn(const Pdu& pdu) {
  if (const auto* input = std::get_if<CfgInput>(&pdu)) {
    data_[input->data_id][input->position] = {input->target_vr, input->source_type};
  } else if (const auto* output = std::get_if<CfgOutput>(&pdu)) {
    const Variable* variable = Find(output->source_vr);
    data_[output->data_id][output->position] = {output->source_vr,
                                                variable == nullptr ? std::nullopt : std::optional(variable->Type())};
  } else if (const auto* parameter = std::get_if<CfgTunableParameter>(&pdu)) {
    parameters_[parameter->param_id][parameter->position] = {parameter->parameter_vr, parameter->source_type};
  } else if (std::holds_alternative<CfgClear>(pdu) || std::holds_alternative<StcRegister>(pdu)) {
    data_.clear();
    parameters_.clear();
  }
}

std::string PduDescriber::Values(const Dat& data) const {
  const auto& layouts = data.type == PduType::DAT_parameter ? parameters_ : data_;
  const auto found = layouts.find(data.id);
  if (found == layouts.end()) return {};
  std::string text;
  ByteView rest = data.payload;
  for (const auto& [position, place] : found->second) {
    text += fmt::format("{}{} = ", text.empty() ? ": " : ", ", NameOfVariable(place.value_reference));
    if (!place.type || !IsDataType(*place.type)) return text + "?";
    // Sizes that structural parameters set are not known here: a last array takes the remaining bytes.
    const Variable* variable = Find(place.value_reference);
    std::size_t elements = 1;
    if (variable != nullptr && variable->IsArray()) {
      elements = static_cast<std::size_t>(variable->StartSize());
      const bool is_last = position == found->second.rbegin()->first;
      if (is_last && !IsText(*place.type)) elements = rest.size() / SizeOf(*place.type);
    }
    TypedValue value(*place.type, std::min(elements, rest.size() + 1));
    if (value.Measure(*place.type, rest) == TypedValue::kMismatch) return text + "?";
    rest = rest.subspan(value.Take(*place.type, rest));
    text += TextOf(value);
  }
  return text;
}

std::string PduDescriber::Describe(ByteView bytes) {
  std::string text = dcp::Describe(bytes);
  const Decoded decoded = Decode(bytes);
  if (decoded.fault != DecodeFault::None) return text;
  Learn(decoded.pdu);
  if (const auto* data = std::get_if<Dat>(&decoded.pdu)) return text + Values(*data);
  if (const auto* input = std::get_if<CfgInput>(&decoded.pdu))
    return text + " (" + NameOfVariable(input->target_vr) + ")";
  if (const auto* output = std::get_if<CfgOutput>(&decoded.pdu)) {
    return text + " (" + NameOfVariable(output->source_vr) + ")";
  }
  if (const auto* entry = std::get_if<NtfLog>(&decoded.pdu);
      entry != nullptr && description_ != nullptr && description_->log) {
    const auto& templates = description_->log->templates;
    const auto found = std::ranges::find(templates, entry->log_template, &LogTemplate::id);
    std::size_t taken = 0;
    if (found != templates.end()) return text + ": " + FormatLogMessage(*found, entry->arguments, taken);
  }
  return text;
}

}  // namespace openmi::dcp
