#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "composition/link/Variables.hpp"
#include "composition/model/CompositionFile.hpp"
#include "openmi/sdk/Problem.hpp"

namespace openmi::python {

/// A composition as Python holds it: read from a file, perhaps with other arguments; or built.
class Model {
 public:
  /// Reads a composition file; or, by the bridge, a system structure (.ssp, .ssd) or an FMU (.fmu) as a composition. A
  /// package is unpacked as long as this object, or what Files returns, exists.
  /// \throws FileError, FormatError  see ReadCompositionFile and ssp::ImportByPart
  explicit Model(const std::filesystem::path& path);
  /// A composition to be built.
  /// \param folder  where relative paths start
  Model(std::string id, const std::filesystem::path& folder);

  const CompositionFile& File() const { return file_; }
  /// Where the composition comes from: its file, or the system structure or FMU that it was made of.
  const std::filesystem::path& Path() const { return imported_.empty() || is_built_ ? file_.path : imported_; }
  /// The composition, to be changed. From now on it counts as built: the lines of its problems are those of Text.
  CompositionFile& Build();
  /// Sets an argument; a composition that was read keeps its lines.
  void SetArgument(const std::string& component, const std::string& key, const std::string& value);
  /// The composition as XML.
  std::string Text() const { return CompositionText(file_); }
  /// Writes the composition.
  /// \throws ArgumentError  `path` is in another folder than the one where relative paths start, or the composition was
  ///   made of a file of another standard
  void Save(const std::filesystem::path& path);

  /// The composition as the runtime reads it, with all its problems of form.
  CompositionFile Read(Problems& problems) const;
  /// The unpacked files of a package, which have to exist as long as the composition is used; null: none.
  std::shared_ptr<const void> Files() const { return files_; }
  /// What another process needs to read the same composition.
  nlohmann::ordered_json ToJson() const;
  static Model FromJson(const nlohmann::ordered_json& json);

 private:
  Problems problems_;  // of reading
  CompositionFile file_;
  std::filesystem::path imported_;  // the system structure or the FMU; empty: none
  std::shared_ptr<const void> files_;
  bool is_built_ = false;
  std::vector<std::array<std::string, 3>> arguments_;  // set after it was read: component, key, value
};

}  // namespace openmi::python
