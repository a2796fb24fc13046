#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "fmi-bridge/export/FmuForm.hpp"

namespace openmi::exported {

/// Copies a composition and everything it names into a new folder: the file with adapted paths, the files that
/// arguments name, and the libraries of the components.
///
/// Components are named by type and library, with the arguments of their OMI files; `${name}` is replaced. A file below
/// the folder of the composition keeps its relative path, any other is copied to `files/`. What the FMU provides itself
/// is omitted: observers, comparisons, checkpoints, pace.
class PackedModel {
 public:
  /// \param composition  loaded and linked; borrowed
  /// \param folder       target folder; is created
  PackedModel(const Composition& composition, std::filesystem::path folder);

  /// The file that the value of an argument names, for the component that gets it; empty if it names none.
  static std::filesystem::path FileOf(const CompositionFile& file, const OmiFile& omi, const std::string& value);

  /// Copies a file or folder that no argument names.
  /// \throws FileError  it cannot be read or copied
  void Include(const std::filesystem::path& path);
  /// Writes the first component in its special form as an FMU.
  /// \param form  borrowed
  void UseForm(const FmuForm& form) { form_ = &form; }
  /// Writes the composition, without the values of secret arguments.
  /// \param triggers  ids of the components that the run updates
  /// \returns its path, relative to the folder
  /// \throws FileError    a file cannot be copied or written
  /// \throws FormatError  text that XML cannot hold
  std::string Write(const std::vector<std::string>& triggers);

  /// The libraries and scripts of the components, by their names in the folder.
  const std::map<std::string, std::filesystem::path>& Libraries() const { return libraries_; }
  /// Whether components need the plug-in for Python.
  bool NeedsPython() const { return needs_python_; }
  /// Notes on what was omitted.
  const Problems& Notes() const { return notes_; }

 private:
  /// Copies a file once.
  /// \returns its new path, relative to the folder
  std::string Place(const std::filesystem::path& path);
  std::string Moved(const OmiFile& omi, const std::string& value);
  ComponentSpec Packed(const Instance& instance);
  void AddDefaultFiles(const Instance& instance, ComponentSpec& spec);
  /// Whether an argument holds a secret, which is not written.
  bool IsLeftOut(const Instance& instance, const std::string& key);
  /// The name of the library of a component in the folder.
  std::string LibraryFor(const Instance& instance);
  std::string ScriptFor(const Instance& instance);

  const Composition& composition_;
  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> placed_;
  std::map<std::string, std::filesystem::path> libraries_;
  const FmuForm* form_ = nullptr;
  bool needs_python_ = false;
  Problems notes_;
};

}  // namespace openmi::exported
