#pragma once

#include <string>

#include "openmi/sdk/ArgumentList.hpp"

namespace openmi {

/// The argument with the folder for files that a component writes in a run (records, logs).
///
/// When it has no value, a run sets it to the folder of its results, as an absolute path.
inline constexpr char kResultsFolder[] = "results-folder";

/// The optional argument `results-folder`, and the paths of written files that follow from it.
class ResultsFolder {
 public:
  ResultsFolder() = default;
  /// Declares the argument.
  explicit ResultsFolder(ArgumentList& arguments);

  /// The path of a file to write.
  ///
  /// An absolute `name` is used unchanged; a relative one is in the results folder, which is created when needed.
  /// \param beside  the path of `name` beside the OMI file; returned for an absolute name, and without a results folder
  ///   (outside a run)
  /// \throws FileError  the folder cannot be created
  std::string PathOf(const std::string& name, const std::string& beside) const;
  /// The path of the file that an argument names for writing; empty where it names none.
  /// \param path_of  gives the path of a name beside the OMI file
  /// \throws FileError  the folder cannot be created
  template <class PathBeside>
  std::string WrittenPath(const Argument<std::string>& argument, const PathBeside& path_of) const {
    const std::string name = TextOf(argument);
    return name.empty() ? name : PathOf(name, path_of(name));
  }

 private:
  Argument<std::string> folder_;
};

}  // namespace openmi
