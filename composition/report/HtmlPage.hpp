#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "composition/report/HtmlTable.hpp"
#include "composition/report/ReportModel.hpp"

namespace openmi {

/// A page with the styles and the script of the reports, light or dark as the reader prefers.
///
/// It is well-formed XML.
/// \param title     plain text
/// \param header    markup, above the page
/// \param sections  those without a body are omitted
std::string HtmlPage(std::string_view title, std::string_view header, std::span<const ReportKeyFigure> figures,
                     std::span<const HtmlSection> sections);

/// Writes a page; an earlier file is replaced only when the new one is complete.
/// \throws FileError  the file cannot be written
void WriteHtmlPage(const std::string& page, const std::filesystem::path& path);

}  // namespace openmi
