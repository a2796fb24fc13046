#include <cmath>
#include <string>

#include "adaptors/space/WeightFile.hpp"
#include "openmi/sdk/Error.hpp"
#include "tests/fuzz/FuzzTarget.hpp"

namespace openmi::fuzz {

// Any classic NetCDF file is finite weights between elements that there are, which can be written and read again, or an
// error that names the file.
OPENMI_FUZZ_TARGET(weight_file) {
  if (!input.starts_with("CDF")) return;
  const std::string path = FileOf(input, ".nc");
  try {
    const WeightFile file = ReadWeightFile(path);
    for (const double weight : file.weights.AllWeights()) Require(std::isfinite(weight));
    // A grid of millions of elements may be stated in a hundred bytes; written, it has their values.
    if (file.weights.Columns() > 100000 || file.weights.Rows() > 100000) return;
    for (const WeightFileForm form : {WeightFileForm::Scrip, WeightFileForm::Esmf}) {
      const std::string written = FolderOfProcess() + "/written.nc";
      WriteWeightFile(written, file, form);
      const WeightFile again = ReadWeightFile(written);
      Require(again.weights.AllWeights().size() == file.weights.AllWeights().size());
    }
  } catch (const FileError&) {
  } catch (const FormatError& error) {
    Require(std::string_view(error.what()).find("input.nc") != std::string_view::npos);
  }
}

}  // namespace openmi::fuzz
