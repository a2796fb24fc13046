#include "composition/report/HtmlPage.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "composition/report/ReportNumbers.hpp"
#include "composition/report/SvgTheme.hpp"
#include "composition/report/SvgWriter.hpp"
#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr EnumNames<ReportTone> kFigureClasses{"figure", "figure ok", "figure caution", "figure fail"};

std::string KeyFigures(std::span<const ReportKeyFigure> figures) {
  if (figures.empty()) return {};
  std::string text = "<div class=\"figures\">\n";
  for (const ReportKeyFigure& figure : figures) {
    text += fmt::format("<div class=\"{}\"><span>{}</span><b>{}{}</b>{}</div>\n", kFigureClasses.NameOf(figure.tone),
                        EscapeMarkup(figure.label), EscapeMarkup(figure.value),
                        figure.unit.empty() ? "" : " <i>" + EscapeMarkup(PrettyUnit(figure.unit)) + "</i>",
                        figure.note.empty() ? "" : "<small>" + EscapeMarkup(figure.note) + "</small>");
  }
  return text + "</div>\n";
}

/// For light and dark display, narrow pages and print.
std::string StyleSheet() {
  const std::string dark = DarkColours();
  return ":root{color-scheme:light;" + LightColours() +
         "}@media screen and (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;" + dark +
         "}}@media screen{:root[data-theme=dark]{color-scheme:dark;" + dark + "}}" + InlineSvgStyle() + "\n" +
         std::string(EmbeddedReportFile("report.css"));
}

}  // namespace

std::string HtmlPage(std::string_view title, std::string_view header, std::span<const ReportKeyFigure> figures,
                     std::span<const HtmlSection> sections) {
  std::string navigation;
  std::string body;
  for (const HtmlSection& section : sections) {
    if (section.body.empty()) continue;
    navigation += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, EscapeMarkup(section.title));
    body += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", section.id, EscapeMarkup(section.title),
                        section.body);
  }
  return fmt::format(fmt::runtime(EmbeddedReportFile("page.html")), fmt::arg("title", EscapeMarkup(title)),
                     fmt::arg("styles", StyleSheet()), fmt::arg("header", header), fmt::arg("navigation", navigation),
                     fmt::arg("figures", KeyFigures(figures)), fmt::arg("body", body),
                     fmt::arg("plots", EmbeddedReportFile("plots.js")), fmt::arg("maps", EmbeddedReportFile("maps.js")),
                     fmt::arg("script", EmbeddedReportFile("report.js")));
}

void WriteHtmlPage(const std::string& page, const std::filesystem::path& path) {
  std::filesystem::path part = path;
  part += ".part";
  const auto fail = [&](std::string_view what, const std::string& cause) {
    std::error_code ignored;
    std::filesystem::remove(part, ignored);
    Where where;
    where.file = path.string();
    throw FileError(std::move(where), fmt::format("expected to {} the report, found: {}", what, cause),
                    "check that the folder exists, may be written to and has room");
  };
  {
    std::ofstream file(part, std::ios::binary | std::ios::trunc);
    if (!file) fail("open", std::error_code(errno, std::generic_category()).message());
    file.write(page.data(), static_cast<std::streamsize>(page.size()));
    file.flush();
    if (!file) fail("write", std::error_code(errno, std::generic_category()).message());
  }
  std::error_code error;
  std::filesystem::rename(part, path, error);
  if (error) fail("put in place", error.message());
}

}  // namespace openmi
