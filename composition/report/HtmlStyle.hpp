#pragma once

#include <string>

namespace openmi {

/// The style sheet of the report: light and dark, narrow pages and paper.
std::string HtmlStyleSheet();

/// The script of the report: values under the pointer, and a button for light and dark. Without it everything can be
/// read.
std::string HtmlScript();

}  // namespace openmi
