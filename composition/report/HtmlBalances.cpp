#include <fmt/format.h>

#include <cmath>

#include "composition/report/HtmlSections.hpp"
#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTimeAxis.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {
namespace {

std::string Small(const std::string& upper, const std::string& lower) {
  return lower.empty() ? upper : upper + "<small>" + lower + "</small>";
}

std::string State(double relative, double tolerance) {
  if (!std::isfinite(relative)) return HtmlSpan("muted", "unknown");
  return std::abs(relative) <= tolerance ? HtmlSpan("badge ok", "closed") : HtmlSpan("badge fail", "not closed");
}

std::string LinkTable(const ReportModel& model) {
  HtmlTable table({{"Link", false, {}},
                   {"Left", true, "integrated over the provider's own steps"},
                   {"Arrived", true, "from what the consumer used"},
                   {"Outside", true, "the part of what left that lies beyond the targets"},
                   {"Unit", false, {}},
                   {"Difference", true, "arrived plus outside, minus left"},
                   {"Relative", true, "difference by what left for the targets"},
                   {"", false, {}}});
  for (const LinkBalance& balance : model.link_balances) {
    const std::string through = balance.adaptors.empty() ? std::string() : "through " + balance.adaptors;
    const std::string note = balance.note.empty() ? "" : (through.empty() ? "" : "; ") + balance.note;
    table.AddRow(
        {Small(EscapeMarkup(balance.from) + " \xE2\x86\x92 " + EscapeMarkup(balance.to), EscapeMarkup(through + note)),
         FormatNumber(balance.left, 9), FormatNumber(balance.arrived, 9), FormatNumber(balance.outside, 9),
         EscapeMarkup(PrettyUnit(balance.unit)), FormatNumber(balance.arrived - (balance.left - balance.outside), 3),
         FormatRelative(balance.relative_difference), State(balance.relative_difference, model.balance_tolerance)});
  }
  return table.Finish();
}

/// The links that carry a conserved quantity and could not be balanced.
std::string NotBalancedTable(const ReportModel& model) {
  HtmlTable table({{"Link", false, {}}, {"Why it is not balanced", false, {}}});
  for (const auto& [link, reason] : model.not_balanced) table.AddRow({EscapeMarkup(link), EscapeMarkup(reason)});
  return table.Finish();
}

/// An amount in cubic metres, and below it in millimetres over the area.
std::string Amount(double cubic_metres, double area, int digits) {
  const std::string depth = std::isfinite(area) && area > 0.0 && std::isfinite(cubic_metres)
                                ? FormatNumber(cubic_metres / area * 1000.0, digits > 4 ? 6 : digits) + "\xE2\x80\x89mm"
                                : std::string();
  return Small(FormatNumber(cubic_metres, digits), depth);
}

std::string ComponentTable(const ReportModel& model) {
  HtmlTable table({{"Component", false, {}},
                   {"Start", true, "storage at the start of the balance"},
                   {"In", true, {}},
                   {"Out", true, {}},
                   {"Losses", true, {}},
                   {"End", true, "storage at the end"},
                   {"Residual", true, "start + in - out - losses - end"},
                   {"Worst step", true, "largest residual of a single step, and when"},
                   {"", false, {}}});
  for (const ComponentBalance& balance : model.component_balances) {
    const double area = balance.area_m2;
    std::string name = EscapeMarkup(balance.component);
    if (std::isfinite(area)) name = Small(name, FormatNumber(area / 1e6, 5) + "\xE2\x80\x89km\xC2\xB2");
    if (!balance.note.empty()) name = Small(name, EscapeMarkup(balance.note));
    table.AddRow(
        {name, Amount(balance.start_m3, area, 9), Amount(balance.in_m3, area, 9), Amount(balance.out_m3, area, 9),
         Amount(balance.losses_m3, area, 9), Amount(balance.end_m3, area, 9), Amount(balance.residual_m3, area, 3),
         Small(FormatNumber(balance.worst_step_residual_m3, 3),
               std::isfinite(balance.worst_step_time) ? ShortIsoTime(balance.worst_step_time) : ""),
         Small(State(balance.relative_residual, model.balance_tolerance), FormatRelative(balance.relative_residual))});
  }
  return table.Finish();
}

/// The parts of components of many parts, such as populations: how many are closed, and the worst ones.
std::string PartTables(const ReportModel& model) {
  std::string text;
  for (const ComponentBalance& balance : model.component_balances) {
    if (balance.parts == 0) continue;
    const auto number = [](std::size_t count) { return FormatNumber(static_cast<double>(count), 9); };
    std::string lead =
        fmt::format("{} of {} are closed", number(balance.parts - balance.open_parts - balance.unknown_parts),
                    number(balance.parts));
    if (balance.unknown_parts > 0) {
      lead += fmt::format("; {} are unknown, since missing values passed through", number(balance.unknown_parts));
    }
    if (!balance.worst_parts.empty()) {
      const PartBalance& worst = balance.worst_parts.front();
      lead +=
          fmt::format("; the largest relative residual is {}, of {}", FormatRelative(worst.figures.relative), worst.id);
    }
    text += fmt::format("<h3>Rows of {}</h3>\n<p class=\"lead\">{}.</p>\n", EscapeMarkup(balance.component),
                        EscapeMarkup(lead));
    if (balance.open_parts == 0) continue;
    HtmlTable table({{"Row", false, {}},
                     {"Start", true, {}},
                     {"In", true, {}},
                     {"Out", true, {}},
                     {"Losses", true, {}},
                     {"End", true, {}},
                     {"Residual", true, "start + in - out - losses - end"},
                     {"Unit", false, {}},
                     {"", false, {}}});
    for (const PartBalance& part : balance.worst_parts) {
      const ElementBalanceFigures& of = part.figures;
      table.AddRow({EscapeMarkup(part.id), FormatNumber(of.start, 6), FormatNumber(of.in, 6), FormatNumber(of.out, 6),
                    FormatNumber(of.losses, 6), FormatNumber(of.end, 6), FormatNumber(of.residual, 3),
                    EscapeMarkup(PrettyUnit(balance.unit)),
                    Small(State(of.relative, model.balance_tolerance), FormatRelative(of.relative))});
    }
    text += table.Finish();
  }
  return text;
}

}  // namespace

HtmlSection BalanceSection(const ReportModel& model) {
  HtmlSection section{"balances", "Balances", {}};
  const std::string links = LinkTable(model);
  if (!links.empty()) {
    section.body +=
        "<h3>Links</h3>\n<p class=\"lead\">What left each provider, integrated over its own steps, against "
        "what arrived, from what the consumer used.</p>\n" +
        links;
  }
  const std::string others = NotBalancedTable(model);
  if (!others.empty()) section.body += "<h3>Links that are not balanced</h3>\n" + others;
  const std::string components = ComponentTable(model);
  if (!components.empty()) {
    section.body +=
        "<h3>Components</h3>\n<p class=\"lead\">Start + in \xE2\x88\x92 out \xE2\x88\x92 losses \xE2\x88\x92 "
        "end = residual, in cubic metres and, where an area is known, in millimetres over it.</p>\n" +
        components + PartTables(model);
  }
  if (!section.body.empty()) {
    section.body += fmt::format(
        "<p class=\"fine\">A balance is closed where it differs by at most {} relative. The "
        "warm-up is left out.</p>\n",
        FormatNumber(model.balance_tolerance, 2));
  }
  return section;
}

}  // namespace openmi
