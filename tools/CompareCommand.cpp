#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "composition/results/CompareResults.hpp"
#include "composition/results/ReadResults.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Commands.hpp"
#include "tools/Inputs.hpp"
#include "tools/PrintProblems.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments {
  std::string a;
  std::string b;
  std::string relative = "0";
  std::string absolute = "0";
  bool interpolate = false;
  bool json = false;
};

constexpr EnumNames<ResultDifference::Kind> kKinds{"series missing", "element missing", "time missing", "unit", "kind",
                                                   "value"};

Json PairToJson(const ResultDifference::Pair& pair, bool in_seconds) {
  Json json;
  if (in_seconds) {
    json["seconds"] = SecondsOf(pair.mjd);
  } else {
    json["time"] = FormatIsoTime(Stamp{pair.mjd});
  }
  json["a"] = pair.a;
  json["b"] = pair.b;
  return json;
}

Json DifferenceToJson(const ResultDifference& difference) {
  Json json;
  json["kind"] = kKinds.NameOf(difference.kind);
  json["series"] = difference.series;
  if (!difference.element.empty()) json["element"] = difference.element;
  json["a"] = difference.text_a;
  json["b"] = difference.text_b;
  json["count"] = difference.count;
  json["compared"] = difference.compared;
  if (difference.kind == ResultDifference::Kind::Value) {
    json["first"] = PairToJson(difference.first, difference.in_seconds);
    json["largest"] = PairToJson(difference.largest, difference.in_seconds);
  }
  json["text"] = difference.Text();
  return json;
}

int Execute(const CompareArguments& arguments) {
  const double relative = ParseNumber(arguments.relative, "--rtol");
  const double absolute = ParseNumber(arguments.absolute, "--atol");
  ExpectResults(arguments.a);
  ExpectResults(arguments.b);
  const ResultTable a = ReadResults(arguments.a);
  ResultTable b = ReadResults(arguments.b);
  const std::array<std::pair<const ResultTable*, std::string>, 2> tables = {{{&a, arguments.a}, {&b, arguments.b}}};
  for (const auto& [table, path] : tables) {
    if (!table->series.empty()) continue;
    throw FormatError({.file = path}, "expected at least one series to compare, found none",
                      "name a results file, CSV or NetCDF");
  }
  if (arguments.interpolate) {
    for (ResultRows& rows : b.series) {
      const auto same =
          std::ranges::find(a.series, rows.series.id, [](const ResultRows& one) { return one.series.id; });
      if (same != a.series.end()) rows = AtTimes(rows, same->ends);
    }
  }
  const std::vector<ResultDifference> differences = CompareResults(a, b, relative, absolute);
  std::size_t values = 0;
  for (const ResultRows& rows : a.series) values += rows.values.size();
  if (arguments.json) {
    Json json;
    json["a"] = arguments.a;
    json["b"] = arguments.b;
    json["rtol"] = relative;
    json["atol"] = absolute;
    json["values"] = values;
    json["differences"] = Json::array();
    for (const ResultDifference& difference : differences) json["differences"].push_back(DifferenceToJson(difference));
    PrintLine(stdout, JsonText(json));
  } else {
    for (const ResultDifference& difference : differences) PrintLine(stdout, PrintableText(difference.Text()));
    const std::string count =
        differences.empty() ? "no differences" : fmt::format("{} differences", differences.size());
    for (const auto& [table, path] : tables) {
      if (table->texts.empty()) continue;
      PrintLine(stdout, PrintableText(fmt::format("{}: columns of texts are not compared: {}", path,
                                                  fmt::join(table->texts, ", "))));
    }
    PrintLine(stdout, fmt::format("{} in {} series, {} values (rtol {:g}, atol {:g})", count, a.series.size(), values,
                                  relative, absolute));
  }
  return differences.empty() ? kSuccess : kDifferences;
}

}  // namespace

void AddCompare(CLI::App& app, Invocation& invocation) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* compare = app.add_subcommand("compare", "Compare two result files value by value");
  compare->add_option("A", arguments->a, "Results: CSV or NetCDF; also a table with seconds below the heading 'time'")
      ->required();
  compare->add_option("B", arguments->b, "Results, in the same way")->required();
  AddShown(*compare, "--rtol", arguments->relative, "R", "Relative tolerance: |a - b| <= atol + rtol max(|a|, |b|)");
  AddShown(*compare, "--atol", arguments->absolute, "A", "Absolute tolerance, in the unit of each series");
  compare->add_flag("--interpolate", arguments->interpolate,
                    "Compare at the times of A: values of B between its rows are on straight lines");
  compare->add_flag("--json", arguments->json, "Print JSON");
  compare->footer(
      "Examples:\n"
      "  openmi compare results/upper-creek.csv results/upper-creek.nc\n"
      "  openmi compare before.nc after.nc --rtol 1e-9 --atol 1e-12\n"
      "  openmi compare ball.csv BouncingBall_ref.csv --interpolate --rtol 1e-3");
  compare->callback([arguments, &invocation] { invocation.execute = [arguments] { return Execute(*arguments); }; });
}

}  // namespace openmi::tools
