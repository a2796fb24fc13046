#pragma once

#include <cstddef>
#include <string>

#include "composition/report/GraphModel.hpp"
#include "composition/report/SvgWriter.hpp"

namespace openmi {

/// How a diagram is drawn.
struct GraphStyle {
  SvgUse use = SvgUse::Inline;
  /// The greatest number of components that are drawn with items and names of adaptors.
  ///
  /// Larger diagrams show the names of the components and the number of adaptors on a link; the omitted texts appear as
  /// tooltips.
  std::size_t most_detailed = 30;
  double widest = 900.0;  ///< pixels; a wider diagram is broken into rows
};

/// Draws a composition as an SVG picture, without the title of the model.
///
/// Components are boxes with their items. Links run from left to right, in rows like a text, with their adaptors on
/// them; links that close a loop run back in another colour. No text is wider than its box.
std::string GraphSvg(const GraphModel& model, const GraphStyle& style = {});

/// The same composition in the language of Graphviz, with every text in quotes.
std::string GraphDot(const GraphModel& model);

}  // namespace openmi
