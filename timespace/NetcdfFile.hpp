#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace openmi {

/// A dimension of a variable.
struct NetcdfDimension {
  std::string name;
  std::size_t length = 0;
  friend bool operator==(const NetcdfDimension&, const NetcdfDimension&) = default;
};

/// A NetCDF file that is open for reading. Reads only the requested data.
///
/// Not thread-safe, like the NetCDF library.
class NetcdfFile {
 public:
  /// \param shown  the name for messages
  /// \throws FileError  the file cannot be opened, or is not a NetCDF file
  NetcdfFile(const std::string& path, std::string shown);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  /// The names of all variables.
  std::vector<std::string> Variables() const;
  bool Has(const std::string& variable) const;
  /// The dimensions of a variable, the slowest first.
  std::vector<NetcdfDimension> Dimensions(const std::string& variable) const;
  /// A text attribute; empty when there is none.
  /// \param variable  empty: an attribute of the file itself
  std::string Text(const std::string& variable, const std::string& attribute) const;
  /// The first element of a number attribute; no value when there is none.
  std::optional<double> Number(const std::string& variable, const std::string& attribute) const;
  /// Whether the variable holds numbers.
  bool IsNumeric(const std::string& variable) const;
  /// Whether the variable contains texts: strings, or characters whose last dimension is the length.
  bool IsText(const std::string& variable) const;
  /// The numbers as stored; the last dimension varies fastest.
  std::vector<double> Doubles(const std::string& variable) const;
  /// The numbers as meant: unpacked with scale_factor and add_offset.
  ///
  /// NaN for _FillValue, missing_value and values outside valid_range, valid_min and valid_max.
  ///
  /// Source: CF conventions 1.8, 2.5.1 and 8.1.
  std::vector<double> Values(const std::string& variable) const;
  /// The texts of a variable.
  std::vector<std::string> Texts(const std::string& variable) const;

 private:
  int Id(const std::string& variable) const;
  void Check(int status, const std::string& variable) const;
  int file_ = -1;
  std::string shown_;
};

}  // namespace openmi
