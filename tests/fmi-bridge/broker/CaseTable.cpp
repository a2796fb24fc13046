#include "tests/fmi-bridge/broker/CaseTable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "openmi/sdk/Error.hpp"
#include "timespace/items/NumericOutput.hpp"
#include "timespace/testing/Driver.hpp"
#include "timespace/times/Iso8601.hpp"

namespace {

using openmi::broker::kNanosPerSecond;
using openmi::broker::StreamCounts;

constexpr const char* kStart = "2019-01-04T16:41:24Z";

const std::map<std::string, std::uint64_t StreamCounts::*> kCounts = {
    {"before_zero", &StreamCounts::before_zero},
    {"late", &StreamCounts::late},
    {"malformed", &StreamCounts::malformed},
    {"without_stamp", &StreamCounts::without_stamp},
    {"foreign", &StreamCounts::foreign},
    {"oversized", &StreamCounts::oversized},
    {"repeated", &StreamCounts::repeated},
    {"mismatched", &StreamCounts::mismatched},
    {"stale", &StreamCounts::stale},
    {"unknown_members", &StreamCounts::unknown_members},
};

std::vector<std::string> Split(const std::string& text, char mark) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream stream(text + mark);
  while (std::getline(stream, part, mark)) parts.push_back(part);
  return parts;
}

std::string Trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(' ');
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// Numbers in one form.
std::string Normal(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  return value.empty() || *end != '\0' ? value : fmt::format("{}", number);
}

Seen SeenOf(const std::string& text) {
  Seen seen;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const std::size_t equals = word.find('=');
    if (word == "fails") {
      seen.fails = true;
    } else if (equals == std::string::npos) {
      throw std::runtime_error("not understood in docs/broker.md: " + word);
    } else if (kCounts.contains(word.substr(0, equals))) {
      seen.counts[word.substr(0, equals)] = std::stoull(word.substr(equals + 1));
    } else {
      std::vector<std::string>& values = seen.values[word.substr(0, equals)];
      for (const std::string& value : Split(word.substr(equals + 1), ',')) values.push_back(Normal(value));
    }
  }
  return seen;
}

}  // namespace

void PrintTo(const Seen& seen, std::ostream* stream) {
  for (const auto& [name, values] : seen.values) {
    *stream << name << '=';
    for (const std::string& value : values) *stream << value << ',';
    *stream << ' ';
  }
  for (const auto& [name, count] : seen.counts) *stream << name << '=' << count << ' ';
  if (seen.fails) *stream << "fails";
}

std::string TimeAt(double seconds) {
  const auto base = *openmi::broker::ParseWallTime(kStart);
  return openmi::broker::FormatWallTime(base + std::llround(seconds * 1e9));
}

std::string BodyOf(const std::string& message) {
  static const std::regex kShort(R"(^([0-9.]+) (.*)$)");
  std::smatch match;
  if (!std::regex_match(message, match, kShort)) return message;
  std::string body = fmt::format("{{\"time\":\"{}\"", TimeAt(std::stod(match[1])));
  std::istringstream members(match[2]);
  for (std::string member; members >> member;) {
    const std::size_t equals = member.find('=');
    body += fmt::format(",\"{}\":{}", member.substr(0, equals), member.substr(equals + 1));
  }
  return body + "}";
}

std::vector<Case> ReadCases() {
  std::ifstream file(OPENMI_SOURCE_DIR "/docs/broker.md");
  std::vector<Case> cases;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line == "<!-- end -->") break;
    if (line == "<!-- cases -->") is_inside = true;
    if (!is_inside || !line.starts_with("| ") || line.starts_with("| case ") || line.starts_with("| ---")) continue;
    const std::vector<std::string> cells = Split(line, '|');
    if (cells.size() < 6) throw std::runtime_error("too few cells: " + line);
    Case& one = cases.emplace_back();
    one.name = Trimmed(cells[1]);
    const std::vector<std::string> messages = Split(cells[2], '`');
    for (std::size_t i = 1; i < messages.size(); i += 2) one.bodies.push_back(BodyOf(messages[i]));
    std::istringstream settings(cells[3]);
    for (std::string word; settings >> word;) {
      const std::size_t equals = word.find('=');
      const std::string key = word.substr(0, equals);
      one.settings.emplace_back(key == "start" ? "start-time" : key, word.substr(equals + 1));
    }
    one.seen = SeenOf(cells[4]);
  }
  return cases;
}

std::string Shown(openmi::IBaseOutput& output) {
  if (const auto* number = dynamic_cast<const openmi::NumericOutput*>(&output)) {
    const double value = number->LastRow()[0];
    return std::isnan(value) ? "-" : fmt::format("{}", value);
  }
  const openmi::Value value = dynamic_cast<openmi::ValueOutput&>(output).Values().GetValue(0, 0);
  const auto* text = value.As<std::string>();
  if (text == nullptr) return "-";
  std::string shown = *text;
  if (const std::size_t at = shown.find('\n'); at != std::string::npos) shown.replace(at, 1, "⏎");
  return shown;
}

Seen RunCase(const Case& one, const Settings& settings) {
  openmi::broker::Stream stream;
  openmi::Driver driver(stream);
  driver.Set("start-time", kStart).Set("time-step", "PT1S");
  driver.Set("fields", R"(a, b, n:integer, f:boolean, s:string, p.x=x, "q[1]"=y)");
  for (const auto& [key, value] : one.settings) driver.Set(key, value);
  for (const auto& [key, value] : settings) driver.Set(key, value);
  Seen seen;
  driver.Initialize();
  const auto look = [&] {
    for (openmi::IBaseOutput* output : stream.Outputs()) {
      if (one.seen.values.contains(output->Id())) seen.values[output->Id()].push_back(Shown(*output));
    }
  };
  std::size_t steps = one.seen.fails ? 1 : 0;
  if (!one.seen.values.empty()) steps += one.seen.values.begin()->second.size() - 1;
  openmi::broker::StreamCounts counts;
  try {
    driver.Prepare();
    look();
    for (std::size_t i = 0; i < steps; ++i) {
      driver.Update();
      look();
    }
  } catch (const openmi::ModelError&) {
    seen.fails = true;
  }
  counts = stream.Counts();
  for (const auto& [name, count] : kCounts) {
    if (counts.*count != 0) seen.counts[name] = counts.*count;
  }
  driver.Finish();
  return seen;
}
