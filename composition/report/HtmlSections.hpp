#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "composition/report/HtmlTable.hpp"
#include "composition/report/ReportModel.hpp"

namespace openmi {

/// How detailed the pictures of a report are; limits the size of the page.
struct ReportDetail {
  std::size_t columns = 430;              ///< columns of a plot
  std::size_t points = 40'000;            ///< of each line, for the script of the page
  std::size_t most_series = 150;          ///< observed items that are drawn; the others appear in the table only
  std::size_t most_elements = 12;         ///< rows for single elements in the table of extremes of an item
  std::size_t most_map_elements = 12000;  ///< of a map whose elements are drawn as shapes
  std::size_t map_cells = 1'000'000;      ///< of a map that is drawn as an image
};

/// Processes whose times the report and the JSON of a run show; they grow with the square of the processes.
inline constexpr std::size_t kMostTimelines = 24;

/// Chooses the detail from the amount of data to draw.
ReportDetail ChooseDetail(const ReportModel& model);

/// The shaded spans of every plot: the warm-up, if there is one.
std::vector<PlotSpan> WarmUpSpans(const ReportModel& model);

/// The style of a plot of that detail.
/// \param width, height  pixels
PlotStyle StyleOf(const ReportDetail& detail, double height, double width = 860.0);

/// A picture in its own size; on a narrower page it shrinks, but not below the share `least` of its size.
std::string HtmlPicture(const std::string& svg, double least);

/// The sections of the report; a section without content has an empty body.
HtmlSection NotesSection(const ReportModel& model);
HtmlSection DiagramSection(const ReportModel& model);
HtmlSection ComparisonSection(const ReportModel& model, const ReportDetail& detail);
HtmlSection HydrographSection(const ReportModel& model, const ReportDetail& detail);
HtmlSection SeriesSection(const ReportModel& model, const ReportDetail& detail);
HtmlSection BalanceSection(const ReportModel& model);
HtmlSection MapSection(const ReportModel& model, const ReportDetail& detail);
HtmlSection ProcessSection(const ReportModel& model);
HtmlSection RunSection(const ReportModel& model);
HtmlSection ProvenanceSection(const ReportModel& model);

/// The report as one HTML page that contains its styles, pictures and script.
///
/// It is well-formed XML. All text of the model is escaped. Long series are thinned out for drawing, and more so if
/// there are many, so that the page stays below about 5 MB.
/// \throws RangeError  the values of a series are not times by elements, or the lists of a comparison differ in length
std::string HtmlReport(const ReportModel& model);

/// Writes `HtmlReport(model)` to `path`; an earlier file is replaced only when the new one is complete.
/// \throws FileError  the file cannot be written
void WriteHtmlReport(const ReportModel& model, const std::filesystem::path& path);

}  // namespace openmi
