#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/times/Stamp.hpp"

namespace openmi {

class ElementSet;

/// What the values of a series describe between the start and the end of a row.
enum class ResultKind { Instant, Mean, Sum, Minimum, Maximum };
inline constexpr EnumNames<ResultKind> kResultKinds{"instant", "mean", "sum", "minimum", "maximum"};

/// The words of the CF conventions in `cell_methods`.
///
/// Source: [CF-1.8], appendix E.
inline constexpr EnumNames<ResultKind> kCellMethods{"point", "mean", "sum", "minimum", "maximum"};

/// The long name of ids in a NetCDF file where the elements have no caption.
inline constexpr const char* kNoCaption = "id of the element";

/// What a results file records about its run. Empty members are omitted.
struct RunInfo {
  std::string title = {};    ///< what was run
  std::string source = {};   ///< what computed it: programs and their versions
  std::string history = {};  ///< when and by which command: "2026-01-31T12:00:00Z openmi run upper-creek.xml"
  std::string comment = {};  ///< such as what is invented
  int compression = 0;       ///< of a NetCDF file: 0: classic, which every library reads; 1 to 9: netCDF-4, by deflate
  std::vector<std::string> notes = {};  ///< what changed the run from outside, each with its time
};

/// What a run stores of one exchange item: its meaning, its unit and its elements, without the rows.
struct ResultSeries {
  std::string id;        ///< unique in its file: "creek.discharge"
  std::string caption;   ///< text for users; may be empty
  std::string quantity;  ///< may be empty
  std::string unit;      ///< as UDUNITS writes it: "m3 s-1"; empty: dimensionless
  ResultKind kind = ResultKind::Instant;
  std::optional<Days> span;            ///< length of every span; none: unknown, or spans of several lengths
  std::vector<std::string> elements;   ///< ids, shape [m]; empty: one value without a place
  std::vector<double> x;               ///< shape [m], or empty
  std::vector<double> y;               ///< shape [m], or empty
  bool is_longitude_latitude = false;  ///< `x` and `y` are degrees east and north
  std::string elements_caption;        ///< what the elements are: "reaches"; may be empty
  /// Points, lines or polygons of the elements; null: they have none. Series with the same places share them.
  std::shared_ptr<const ElementSet> places;
  double missing = kNotANumber;                                 ///< means "no value", in addition to NaN
  std::string comment;                                          ///< may be empty
  std::vector<std::pair<std::string, std::string>> attributes;  ///< further name and text pairs to store

  /// The number of values in a row: one for each element, or one if there are no elements.
  std::size_t Width() const { return elements.empty() ? 1 : elements.size(); }
};

/// Checks the series of a results file.
/// \throws FormatError  an id is empty or occurs twice, or there are coordinates for another number of elements
void CheckResultSeries(const std::vector<ResultSeries>& series);

/// Checks the arguments of `IResultWriter::Append`.
/// \throws RangeError  see `IResultWriter::Append`
void CheckRow(const std::vector<ResultSeries>& all, std::size_t series, double begin, double end,
              std::span<const double> values);

}  // namespace openmi
