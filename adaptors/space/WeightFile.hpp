#pragma once

#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// What both forms of weight files hold about one side of a mapping. A list may be empty if the file does not need it.
struct WeightFileSide {
  std::vector<int> dimensions;    ///< of a grid, fastest first; empty: one dimension, the number of elements
  std::vector<double> longitude;  ///< of the elements' centres, degrees; shape [elements]
  std::vector<double> latitude;   ///< of the elements' centres, degrees; shape [elements]
  std::vector<double> area;       ///< square radians; shape [elements]
  std::vector<double> fraction;   ///< the part of the area that the other side covers, 0 to 1; shape [elements]
  std::vector<int> mask;          ///< 1 for elements that take part; shape [elements]
};

/// Weights in the form in which regridding tools exchange them in NetCDF files.
struct WeightFile {
  SparseRows weights;  ///< [target x source]
  WeightFileSide source;
  WeightFileSide target;
  std::string normalisation = "fracarea";         ///< none, destarea or fracarea; the terms of SCRIP
  std::string method = "Conservative remapping";  ///< the term of SCRIP
};

/// The two forms of weight files.
enum class WeightFileForm {
  Scrip,  ///< src_address, dst_address, remap_matrix: SCRIP and CDO
  Esmf    ///< col, row, S: ESMF, and NCO, TempestRemap, xESMF
};

/// Writes weights for other tools; replaces a file at `path`.
/// \throws FileError  the file cannot be written
/// \throws RangeError  the length of a list is not the number of elements
void WriteWeightFile(const std::string& path, const WeightFile& file, WeightFileForm form);

/// Reads weights of either form.
///
/// The entries may be in any order; several entries of one pair are added up. SCRIP's weights for gradients (num_wgts
/// above 1) are accepted only if they are zero.
/// \throws FileError  the file cannot be opened, or is no NetCDF file
/// \throws FormatError  the file holds no weights, addresses beyond the elements, or weights that are not finite; the
///   message names the file
///
/// Source: SCRIP user's guide 1.4, sec. 2.3; ESMF Reference Manual, "Regrid Interpolation Weight File Format".
WeightFile ReadWeightFile(const std::string& path);

}  // namespace openmi
