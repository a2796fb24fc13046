#include "composition/conformance/ConformanceReport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "composition/conformance/AnnexA.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi {
namespace {

std::string OneLine(const std::string& text) {
  return FormatProblem({.severity = Problem::Note, .problem = text});
}

}  // namespace

const char* NameOf(Verdict verdict) {
  constexpr EnumNames<Verdict> kNames{"passed", "failed", "not applicable", "checked at compile time", "not reached"};
  return kNames.NameOf(verdict);
}

std::size_t ConformanceReport::Count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [verdict](const ConformanceResult& one) { return one.verdict == verdict; }));
}

const ConformanceResult& ConformanceReport::Result(std::string_view number) const {
  for (const ConformanceResult& result : results) {
    if (result.number == number) return result;
  }
  throw RangeError({}, fmt::format("expected the number of a test of this report, found '{}'", number));
}

std::string SentenceOfDeath(const std::string& step, const std::string& sentence) {
  return fmt::format("the process that drove the component {}{}", sentence,
                     step.empty() ? "" : fmt::format(" at '{}'", step));
}

ConformanceReport ReportOfDeath(const std::string& subject, const std::string& step, const std::string& sentence) {
  const std::string number = step.substr(0, step.find(' '));
  const auto tests = AnnexA();
  const bool is_known = std::ranges::any_of(tests, [&](const AnnexATest& test) { return test.number == number; });
  ConformanceReport report;
  report.subject = subject;
  for (const AnnexATest& test : tests) {
    ConformanceResult& result = report.results.emplace_back();
    result.number = test.number;
    result.uri = test.uri;
    result.title = test.title;
    const bool is_it = result.number == (is_known ? number : "12.1");
    result.verdict = is_it ? Verdict::Failed : Verdict::NotReached;
    result.sentence = is_it ? SentenceOfDeath(step, sentence) : "the process that drove the component had ended";
  }
  return report;
}

std::string FormatConformance(const ConformanceReport& report) {
  std::string text = fmt::format("{}: {}\n", OneLine(report.subject),
                                 report.Passed() ? "passes all tests of Annex A that apply" : "does not conform");
  const auto out = std::back_inserter(text);
  for (const ConformanceResult& result : report.results) {
    fmt::format_to(out, "  {:>4}  {:<23}  {}\n", result.number, NameOf(result.verdict), OneLine(result.sentence));
    for (const std::string& sentence : result.further) fmt::format_to(out, "{:33}{}\n", "", OneLine(sentence));
  }
  fmt::format_to(out, "{} passed, {} failed, {} not applicable, {} checked at compile time, {} not reached\n",
                 report.Count(Verdict::Passed), report.Count(Verdict::Failed), report.Count(Verdict::NotApplicable),
                 report.Count(Verdict::AtCompileTime), report.Count(Verdict::NotReached));
  return text;
}

}  // namespace openmi
