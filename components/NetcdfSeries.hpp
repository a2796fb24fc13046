#pragma once

#include <string>
#include <vector>

#include "components/SeriesComponent.hpp"
#include "components/TimeReference.hpp"
#include "timespace/NetcdfFile.hpp"

namespace openmi {

/// Time series out of a NetCDF file, by the CF conventions as far as the file keeps them. Type `openmi.NetcdfSeries`.
///
/// Reads variables by time, or by time and one other dimension in either order; the other dimension is the elements.
class NetcdfSeries final : public SeriesComponent {
 public:
  NetcdfSeries();

 private:
  SeriesData Read() override;
  std::string FindTime(const NetcdfFile& file, const std::vector<std::string>& variables) const;
  /// Which dimension of the time variable is the time; checks that all rows of a two-dimensional one agree.
  std::vector<double> TimesOf(const NetcdfFile& file, const std::string& time, const std::string& dimension) const;
  std::string TimeDimension(const NetcdfFile& file, const std::string& time) const;
  /// How the numbers of the time variable mean times.
  TimeReference ReferenceOf(const NetcdfFile& file, const std::string& time) const;
  std::vector<SeriesStamp> ReadStamps(const NetcdfFile& file, const std::string& time,
                                      const std::string& dimension) const;
  /// Whether the variables hold values over spans, by their cell_methods; a warning where the file leaves it open.
  /// \throws ArgumentError  some do and some do not
  bool AreOverSpans(const NetcdfFile& file, const std::string& time, const std::vector<ColumnSpec>& specs,
                    std::vector<std::string>& warnings) const;
  /// Takes the time bounds: the stamps become the ends of the spans.
  void ReadSpans(const NetcdfFile& file, const std::string& time, SeriesData& data) const;
  /// Longitude and latitude of the elements; empty where the file does not have both.
  static std::vector<ElementVertex> ReadPlaces(const NetcdfFile& file, const NetcdfDimension& elements);
  std::vector<std::string> ReadIds(const NetcdfFile& file, const NetcdfDimension& elements) const;

  Argument<std::string> time_variable_, ids_variable_, missing_values_;
};

}  // namespace openmi
