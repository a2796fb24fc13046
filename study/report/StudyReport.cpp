#include "study/report/StudyReport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "composition/report/HtmlPage.hpp"
#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgMap.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Lists.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/design/SobolIndices.hpp"
#include "study/report/MemberSpread.hpp"
#include "study/report/StudyPlots.hpp"
#include "timespace/elements/ElementSet.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostBands = 12;
constexpr std::size_t kMostFailures = 200;
constexpr std::size_t kMostAxes = 10;

std::string Count(std::size_t number) {
  return FormatNumber(static_cast<double>(number), 9);
}

std::string Paragraph(const std::string& text) {
  return "<p class=\"fine\">" + text + "</p>\n";
}

/// Everything that the sections read.
struct Page {
  const Study& study;
  const StudyJournalReader& journal;
  const StudyTable& table;
  const SeriesColumns& columns;
  MemberSpread spread;
  const StudyFile& File() const { return study.File(); }
};

/// The values of a Vary, as numbers; of texts, the number of the text in its list.
MemberQuantity QuantityOf(const Page& page, std::size_t k) {
  const VarySpec& vary = page.File().varies[k];
  MemberQuantity quantity{vary.id, vary.unit, {}, vary.scale == VaryScale::Log};
  if (auto numbers = page.table.Numbers(k)) {
    quantity.values = std::move(*numbers);
    return quantity;
  }
  std::vector<std::string> texts;
  for (const MemberRow& row : page.table.Rows()) {
    const auto known = std::ranges::find(texts, row.values[k]);
    quantity.values.push_back(static_cast<double>(known - texts.begin() + 1));
    if (known == texts.end()) texts.push_back(row.values[k]);
  }
  quantity.label += " (number of the value)";
  return quantity;
}

/// What the plots compare members by: the cost, else the first objective; nothing without objectives.
std::optional<MemberQuantity> Criterion(const Page& page) {
  MemberQuantity quantity;
  if (page.table.HasCost()) {
    quantity.label = "cost";
  } else if (!page.File().objectives.empty()) {
    quantity.label = page.File().objectives.front().id;
  } else {
    return std::nullopt;
  }
  for (const MemberRow& row : page.table.Rows()) {
    const double value = page.table.HasCost() ? row.cost : row.objectives.front();
    quantity.values.push_back(row.IsDone() ? value : kNotANumber);
  }
  const bool has_any = std::ranges::any_of(quantity.values, [](double value) { return std::isfinite(value); });
  return has_any ? std::optional(std::move(quantity)) : std::nullopt;
}

std::string WindowText(const ObjectiveSpec& objective) {
  if (objective.compare.empty()) return "after the warm-up";
  return objective.window.empty() ? "whole run" : EscapeMarkup(objective.window);
}

HtmlSection BestSection(const Page& page) {
  HtmlSection section{"best", page.study.IsSearch() ? "Calibration" : "Best member", {}};
  const MemberRow* best = page.table.Best();
  if (best == nullptr) return section;
  HtmlTable values({{"Varied", false, {}}, {"What", false, {}}, {"Value", true, {}}, {"Range", true, {}}});
  for (std::size_t k = 0; k < best->values.size(); ++k) {
    const VarySpec& vary = page.File().varies[k];
    const std::string range = vary.IsRange() ? FormatNumber(*vary.from) + " \xE2\x80\x93 " + FormatNumber(*vary.to)
                                             : Count(vary.values.size()) + " values";
    const auto number = AsNumber<double>(best->values[k]);
    values.AddRow({EscapeMarkup(vary.id), EscapeMarkup(vary.TargetText()),
                   "<b>" + (number ? FormatNumber(*number) : EscapeMarkup(best->values[k])) + "</b> " +
                       EscapeMarkup(PrettyUnit(vary.unit)),
                   range});
  }
  section.body += "<h3>Values</h3>\n" + values.Finish();
  HtmlTable fits(
      {{"Objective", false, {}},
       {"Measure", false, {}},
       {"Window", false, {}},
       {"Weight", true, "0: not part of the cost, such as on a validation window"},
       {"Best member", true, {}},
       {"Persistence", true, "Nash-Sutcliffe efficiency of the observation 24 hours earlier, on the same pairs"}});
  for (std::size_t i = 0; i < page.File().objectives.size(); ++i) {
    const ObjectiveSpec& objective = page.File().objectives[i];
    fits.AddRow({EscapeMarkup(objective.id),
                 fmt::format("{} of {}", kObjectiveMeasures.NameOf(objective.measure),
                             EscapeMarkup(objective.compare.empty() ? objective.item : objective.compare)),
                 WindowText(objective), FormatNumber(objective.weight),
                 "<b>" + FormatNumber(best->objectives[i], 4) + "</b>",
                 std::isfinite(best->persistence[i]) ? FormatNumber(best->persistence[i], 4) : std::string()});
  }
  if (!page.File().objectives.empty()) section.body += "<h3>Objectives</h3>\n" + fits.Finish();
  section.body +=
      Paragraph(fmt::format("Member {} has the lowest cost, {}. Its composition is <code>{}-best.xml</code>.",
                            Count(best->member + 1), FormatNumber(best->cost), EscapeMarkup(page.File().id)));
  if (!page.study.IsSearch()) return section;
  std::vector<double> costs;
  for (const MemberRow& row : page.table.Rows()) {
    if (row.end) costs.push_back(row.cost);
  }
  section.body +=
      HtmlFigure("Search", "lowest cost so far (line) and cost of each member (dots)", false, SearchPlotSvg(costs));
  return section;
}

HtmlSection SensitivitySection(const Page& page) {
  HtmlSection section{"sensitivity", "Sensitivity", {}};
  if (!page.File().design || page.File().design->method != DesignMethod::Saltelli) return section;
  const std::size_t dimensions = page.File().varies.size();
  for (std::size_t i = 0; i < page.File().objectives.size(); ++i) {
    std::vector<double> results;
    for (const MemberRow& row : page.table.Rows()) results.push_back(row.IsDone() ? row.objectives[i] : kNotANumber);
    const std::vector<SobolPair> indices = ComputeSobolIndices(results, dimensions);
    HtmlTable table({{"Varied", false, {}},
                     {"First", true, "share of the variance that it explains alone"},
                     {"", false, {}},
                     {"Total", true, "share that it explains together with others"},
                     {"", false, {}}});
    const auto cell = [](const SobolIndex& index) {
      return FormatFixed(index.value, 3) + "<small>\xC2\xB1 " + FormatFixed(index.error, 3) + "</small>";
    };
    const auto bar = [](const SobolIndex& index) {
      return fmt::format(
          "<span class=\"bar\" style=\"display:block;min-width:8rem\"><i style=\"width:{:.1f}%\"></i></span>",
          100.0 * std::clamp(std::isfinite(index.value) ? index.value : 0.0, 0.0, 1.0));
    };
    for (std::size_t k = 0; k < dimensions; ++k) {
      table.AddRow({EscapeMarkup(page.File().varies[k].id), cell(indices[k].first), bar(indices[k].first),
                    cell(indices[k].total), bar(indices[k].total)});
    }
    section.body += "<h3>" + EscapeMarkup(page.File().objectives[i].id) + "</h3>\n" + table.Finish("timings");
  }
  section.body += Paragraph(
      "Sobol indices from Saltelli's design; below each, half of the 95 % confidence interval from resampling. Indices "
      "of which the first are much smaller than the total act through interactions.");
  return section;
}

const Observation* ObservationOf(const Page& page, const ResultSeries& series, std::size_t element) {
  // The id of a Compare's simulated item is that of an output; that of a series may be another, so elements and units
  // are compared too.
  for (const Observation& one : page.journal.Observations()) {
    bool is_item = one.item == series.id;
    for (const ObserveSpec& observe : page.study.Plan().Composition().observes) {
      is_item = is_item || (observe.id == series.id && observe.item.Text() == one.item);
    }
    const std::string name = series.elements.empty() ? std::string() : series.elements[element];
    if (is_item && one.unit == series.unit && (one.element == name || one.element.empty())) return &one;
  }
  return nullptr;
}

HtmlSection BandSection(const Page& page) {
  HtmlSection section{"bands", "Bands over time", {}};
  std::size_t drawn = 0;
  std::size_t left_out = 0;
  std::size_t equal = 0;
  const std::uint64_t members = page.study.Count();
  for (std::size_t i = 0; i < page.columns.Columns().size(); ++i) {
    const SeriesColumn& column = page.columns.Columns()[i];
    for (std::size_t element = 0; element < column.series.Width(); ++element) {
      if (drawn >= kMostBands || element >= 4) {
        ++left_out;
        continue;
      }
      const SpreadBand band = page.spread.Band(i, element, members);
      if (members > 1 && band.quantiles.front() == band.quantiles.back()) {
        ++equal;
        continue;
      }
      ++drawn;
      std::string title = column.series.id;
      if (!column.series.elements.empty()) title += " [" + column.series.elements[element] + "]";
      section.body +=
          HtmlFigure(title, column.series.caption, false,
                     BandPlotSvg(band, column.times, column.series.unit, ObservationOf(page, column.series, element)));
    }
  }
  if (equal > 0) section.body += Paragraph(Count(equal) + " series are the same in all members, and are not drawn.");
  if (left_out > 0) {
    section.body += Paragraph(Count(left_out) + " further series are in the NetCDF file only.");
  }
  if (!section.body.empty()) {
    section.body +=
        Paragraph("Quantiles at each time of all members that have a value then; they are no members themselves.");
  }
  return section;
}

HtmlSection ParallelSection(const Page& page) {
  HtmlSection section{"parallel", "Parallel coordinates", {}};
  const auto criterion = Criterion(page);
  if (!criterion) return section;
  std::vector<MemberQuantity> quantities;
  for (std::size_t k = 0; k < page.File().varies.size() && k < kMostAxes; ++k)
    quantities.push_back(QuantityOf(page, k));
  quantities.push_back(*criterion);
  section.body += HtmlFigure("Members", "a line for each; on top: those with the lowest " + criterion->label, false,
                             HtmlPicture(ParallelPlotSvg(quantities), 0.8));
  section.body += Paragraph(
      "The tenth of the members with the lowest value on the last axis has a colour of its own. Of many members, the "
      "best of them and an even choice of the others are drawn. Values above nine tenths of all are drawn at the end "
      "of that axis.");
  return section;
}

HtmlSection DottySection(const Page& page) {
  HtmlSection section{"dotty", "Dotty plots", {}};
  const auto criterion = Criterion(page);
  if (!criterion) return section;
  section.body += "<div class=\"triple\" style=\"display:flex;flex-wrap:wrap;gap:1rem\">\n";
  for (std::size_t k = 0; k < page.File().varies.size() && k < 3 * kMostAxes; ++k) {
    section.body += "<div style=\"flex:0 1 290px\">" + DottyPlotSvg(QuantityOf(page, k), *criterion) + "</div>\n";
  }
  section.body += "</div>\n" + Paragraph("A dot for each member; members whose " + EscapeMarkup(criterion->label) +
                                         " lies above the 95th percentile are left out.");
  return section;
}

HtmlSection MapSection(const Page& page) {
  HtmlSection section{"map", "Spread on the map", {}};
  for (std::size_t i = 0; i < page.columns.Columns().size(); ++i) {
    const ResultSeries& series = page.columns.Columns()[i].series;
    if (series.places == nullptr || series.elements.size() < 2) continue;
    const SpreadMap spread = page.spread.Map(i, page.study.Count());
    const bool is_spread = std::ranges::any_of(spread.deviation, [](double one) { return one > 0.0; });
    if (!is_spread) continue;
    ElementMap map;
    map.title = "standard deviation of the members' means over time";
    map.unit = series.unit;
    map.is_geographic = series.is_longitude_latitude;
    for (std::size_t k = 0; k < series.elements.size(); ++k) {
      MapElement element = DescribeElement(*series.places, static_cast<int>(k));
      element.value = spread.deviation[k];
      map.elements.push_back(std::move(element));
    }
    section.body += HtmlFigure(series.id, map.title, false, HtmlPicture(MapSvg(map), 0.6));
  }
  return section;
}

HtmlSection FailureSection(const Page& page) {
  HtmlSection section{"failures", "Failures", {}};
  HtmlTable table({{"Member", true, {}}, {"End", false, {}}, {"Values and reason", false, {}}});
  std::size_t shown = 0;
  std::size_t all = 0;
  for (const MemberRow& row : page.table.Rows()) {
    if (!row.end || row.IsDone()) continue;
    if (++all > kMostFailures) continue;
    ++shown;
    std::string values;
    for (std::size_t k = 0; k < row.values.size(); ++k) {
      values += (k == 0 ? "" : ", ") + page.File().varies[k].id + " = " + row.values[k];
    }
    table.AddRow({Count(row.member + 1), HtmlSpan("bad", kMemberEnds.NameOf(*row.end)),
                  EscapeMarkup(values) + "<br>" + EscapeMarkup(row.problem)});
  }
  if (all == 0) return section;
  section.body += table.Finish();
  if (shown < all) section.body += Paragraph(Count(all - shown) + " further ones are in the table of members.");
  return section;
}

HtmlSection MembersSection(const Page& page, const std::string& command) {
  HtmlSection section{"members", "How it was run", {}};
  double seconds = 0.0;
  double longest = 0.0;
  for (const MemberRow& row : page.table.Rows()) {
    seconds += row.seconds;
    longest = std::max(longest, row.seconds);
  }
  const std::size_t run = page.study.Count() - page.table.NotRun();
  HtmlTable table({{"Setting", false, {}}, {"Value", false, {}}});
  const auto add = [&](const std::string& name, const std::string& value) {
    table.AddRow({EscapeMarkup(name), EscapeMarkup(value)});
  };
  add("composition", page.File().composition);
  if (page.File().design) {
    add("design", kDesignMethods.NameOf(page.File().design->method));
    if (page.File().design->method >= DesignMethod::LatinHypercube)
      add("seed", std::to_string(page.File().design->seed));
  } else {
    add("search", kSearchMethods.NameOf(page.File().calibrate->method));
    add("budget", Count(page.File().calibrate->budget));
    add("seed", std::to_string(page.File().calibrate->seed));
  }
  add("time of the members", FormatSeconds(seconds));
  if (run > 0) add("mean time of a member", FormatSeconds(seconds / static_cast<double>(run)));
  add("longest member", FormatSeconds(longest));
  add("written by", fmt::format("OpenMI 2.0 SDK {}", kSdkVersion));
  if (!command.empty()) add("command", command);
  section.body = table.Finish();
  return section;
}

std::string HeaderOf(const Page& page) {
  const bool is_whole = page.table.NotRun() == 0;
  const std::size_t failed = page.study.Count() - page.table.NotRun() - page.table.CountOf(MemberEnd::Done);
  std::string text = "<header>\n<div class=\"over\"><span>Study report</span>";
  text += !is_whole     ? HtmlSpan("badge fail", "not complete")
          : failed == 0 ? HtmlSpan("badge ok", "all members done")
                        : HtmlSpan("badge fail", Count(failed) + " members failed");
  text += "</div>\n<h1>" + EscapeMarkup(page.File().caption.empty() ? page.File().id : page.File().caption) + "</h1>\n";
  text += "<p class=\"subtitle\">" + EscapeMarkup(page.File().path.filename().string()) + "</p>\n";
  if (!page.File().description.empty()) text += "<p>" + EscapeMarkup(page.File().description) + "</p>\n";
  return text + "</header>\n";
}

std::vector<ReportKeyFigure> FiguresOf(const Page& page) {
  std::vector<ReportKeyFigure> figures;
  const std::size_t done = page.table.CountOf(MemberEnd::Done);
  const std::size_t failed = page.study.Count() - page.table.NotRun() - done;
  figures.push_back({"members", Count(page.study.Count()), {}, {}, ReportTone::Neutral});
  figures.push_back({"done", Count(done), {}, {}, ReportTone::Good});
  figures.push_back({"failed", Count(failed), {}, {}, failed > 0 ? ReportTone::Bad : ReportTone::Good});
  if (page.table.NotRun() > 0) {
    figures.push_back({"not run", Count(page.table.NotRun()), {}, {}, ReportTone::Warning});
  }
  if (const MemberRow* best = page.table.Best()) {
    figures.push_back(
        {"lowest cost", FormatNumber(best->cost, 4), {}, "member " + Count(best->member + 1), ReportTone::Neutral});
  }
  return figures;
}

}  // namespace

void WriteStudyReport(const Study& study, const StudyJournalReader& journal, const StudyTable& table,
                      const SeriesColumns& columns, const std::filesystem::path& netcdf, const std::string& command,
                      const std::filesystem::path& path) {
  const Page page{study, journal, table, columns, MemberSpread(netcdf, columns)};
  const std::array sections = {BestSection(page), FailureSection(page),         SensitivitySection(page),
                               BandSection(page), ParallelSection(page),        DottySection(page),
                               MapSection(page),  MembersSection(page, command)};
  const std::string& title = study.File().caption.empty() ? study.File().id : study.File().caption;
  WriteHtmlPage(HtmlPage(title, HeaderOf(page), FiguresOf(page), sections), path);
}

}  // namespace openmi
