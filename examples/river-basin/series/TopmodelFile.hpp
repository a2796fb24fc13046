#pragma once

#include <string>
#include <vector>

namespace riverbasin {

/// The series of a TOPMODEL input file: rain, potential evaporation and observed discharge.
///
/// The file's first row holds a number of rows and the step in hours; then three numbers a row, depths in metres in the
/// step, without a date. The number of rows is not believed: every row that holds three numbers counts, as the file
/// that this was written for has 1430 where its header says 950. Lines may end with CR LF.
struct TopmodelFile {
  double step_hours = 0.0;
  int announced_rows = 0;           ///< what the header says
  std::vector<double> rain;         ///< [m in the step]
  std::vector<double> evaporation;  ///< potential [m in the step]
  std::vector<double> discharge;    ///< observed [m in the step]

  std::size_t Rows() const { return rain.size(); }
};

/// \throws openmi::FileError    the file cannot be opened
/// \throws openmi::FormatError  the header or a row cannot be read; names file and line
TopmodelFile ReadTopmodelFile(const std::string& path);

}  // namespace riverbasin
