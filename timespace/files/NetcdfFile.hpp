#pragma once

#include <cstddef>
#include <mutex>
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

  /// The name for messages.
  const std::string& Shown() const { return shown_; }
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
  /// The ids of `count` elements: the texts of a variable, or its numbers written out.
  /// \param variable  empty: ids counted from 1
  /// \throws FormatError  the variable has another number of ids, or an empty one
  std::vector<std::string> Ids(const std::string& variable, std::size_t count) const;

 private:
  int Id(const std::string& variable) const;
  void Check(int status, const std::string& variable) const;
  int file_ = -1;
  std::string shown_;
};

/// Locks the NetCDF library, which is not thread-safe, for the calls of this thread.
///
/// The library exists once in a process, and two runs may use it at once, or a component may read while another run
/// writes. Recursive: a thread may lock it again.
std::unique_lock<std::recursive_mutex> LockNetcdf();

/// Checks the header of a classic NetCDF file (CDF-1, CDF-2, CDF-5) against the size of the file.
///
/// Call it before the NetCDF library opens the file. The library trusts every count and length: a damaged or hostile
/// file of 3 kB makes it allocate gigabytes or crash.
///
/// Every list, name, attribute and variable must fit into the file, dimensions of a variable must exist, and types must
/// be known. Reads only the header.
///
/// Source: NetCDF User's Guide, "The NetCDF-3 file format specification".
/// \returns the fault ("the list of dimensions claims 603979778 entries, more than the file can hold"); empty for a
///   valid header, for a file of another kind (HDF5), and for a file that cannot be opened
std::string FaultOfNetcdfHeader(const std::string& path);

}  // namespace openmi
