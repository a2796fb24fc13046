#pragma once

#include <string>
#include <vector>

#include "adaptors/kernels/SparseRows.hpp"

namespace openmi {

/// What the two forms of weight files say about one side of a mapping. Lists may be empty where a file need not know.
struct WeightFileSide {
  std::vector<int> dimensions;    ///< of a grid, fastest first; empty: one, the number of elements
  std::vector<double> longitude;  ///< of the elements' middles, degrees; shape [elements]
  std::vector<double> latitude;   ///< likewise
  std::vector<double> area;       ///< square radians; shape [elements]
  std::vector<double> fraction;   ///< the part that the other side covers, 0 to 1; shape [elements]
  std::vector<int> mask;          ///< 1 for elements that take part; shape [elements]
};

/// Weights as tools for regridding exchange them in NetCDF.
struct WeightFile {
  SparseRows weights;  ///< [target x source]
  WeightFileSide source;
  WeightFileSide target;
  std::string normalisation = "fracarea";         ///< none, destarea or fracarea, as SCRIP names them
  std::string method = "Conservative remapping";  ///< as SCRIP names it
};

/// The two ways of writing the same.
enum class WeightFileForm {
  Scrip,  ///< src_address, dst_address, remap_matrix: SCRIP and CDO
  Esmf    ///< col, row, S: ESMF, and NCO, TempestRemap, xESMF
};

/// Writes weights for other tools; what stands at `path` is replaced.
/// \throws FileError   the file cannot be written
/// \throws RangeError  a list whose length is not the number of elements
void WriteWeightFile(const std::string& path, const WeightFile& file, WeightFileForm form);

/// Reads weights of either form, in any order of links; several links of one pair are added up. Of the weights of SCRIP
/// for gradients (num_wgts above 1) only files where they are zero are taken.
/// \throws FileError    the file cannot be opened, or is no NetCDF
/// \throws FormatError  it holds no weights, or addresses beyond the elements, or weights that are not finite; names
///                      the file
/// Source: SCRIP user's guide 1.4, sec. 2.3; ESMF Reference Manual, "Regrid Interpolation Weight File Format".
WeightFile ReadWeightFile(const std::string& path);

}  // namespace openmi
