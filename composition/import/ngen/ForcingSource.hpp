#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "composition/import/ngen/Gathered.hpp"
#include "composition/import/ngen/Realization.hpp"

namespace openmi::ngen {

/// A variable of forcing data.
struct ForcingVariable {
  std::string column;  ///< of the files
  std::string unit;    ///< empty: none is known
};

/// Forcing data: one file for all catchments, or one for each.
struct ForcingSource {
  bool is_netcdf = false;
  std::filesystem::path file;                              ///< of NetCDF
  std::vector<std::pair<std::string, std::string>> files;  ///< of CSV: catchment and path
  std::map<std::string, ForcingVariable> variables;        ///< by each name that ngen knows it by
  std::string time_column;                                 ///< or variable
  std::string time_units;                                  ///< of numbers without a date; empty: the file states all
};

/// The names by which ngen finds a column, and its unit if the file states none.
///
/// Source: `WellKnownFields` of AorcForcing.hpp in NOAA-OWP/ngen.
std::vector<std::string> NamesOf(const std::string& column);
std::string KnownUnit(const std::string& column);

/// Finds the file of the forcing of one catchment.
///
/// A pattern is a regular expression over names in the folder, as in ngen. Of several that fit, ngen takes the one that
/// the file system lists first; here it is the first by name, with a warning.
class ForcingFiles {
 public:
  /// \param root  folder from which relative paths start
  explicit ForcingFiles(std::filesystem::path root) : root_(std::move(root)) {}
  /// \returns empty if there is none, which is reported
  std::filesystem::path Find(const Forcing& forcing, const std::string& catchment, Gathered& problems);

 private:
  struct Folder {
    bool is_there = false;
    std::vector<std::string> names;                         // sorted
    std::map<std::string, std::vector<std::string>> by_id;  // names that contain "letters-digits"
  };
  const Folder& In(const std::filesystem::path& path);

  std::filesystem::path root_;
  std::map<std::filesystem::path, Folder> folders_;
};

/// Reads which variables a NetCDF file has. \throws FileError, FormatError
void ReadNetcdfVariables(ForcingSource& source);
/// Reads which variables the first of the CSV files has. \throws FileError, FormatError
void ReadCsvVariables(ForcingSource& source);

}  // namespace openmi::ngen
