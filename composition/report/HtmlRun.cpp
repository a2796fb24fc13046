#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "composition/report/GraphSvg.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi {
namespace {

constexpr EnumNames<ReportTone> kToneClasses{"plain", "ok", "caution", "fail"};
constexpr EnumNames<ReportTone> kToneWords{"note", "good", "warning", "problem"};

std::string PairTable(const std::string& name, const std::string& value,
                      const std::vector<std::pair<std::string, std::string>>& pairs) {
  HtmlTable table({{name, false, {}}, {value, false, {}}});
  for (const auto& [key, text] : pairs) table.AddRow({EscapeMarkup(key), EscapeMarkup(text)});
  return table.Finish();
}

std::string TimingTable(const ReportModel& model) {
  std::vector<ReportTiming> timings = model.timings;
  std::stable_sort(timings.begin(), timings.end(),
                   [](const ReportTiming& a, const ReportTiming& b) { return a.seconds > b.seconds; });
  double total = 0.0;
  for (const ReportTiming& timing : timings) total += timing.seconds;
  if (std::isfinite(model.wall_seconds) && model.wall_seconds > total) {
    ReportTiming rest;
    rest.component = "everything else";
    rest.seconds = model.wall_seconds - total;
    timings.push_back(std::move(rest));
    total = model.wall_seconds;
  }
  const bool has_steps =
      std::any_of(timings.begin(), timings.end(), [](const ReportTiming& one) { return std::isfinite(one.median); });
  std::vector<HtmlColumn> columns = {
      {"Component", false, {}}, {"Time", true, "in the component itself, without its providers"},
      {"Share", true, {}},      {"", false, {}},
      {"Updates", true, {}},    {"Per update", true, {}}};
  if (has_steps) {
    columns.push_back({"Median", true, "half of the updates took no longer"});
    columns.push_back({"99 %", true, "99 of 100 updates took no longer"});
    columns.push_back({"Longest", true, {}});
  }
  HtmlTable table(std::move(columns));
  constexpr std::size_t most = 60;
  for (std::size_t i = 0; i < timings.size() && i < most; ++i) {
    const ReportTiming& timing = timings[i];
    const double share = total > 0.0 ? std::clamp(timing.seconds / total, 0.0, 1.0) : 0.0;
    const bool has_updates = timing.updates > 0;
    std::vector<std::string> cells = {
        EscapeMarkup(timing.component),
        FormatSeconds(timing.seconds),
        FormatFixed(100.0 * share, 1) + "\xE2\x80\x89%",
        fmt::format("<span class=\"bar\"><i style=\"width:{:.1f}%\"></i></span>", 100.0 * share),
        has_updates ? FormatNumber(static_cast<double>(timing.updates), 9) : "",
        has_updates ? FormatSeconds(timing.seconds / static_cast<double>(timing.updates)) : ""};
    for (const double seconds : {timing.median, timing.percentile_99, timing.longest}) {
      if (has_steps) cells.push_back(std::isfinite(seconds) ? FormatSeconds(seconds) : "");
    }
    table.AddRow(cells);
  }
  std::string text = table.Finish("timings");
  if (model.is_timing_estimated) {
    text += "<p class=\"fine\">Estimated from a sample of the passes; <code>--step-times</code> measures all.</p>";
  }
  if (timings.size() > most) {
    text += fmt::format("<p class=\"fine\">The {} slowest of {} components are listed.</p>", most, timings.size());
  }
  return text;
}

}  // namespace

HtmlSection NotesSection(const ReportModel& model) {
  HtmlSection section{"notes", "Notes", {}};
  if (model.messages.empty()) return section;
  section.body = "<ul class=\"notes\">\n";
  for (const ReportMessage& message : model.messages) {
    section.body += fmt::format("<li class=\"{}\"><span class=\"kind\">{}</span><span>{}{}</span></li>\n",
                                kToneClasses.NameOf(message.tone), kToneWords.NameOf(message.tone),
                                message.place.empty() ? "" : "<b>" + EscapeMarkup(message.place) + "</b> ",
                                EscapeMarkup(message.text));
  }
  section.body += "</ul>\n";
  return section;
}

namespace {

/// Lists that the script of the page searches, for compositions whose picture is too large to find something in it.
std::string GraphTables(const GraphModel& graph) {
  constexpr std::size_t kMostRows = 5000;
  HtmlTable components({{"Component", false, {}}, {"Kind", false, {}}, {"Inputs", true, {}}, {"Outputs", true, {}}});
  for (std::size_t i = 0; i < graph.nodes.size() && i < kMostRows; ++i) {
    const GraphNode& node = graph.nodes[i];
    components.AddRow({EscapeMarkup(node.id), EscapeMarkup(node.caption),
                       FormatNumber(static_cast<double>(node.inputs.size()), 9),
                       FormatNumber(static_cast<double>(node.outputs.size()), 9)});
  }
  HtmlTable links({{"From", false, {}}, {"To", false, {}}, {"Adaptors", false, {}}});
  for (std::size_t i = 0; i < graph.links.size() && i < kMostRows; ++i) {
    const GraphLink& link = graph.links[i];
    std::string adaptors;
    for (const std::string& adaptor : link.adaptors) adaptors += (adaptors.empty() ? "" : ", ") + adaptor;
    links.AddRow({EscapeMarkup(link.from_component + "." + link.from_item),
                  EscapeMarkup(link.to_component + "." + link.to_item), EscapeMarkup(adaptors)});
  }
  const auto part = [&](std::string_view title, std::size_t count, const std::string& table) {
    if (count == 0) return std::string();
    const std::string note = count > kMostRows ? fmt::format(", the first {} are listed", kMostRows) : std::string();
    return fmt::format("<details><summary>{} {}{}</summary>\n{}</details>\n",
                       FormatNumber(static_cast<double>(count), 9), title, note, table);
  };
  return part("components", graph.nodes.size(), components.Finish("search")) +
         part("links", graph.links.size(), links.Finish("search"));
}

}  // namespace

HtmlSection DiagramSection(const ReportModel& model) {
  HtmlSection section{"diagram", "Diagram", {}};
  if (model.graph.nodes.empty() && model.graph.links.empty()) return section;
  constexpr std::size_t most = 1500;
  if (model.graph.nodes.size() > most) {
    section.body = "<p>There are too many components for a picture in this page.</p>\n" + GraphTables(model.graph);
    return section;
  }
  const bool is_detailed = model.graph.nodes.size() <= GraphStyle{}.most_detailed;
  section.body = fmt::format("<figure class=\"diagram\"><div class=\"{}\">", is_detailed ? "scroll whole" : "scroll") +
                 HtmlPicture(GraphSvg(model.graph), is_detailed ? 0.8 : 0.75) +
                 "</div></figure>\n<p class=\"fine\">Values pass from left to right, and continue in the next row. "
                 "Adaptors are shown on their link, in the order in which values pass through them. Dashed links in "
                 "another colour close a loop; boxes with "
                 "a "
                 "dashed border are invented. \xE2\x97\x82 marks what the run asks.</p>\n";
  if (!is_detailed) section.body += GraphTables(model.graph);
  return section;
}

HtmlSection RunSection(const ReportModel& model) {
  HtmlSection section{"run", "Run", {}};
  if (!model.settings.empty()) section.body += "<h3>Settings</h3>\n" + PairTable("Setting", "Value", model.settings);
  if (!model.timings.empty()) section.body += "<h3>Where the time went</h3>\n" + TimingTable(model);
  return section;
}

HtmlSection ProvenanceSection(const ReportModel& model) {
  HtmlSection section{"provenance", "Provenance", {}};
  if (!model.versions.empty()) {
    section.body += "<h3>Versions</h3>\n" + PairTable("Program or library", "Version", model.versions);
  }
  if (!model.files.empty()) {
    HtmlTable table({{"File", false, {}}, {"Role", false, {}}, {"Size", true, {}}, {"Hash", false, {}}});
    for (const ReportFile& file : model.files) {
      table.AddRow({EscapeMarkup(file.path), EscapeMarkup(file.role),
                    std::isfinite(file.bytes) ? FormatBytes(file.bytes) : FormatNumber(file.bytes),
                    "<code>" + EscapeMarkup(file.hash) + "</code>"});
    }
    section.body += "<h3>Files</h3>\n" + table.Finish("files");
  }
  if (!model.arguments.empty()) {
    HtmlTable table({{"Component", false, {}},
                     {"Argument", false, {}},
                     {"Value", false, {}},
                     {"Unit", false, {}},
                     {"From", false, {}}});
    std::string previous;
    for (const ReportArgument& argument : model.arguments) {
      const bool is_same = argument.component == previous;
      table.AddRow({is_same ? std::string() : EscapeMarkup(argument.component), EscapeMarkup(argument.key),
                    "<code>" + EscapeMarkup(argument.value) + "</code>", EscapeMarkup(PrettyUnit(argument.unit)),
                    EscapeMarkup(argument.origin)},
                   is_same ? "" : "first");
      previous = argument.component;
    }
    section.body += "<h3>Arguments</h3>\n" + table.Finish("arguments");
  }
  return section;
}

}  // namespace openmi
