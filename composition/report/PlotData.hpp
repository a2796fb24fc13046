#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "composition/report/SvgPlotFrame.hpp"

namespace openmi {

/// Data that the script of a page reads from an attribute: numbers in base64, the lowest byte first.
///
/// 32 bits hold seven digits.
std::string EncodeFloats(std::span<const double> numbers);
std::string EncodeDoubles(std::span<const double> numbers);
/// \param numbers  below 2^32
std::string EncodeIndices(std::span<const std::size_t> numbers);

/// Escapes `text` for a JSON string in an attribute, which the writer escapes again. Control characters are left out.
std::string EscapeJson(std::string_view text);

/// The lines of a plot as the script of the page (`files/plots.js`) draws them again when it is zoomed: the text of an
/// attribute `data-plot`, JSON with the times and values in base64.
///
/// Values are rounded to 32 bits. A line of more points than fit is thinned out to the smallest and largest values of
/// equal parts of the time; it says of how many.
class PlotData {
 public:
  /// \param style  a picture that is a file of its own has no script, and gets no data
  PlotData(const PlotPanel& panel, const PlotStyle& style);
  /// Adds a line; its class says how it is drawn.
  void Add(const PlotSeries& series, std::string_view unit);
  /// Adds the shaded spans.
  void Shade(std::span<const PlotSpan> spans);
  /// Puts the data into the picture.
  void WriteTo(SvgWriter& svg) const;

 private:
  PlotPanel panel_;
  bool is_wanted_;
  std::size_t most_points_;
  std::string lines_;
  std::string spans_;
};

}  // namespace openmi
