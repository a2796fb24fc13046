#pragma once

#include <string>

#include "openmi/sdk/ArgumentList.hpp"

namespace openmi {

/// The argument by which a component learns where the files of its own belong that a run leaves (records, logs). A run
/// sets it to the folder of its results, as a whole path, where nobody gave it.
inline constexpr char kResultsFolder[] = "results-folder";

/// The argument `results-folder`, and what it makes of the name of a file to write. It is optional.
class ResultsFolder {
 public:
  void AddTo(ArgumentList& arguments);

  /// Where a file is written: an absolute name as it is, a relative one in the folder, which is made if it is not
  /// there. \param beside  the same name beside the OMI file: that is it where there is no folder, outside a run
  /// \throws FileError  the folder cannot be made
  std::string PathOf(const std::string& name, const std::string& beside) const;

 private:
  Argument<std::string> folder_;
};

}  // namespace openmi
