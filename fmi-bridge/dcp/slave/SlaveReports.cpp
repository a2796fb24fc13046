#include "fmi-bridge/dcp/slave/SlaveReports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "fmi-bridge/dcp/protocol/description/LogMessage.hpp"

namespace openmi::dcp {
namespace {

std::string DescribeMissed(const MissedData& data, const SlaveConfiguration& configuration, double time) {
  const auto& groups = data.type == PduType::DAT_parameter ? configuration.Parameters() : configuration.Inputs();
  std::string names;
  if (const auto found = groups.find(data.id); found != groups.end()) {
    const SlaveValues& values = configuration.Values();
    for (const DataLayout::Place& place : found->second.layout.Places()) {
      if (names.size() > 60) {
        names += ", ...";
        break;
      }
      names +=
          fmt::format("{}'{}'", names.empty() ? "" : ", ", values.VariableAt(values.Find(place.value_reference)).name);
    }
  }
  const auto first = static_cast<std::uint16_t>(data.number);
  const auto last = static_cast<std::uint16_t>(first + data.in_a_row - 1);
  const std::string numbers = first == last ? fmt::format("PDU {}", first) : fmt::format("PDUs {} to {}", first, last);
  return fmt::format("{} of data {} ({}) did not come: {}", numbers, data.id, names,
                     data.is_at_begin ? fmt::format("no new values for the step from {} s", time)
                                      : fmt::format("noticed {} s after the start", time));
}

}  // namespace

void SlaveReports::Report(LogLevel level, std::string_view message) {
  constexpr std::size_t kMostBytes = 4000;
  const auto& log = machine_.Configuration().Values().Description().log;
  if (!log) return;
  for (const LogTemplate& one : log->templates) {
    if (one.level != level || !TakesOneText(one)) continue;
    std::size_t end = std::min(message.size(), kMostBytes);
    while (end < message.size() && end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
    TypedValue text(DataType::string);
    text.SetText(message.substr(0, end));
    Bytes argument(text.EncodedSize());
    if (text.Encode(argument) == argument.size()) machine_.Log(one.id, argument, std::time(nullptr));
    return;
  }
}

void SlaveReports::Fail(const std::string& why) {
  SetProblem(why);
  Report(LogLevel::Error, why);
  machine_.Fail(ErrorCode::PROTOCOL_ERROR_GENERIC);
}

void SlaveReports::Missed(const MissedData& data, double time) {
  const SlaveConfiguration& configuration = machine_.Configuration();
  if (data.is_too_many) {
    SetProblem(DescribeMissed(data, configuration, time));
    return Report(LogLevel::Error, problem_);
  }
  if (!std::exchange(has_reported_missed_, true) && machine_.CurrentState() != State::INITIALIZING)
    Warn(DescribeMissed(data, configuration, time) + "; further losses are only counted and logged");
  const auto& log = machine_.Configuration().Values().Description().log;
  if (!log) return;
  const auto found = std::ranges::find(log->templates, std::string_view(kMissedData), &LogTemplate::message);
  if (found == log->templates.end()) return;
  const MissedDataEntry entry{.id = data.id, .number = data.number, .in_a_row = data.in_a_row, .seconds = time};
  std::array<std::byte, kMissedDataBytes> arguments{};
  Encode(entry, arguments);
  machine_.Log(found->id, arguments, std::time(nullptr));
}

}  // namespace openmi::dcp
