#include "tools/PrintDescription.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "composition/results/ReadResults.hpp"
#include "composition/results/ResultSeries.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"
#include "tools/Terminal.hpp"

namespace openmi::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string Text(const Json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>().empty() ? "''" : value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Joined(const Json& list, std::size_t most) {
  std::string text;
  std::size_t count = 0;
  for (const Json& one : list) {
    if (++count > most) return text + ", ...";
    text += (text.empty() ? "" : ", ") + Text(one);
  }
  return text;
}

void Line(std::FILE* stream, int indent, const std::string& text) {
  PrintLine(stream, std::string(static_cast<std::size_t>(indent), ' ') + PrintableText(text));
}

// Caption and description after an id, if they add something.
std::string Explained(const Json& json) {
  std::string text;
  const std::string id = json.value("id", "");
  for (const char* key : {"caption", "description"}) {
    const std::string part = json.value(key, "");
    if (!part.empty() && part != id && text.find(part) == std::string::npos) text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

void PrintArgument(std::FILE* stream, const Json& argument) {
  std::string text = fmt::format("{} = {}", argument.value("id", ""), Text(argument.at("value")));
  if (argument.value("unit", "1") != "1") text += " " + argument["unit"].get<std::string>();
  text += fmt::format("  ({}", argument.value("type", ""));
  if (argument.at("value") != argument.at("default")) text += ", default " + Text(argument["default"]);
  if (argument.contains("minimum")) text += ", at least " + Text(argument["minimum"]);
  if (argument.contains("maximum")) text += ", at most " + Text(argument["maximum"]);
  if (argument.contains("possible_values")) {
    const Json& possible = argument["possible_values"];
    text += possible.empty() ? ", no value is possible now" : ", one of " + Joined(possible, 12);
  }
  if (argument.value("is_optional", false)) text += ", optional";
  if (argument.value("is_read_only", false)) text += ", read-only";
  if (argument.value("is_secret", false)) text += ", secret";
  Line(stream, 2, text + ")");
  if (const std::string more = Explained(argument); !more.empty()) Line(stream, 6, more);
}

void PrintItem(std::FILE* stream, const Json& item) {
  const Json& values = item.at("values");
  std::string head = item.value("id", "");
  if (values.contains("unit")) head += fmt::format(" [{}]", values["unit"].value("caption", ""));
  if (const std::string more = Explained(item); !more.empty()) head += "  " + more;
  Line(stream, 2, head);
  std::string what = fmt::format("{} {}", values.value("kind", ""), values.value("caption", ""));
  what += fmt::format(", {}", values.value("type", ""));
  if (values.contains("unit")) {
    const Json& unit = values["unit"];
    const std::string dimension = unit.value("dimension", "");
    what += fmt::format(", dimension {}, {} to SI", dimension.empty() ? "1" : dimension, Text(unit.at("factor_to_si")));
    if (unit.value("offset_to_si", 0.0) != 0.0) what += " + " + Text(unit["offset_to_si"]);
  }
  if (values.contains("categories")) {
    std::string names;
    for (const Json& category : values["categories"])
      names += (names.empty() ? "" : ", ") + category.value("caption", "");
    what += ": " + names;
  }
  Line(stream, 6, what);
  if (item.contains("elements")) {
    const Json& elements = item["elements"];
    std::string text = fmt::format("{} {} element{}", elements.value("count", 0), elements.value("type", ""),
                                   elements.value("count", 0) == 1 ? "" : "s");
    if (elements.contains("caption")) text += fmt::format(" of '{}'", elements["caption"].get<std::string>());
    if (elements.contains("ids") && !elements["ids"].empty()) text += ": " + Joined(elements["ids"], 8);
    Line(stream, 6, text);
    if (elements.contains("reference_system")) {
      const std::string wkt = elements["reference_system"];
      Line(stream, 6, "reference system " + wkt.substr(0, 72) + (wkt.size() > 72 ? "..." : ""));
    }
  }
  if (item.contains("times")) {
    const Json& times = item["times"];
    std::string text = times.value("has_durations", false) ? "spans" : "instants";
    if (times.value("begin", "") != "-inf" || times.value("end", "") != "inf") {
      text += fmt::format(" from {} to {}", times.value("begin", ""), times.value("end", ""));
    } else {
      text += " at any time";
    }
    if (times.value("offset_from_utc_hours", 0.0) != 0.0)
      text += fmt::format(", saved at UTC{:+g} h", times.value("offset_from_utc_hours", 0.0));
    Line(stream, 6, text);
  }
  if (item.contains("needs_link")) {
    Line(stream, 6, item["needs_link"].get<bool>() ? "needs a link" : "may stay without a link: it has a default");
  }
  if (item.contains("adaptors")) Line(stream, 6, "adaptors of its own: " + Joined(item["adaptors"], 20));
}

void PrintList(std::FILE* stream, const Json& description, const char* key, const char* title,
               void (*print)(std::FILE*, const Json&)) {
  if (!description.contains(key)) return;
  const Json& list = description[key];
  PrintLine(stream, Painted(fmt::format("{} ({})", title, list.size()), Colour::Bold, stream));
  for (const Json& one : list) print(stream, one);
}

void PrintFactory(std::FILE* stream, const Json& factory) {
  Line(stream, 2, factory.value("id", "") + "  " + Explained(factory));
}

void PrintOmiArgument(std::FILE* stream, const Json& argument) {
  Line(stream, 2, argument.value("key", "") + (argument.value("is_read_only", false) ? "  (read-only)" : ""));
}

using Json = nlohmann::ordered_json;

constexpr std::size_t kElementsShown = 8;

Json DescribeSeries(const ResultRows& rows) {
  const ResultSeries& series = rows.series;
  Json json;
  json["id"] = series.id;
  json["caption"] = series.caption;
  json["unit"] = series.unit;
  json["kind"] = kResultKinds.NameOf(series.kind);
  if (series.span) json["span"] = FormatIsoDuration(*series.span);
  json["elements"] = series.elements;
  json["rows"] = rows.ends.size();
  if (!rows.ends.empty()) {
    json["first"] = FormatIsoTime(Stamp{rows.ends.front()});
    json["last"] = FormatIsoTime(Stamp{rows.ends.back()});
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

void PrintDescription(std::FILE* stream, const Json& description) {
  if (description.contains("id")) {
    const std::string more = Explained(description);
    PrintLine(stream, Painted(PrintableText(description.value("id", "")), Colour::Bold, stream) +
                          (more.empty() ? "" : "  " + PrintableText(more)));
  }
  if (description.contains("type")) {
    const std::string type = description.value("type", "");
    Line(stream, 0, (type.empty() ? "" : "type " + type + " ") + "in " + description.value("assembly", "this program"));
  }
  if (description.contains("library")) {
    const Json& library = description["library"];
    Line(stream, 0, fmt::format("library {} ({} bytes)", library.value("path", ""), library.value("bytes", 0)));
    if (library.contains("fits")) {
      const std::string build = library.value("build", "");
      Line(stream, 0,
           fmt::format("{}: {}", build.empty() ? "components in C" : fmt::format("built as '{}'", build),
                       library.value("fits", false) ? "fits this program" : "does not fit this program"));
    }
    if (!library.at("needs").empty()) Line(stream, 0, "needs " + Joined(library["needs"], 40));
  }
  PrintList(stream, description, "omi_arguments", "arguments of the OMI file", PrintOmiArgument);
  PrintList(stream, description, "arguments", "arguments", PrintArgument);
  PrintList(stream, description, "inputs", "inputs", PrintItem);
  PrintList(stream, description, "outputs", "outputs", PrintItem);
  if (description.contains("factories") && !description["factories"].empty())
    PrintList(stream, description, "factories", "adaptor factories", PrintFactory);
  if (description.contains("factories_problem")) {
    Line(stream, 0, "no adaptor factories: " + description["factories_problem"].get<std::string>());
  }
}

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
  if (description.value("was_cut", false)) line("the file ends within a row; this row is omitted");
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
