#pragma once

#include <filesystem>
#include <string>

#include "composition/report/ReportModel.hpp"

namespace openmi {

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
