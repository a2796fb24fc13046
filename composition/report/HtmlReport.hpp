#pragma once

#include <filesystem>
#include <string>

#include "composition/report/ReportModel.hpp"

namespace openmi {

/// The report as one page that needs nothing but itself: styles, pictures and the little script are inside. It is HTML
/// that an XML reader accepts too. All text of the model is escaped. Long series are thinned out for drawing, many of
/// them more, so that the page stays below about 5 MB.
/// \throws RangeError  a series whose values are not times by elements, a comparison of lists of different length
std::string HtmlReport(const ReportModel& model);

/// Writes `HtmlReport(model)` to `path`; an earlier file is replaced only when the new one is complete.
/// \throws FileError  the file cannot be written
void WriteHtmlReport(const ReportModel& model, const std::filesystem::path& path);

}  // namespace openmi
