#pragma once

#include <cstddef>
#include <string>

#include "composition/report/GraphModel.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// How a diagram is drawn.
struct GraphStyle {
  SvgUse use = SvgUse::Inline;
  /// Up to so many components are drawn with their items and with the names of the adaptors; larger diagrams show the
  /// names of the components, and how many adaptors stand on a link. What is left out can be read by pointing at it.
  std::size_t most_detailed = 30;
  double widest = 900.0;  ///< pixels; what would be wider goes on in a further row below
};

/// Draws components as boxes with their items, links from left to right (in rows, as text runs) with the adaptors on
/// them, and links that close a loop back in another colour. Without the title of the model; no text is wider than its
/// box.
std::string GraphSvg(const GraphModel& model, const GraphStyle& style = {});

/// The same composition in the language of Graphviz, with every text quoted.
std::string GraphDot(const GraphModel& model);

}  // namespace openmi
