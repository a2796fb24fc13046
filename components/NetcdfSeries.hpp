#pragma once

#include <string>
#include <vector>

#include "components/SeriesComponent.hpp"
#include "components/TimeReference.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {

/// Time series from a NetCDF file. Type `openmi.NetcdfSeries`.
///
/// It follows the CF conventions as far as the file does. It reads variables by time, or by time and one other
/// dimension in either order; the other dimension is the elements.
///
/// Source: [CF-1.8], ch. 4 and 7.
class NetcdfSeries final : public SeriesComponent {
 public:
  NetcdfSeries();

 private:
  SeriesData Read() override;
  std::string FindTime(const NetcdfFile& file, const std::vector<std::string>& variables) const;
  /// The numbers of the time variable along its time dimension.
  ///
  /// For a two-dimensional time variable, checks that all its rows agree.
  std::vector<double> TimesOf(const NetcdfFile& file, const std::string& time, const std::string& dimension) const;
  std::string TimeDimension(const NetcdfFile& file, const std::string& time) const;
  /// How the numbers of the time variable are to be read as times.
  TimeReference ReferenceOf(const NetcdfFile& file, const std::string& time) const;
  std::vector<SeriesStamp> ReadStamps(const NetcdfFile& file, const std::string& time,
                                      const std::string& dimension) const;
  /// Whether the variables hold values over spans, from their cell_methods; adds a warning where the file does not
  /// state it.
  /// \throws ArgumentError  only some of the variables do
  bool AreOverSpans(const NetcdfFile& file, const std::string& time, const std::vector<ColumnSpec>& specs,
                    std::vector<std::string>& warnings) const;
  /// Reads the time bounds: the stamps become the ends of the spans.
  void ReadSpans(const NetcdfFile& file, const std::string& time, SeriesData& data) const;
  /// Longitude and latitude of the elements; empty where the file does not have both.
  static std::vector<ElementVertex> ReadPlaces(const NetcdfFile& file, const NetcdfDimension& elements);
  std::vector<std::string> ReadIds(const NetcdfFile& file, const NetcdfDimension& elements) const;

  Argument<std::string> time_variable_, ids_variable_, missing_values_;
};

}  // namespace openmi
