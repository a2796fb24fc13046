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

/// A NetCDF file that is read. Reads no more than is asked for.
///
/// Not for several threads at once: neither is the library underneath.
class NetcdfFile {
 public:
  /// \param shown  the name for messages
  /// \throws FileError  the file cannot be opened, or is no NetCDF
  NetcdfFile(const std::string& path, std::string shown);
  ~NetcdfFile();
  NetcdfFile(const NetcdfFile&) = delete;
  NetcdfFile& operator=(const NetcdfFile&) = delete;

  std::vector<std::string> Variables() const;
  bool Has(const std::string& variable) const;
  std::vector<NetcdfDimension> Dimensions(const std::string& variable) const;
  /// A text attribute, of the file itself where `variable` is empty; empty where there is none.
  std::string Text(const std::string& variable, const std::string& attribute) const;
  /// A number attribute, its first element; nothing where there is none.
  std::optional<double> Number(const std::string& variable, const std::string& attribute) const;
  /// Whether the variable holds numbers.
  bool IsNumeric(const std::string& variable) const;
  /// Whether it holds texts: strings, or characters whose last dimension is the length.
  bool IsText(const std::string& variable) const;
  /// The numbers as they are stored, the last dimension running fastest.
  std::vector<double> Doubles(const std::string& variable) const;
  /// The numbers as they are meant: unpacked by scale_factor and add_offset; NaN for _FillValue, missing_value and what
  /// lies outside valid_range, valid_min and valid_max. Source: CF conventions 1.8, 2.5.1 and 8.1.
  std::vector<double> Values(const std::string& variable) const;
  std::vector<std::string> Texts(const std::string& variable) const;

 private:
  int Id(const std::string& variable) const;
  void Check(int status, const std::string& variable) const;
  int file_ = -1;
  std::string shown_;
};

}  // namespace openmi
