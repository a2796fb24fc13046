#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "composition/results/FileLock.hpp"

namespace openmi {

/// The place of a run's results: `<folder>/<name>.csv`, `.nc`, `.html`, and others by their ending.
///
/// One run at a time has it; a second one is refused, and so is one that would write over the results of an earlier
/// one: what a run that was killed left behind in its journal is made readable first.
class RunFolder {
 public:
  /// Overwrite and Resume leave everything as it is.
  enum class Existing { Refuse, Overwrite, Resume };

  /// Makes the folder where it is missing, takes it, and, where it is to refuse, completes what an earlier run left.
  /// \param folder  may be missing; empty: the working folder
  /// \param name    of the files, without ending
  /// \throws FileError  the folder cannot be made or written to; another run is at it; there are earlier results and
  ///         `existing` refuses to overwrite them
  RunFolder(std::filesystem::path folder, std::string name, Existing existing = Existing::Refuse);

  const std::filesystem::path& Folder() const { return folder_; }
  const std::string& Name() const { return name_; }
  /// The path of the file with that ending: ".csv".
  std::filesystem::path File(std::string_view ending) const;
  std::filesystem::path Csv() const { return File(".csv"); }
  std::filesystem::path Netcdf() const { return File(".nc"); }
  std::filesystem::path Report() const { return File(".html"); }

 private:
  std::filesystem::path folder_;
  std::string name_;
  FileLock lock_;
};

}  // namespace openmi
