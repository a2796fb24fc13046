#include "tools/Conform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "composition/conformance/Conformance.hpp"
#include "openmi/omi/LoadOmi.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "tools/Inputs.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kPartEnd = '\x1f';  // between the parts of a skipped step; no step and no sentence contains it
constexpr const char* kUpdates = "UPDATES";
constexpr std::size_t kMostProcesses = 8;

constexpr Verdict kVerdicts[] = {Verdict::Passed, Verdict::Failed, Verdict::NotApplicable, Verdict::AtCompileTime,
                                 Verdict::NotReached};

Colour ColourOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::Passed:
      return Colour::Green;
    case Verdict::Failed:
      return Colour::Red;
    default:
      return Colour::Grey;
  }
}

}  // namespace

void PutArguments(OmiFile& omi, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto [key, value] = ParseSetting(setting, "--argument");
    std::erase_if(omi.arguments, [&key = key](const OmiArgument& argument) { return argument.key == key; });
    omi.arguments.push_back({.key = key, .value = value});
  }
}

std::string WrongSetting(const std::string& omi_path, const std::vector<std::string>& settings) {
  if (settings.empty()) return {};
  ComponentLoader loader;
  Problems problems;
  const LoadedComponent loaded = LoadOmi(loader, ReadOmiFile(omi_path, &problems), &problems);
  if (!loaded.component) return {};  // the tests report it
  for (const std::string& setting : settings) {
    const auto [key, value] = ParseSetting(setting, "--argument");
    const auto list = loaded.component->Arguments();
    const auto found = std::ranges::find_if(list, [&key = key](const IArgument* one) { return one->Id() == key; });
    if (found == list.end()) {
      std::vector<std::string> ids;
      for (const IArgument* argument : list) ids.push_back(argument->Id());
      return fmt::format("expected an argument of the component after --argument, found '{}'; {}", key,
                         Suggest(key, ids));
    }
    try {
      (*found)->SetValueAsString(value);
    } catch (const Error& error) {
      return fmt::format("--argument {}: {}; {}", key, error.Problem(), error.Remedy());
    }
  }
  return {};
}

ConformanceReport ConformHere(const std::string& omi_path, const std::vector<std::string>& settings,
                              const std::vector<std::string>& skipped, AnswerStream& answer) {
  OmiFile omi = ReadOmiFile(omi_path);
  PutArguments(omi, settings);
  ComponentLoader loader;
  ConformanceOptions options;
  for (const std::string& one : skipped) {
    const std::size_t end = one.find(kPartEnd);
    const std::size_t sentence = one.rfind(kPartEnd) + 1;
    if (one.starts_with(kUpdates)) {
      options.max_updates = std::atoi(one.c_str() + end + 1);
      options.ends_after_updates = one.substr(sentence);
    } else {
      options.skipped[one.substr(0, end)] = one.substr(sentence);
    }
  }
  options.on_check = [&answer](std::string_view number, std::string_view what) {
    answer.Announce(fmt::format("{} {}", number, what));
  };
  return CheckConformance(loader, omi, options);
}

ConformanceReport ConformInChild(const std::string& omi_path, const std::vector<std::string>& settings,
                                 double seconds) {
  (void)ReadOmiFile(omi_path);  // an invalid OMI file is bad input, not a failing component
  std::vector<std::string> argv = {"check", omi_path, "--component"};
  for (const std::string& setting : settings) argv.push_back("--argument=" + setting);
  for (std::set<std::string> skipped;;) {
    const ChildAnswer answer = AskThisProgram(argv, seconds);
    if (answer.IsThere() && answer.value.contains("usage")) throw UsageFault{answer.value["usage"]};
    if (answer.IsThere()) return ConformanceFromJson(answer.value);
    const bool is_new = !answer.last_step.empty() && skipped.insert(answer.last_step).second;
    if (!is_new || skipped.size() > kMostProcesses) return ReportOfDeath(omi_path, answer.last_step, answer.sentence);
    const std::string sentence = SentenceOfDeath(answer.last_step, answer.sentence);
    // A model that ends the process at the end of its own time has computed until then.
    argv.push_back(answer.last_step == "12.1 Update" && answer.times > 1
                       ? fmt::format("--skip={}{}{}{}{}", kUpdates, kPartEnd, answer.times - 1, kPartEnd, sentence)
                       : fmt::format("--skip={}{}{}", answer.last_step, kPartEnd, sentence));
  }
}

void PrintConformance(std::FILE* stream, const ConformanceReport& report) {
  std::istringstream lines(PrintableText(FormatConformance(report), true));
  std::size_t next = 0;
  for (std::string line; std::getline(lines, line);) {
    Colour colour = Colour::Plain;
    // The line of a test starts with its number; findings below it are indented.
    if (next < report.results.size() && line.starts_with("  ") && line.find(report.results[next].number) < 6) {
      colour = ColourOf(report.results[next].verdict);
      ++next;
    }
    PrintLine(stream, Painted(line, colour, stream));
  }
}

Json ToJson(const ConformanceReport& report) {
  Json json;
  json["subject"] = report.subject;
  json["passed"] = report.Passed();
  json["results"] = Json::array();
  for (const ConformanceResult& result : report.results) {
    Json one;
    one["number"] = result.number;
    one["uri"] = result.uri;
    one["title"] = result.title;
    one["verdict"] = NameOf(result.verdict);
    one["sentence"] = result.sentence;
    one["further"] = result.further;
    json["results"].push_back(std::move(one));
  }
  return json;
}

ConformanceReport ConformanceFromJson(const Json& json) {
  ConformanceReport report;
  report.subject = json.value("subject", "");
  for (const Json& one : json.at("results")) {
    ConformanceResult result;
    result.number = one.value("number", "");
    result.uri = one.value("uri", "");
    result.title = one.value("title", "");
    result.sentence = one.value("sentence", "");
    result.further = one.at("further").get<std::vector<std::string>>();
    for (const Verdict verdict : kVerdicts) {
      if (one.value("verdict", "") == NameOf(verdict)) result.verdict = verdict;
    }
    report.results.push_back(std::move(result));
  }
  return report;
}

}  // namespace openmi::tools
