#pragma once

#include <string>

namespace openmi {

/// The style sheet of the report, for light and dark display, narrow pages and print.
std::string HtmlStyleSheet();

/// The script of the report: it shows the values under the pointer, and a button for light and dark display.
///
/// The report is readable without it.
std::string HtmlScript();

}  // namespace openmi
