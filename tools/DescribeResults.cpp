#include "tools/DescribeResults.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "composition/results/ReadResults.hpp"
#include "composition/results/ResultKind.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/Iso8601.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kElementsShown = 8;

Json DescribeSeries(const ResultRows& rows) {
  const ResultSeries& series = rows.series;
  Json json;
  json["id"] = series.id;
  json["caption"] = series.caption;
  json["unit"] = series.unit;
  json["kind"] = ResultKindName(series.kind);
  if (series.span_days > 0.0) json["span"] = FormatIsoDuration(series.span_days);
  json["elements"] = series.elements;
  json["rows"] = rows.ends.size();
  if (!rows.ends.empty()) {
    json["first"] = FormatIsoTime(rows.ends.front());
    json["last"] = FormatIsoTime(rows.ends.back());
  }
  double least = std::nan("");
  double most = std::nan("");
  std::size_t missing = 0;
  for (const double value : rows.values) {
    if (std::isnan(value)) ++missing;
    least = std::fmin(least, value);
    most = std::fmax(most, value);
  }
  json["missing"] = missing;
  if (std::isfinite(least)) json["smallest"] = least;
  if (std::isfinite(most)) json["largest"] = most;
  return json;
}

}  // namespace

bool IsResultsFile(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return ending == ".nc" || ending == ".csv" || ending == ".journal";
}

Json DescribeResults(const std::string& path) {
  const ResultTable table = ReadResults(path);
  Json json;
  json["file"] = path;
  for (const auto& [name, text] :
       {std::pair("title", table.info.title), std::pair("source", table.info.source),
        std::pair("history", table.info.history), std::pair("comment", table.info.comment)}) {
    if (!text.empty()) json[name] = text;
  }
  if (!table.info.notes.empty()) json["notes"] = table.info.notes;
  json["was_cut"] = table.was_cut;
  json["series"] = Json::array();
  for (const ResultRows& rows : table.series) json["series"].push_back(DescribeSeries(rows));
  return json;
}

void PrintResults(std::FILE* stream, const Json& description) {
  const auto line = [stream](const std::string& text) { PrintLine(stream, PrintableText(text)); };
  for (const char* key : {"title", "comment", "source", "history"}) {
    if (description.contains(key)) line(fmt::format("{:<8} {}", key, description[key].get<std::string>()));
  }
  if (description.value("was_cut", false)) line("the file ended within a row, which was left out");
  for (const Json& note : description.value("notes", Json::array())) line("note     " + note.get<std::string>());
  PrintLine(stream, Painted(fmt::format("series ({})", description["series"].size()), Colour::Bold, stream));
  for (const Json& series : description["series"]) {
    const std::string caption = series.value("caption", "");
    line(fmt::format("  {} [{}]  {}{}{}", series.value("id", ""), series.value("unit", ""), series.value("kind", ""),
                     series.contains("span") ? " over " + series["span"].get<std::string>() : "",
                     caption.empty() ? "" : ", " + caption));
    const std::size_t count = series["elements"].size();
    if (count > 0) {
      std::string ids;
      for (std::size_t i = 0; i < std::min(count, kElementsShown); ++i) {
        ids += " " + series["elements"][i].get<std::string>();
      }
      if (count > kElementsShown) ids += fmt::format(" and {} more", count - kElementsShown);
      line(fmt::format("    {} element{}:{}", count, count == 1 ? "" : "s", ids));
    }
    if (!series.contains("first")) {
      line("    no rows");
      continue;
    }
    line(fmt::format("    {} rows, {} to {}", series["rows"].dump(), series["first"].get<std::string>(),
                     series["last"].get<std::string>()));
    const auto number = [&series](const char* key) {
      return series.contains(key) ? fmt::format("{:.6g}", series[key].get<double>()) : std::string("-");
    };
    line(fmt::format("    {} to {}, {} missing", number("smallest"), number("largest"), series["missing"].dump()));
  }
}

}  // namespace openmi::tools
