#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "composition/results/FileLock.hpp"

namespace openmi {

/// The location of the results of a run: `<folder>/<name>.csv`, `.nc`, `.html`, and others by their extension.
///
/// Only one run at a time may use it; a second one is refused, and so is one that would overwrite the results of an
/// earlier run. If a killed run left a journal, its results are completed first.
class RunFolder {
 public:
  /// Refuse keeps earlier results and throws; Overwrite and Resume change nothing in them.
  enum class Existing { Refuse, Overwrite, Resume };

  /// Creates the folder if it does not exist and locks it; with Refuse, also completes what an earlier run left.
  /// \param folder  may not exist yet; empty: the working folder
  /// \param name    name of the files, without extension
  /// \throws FileError  the folder cannot be created or written to, another run uses it, or there are earlier results
  ///   and `existing` refuses to overwrite them
  RunFolder(std::filesystem::path folder, std::string name, Existing existing = Existing::Refuse);

  const std::filesystem::path& Folder() const { return folder_; }
  const std::string& Name() const { return name_; }
  /// The path of the file with that extension: ".csv".
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
