#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "composition/run/Composition.hpp"
#include "fmi-bridge/outward/FmuForm.hpp"

namespace openmi::outward {

/// Puts a composition with everything it names into a folder of its own: the file with paths that hold there, the files
/// that arguments name, the libraries of the components.
///
/// Components are named by type and library, their arguments with those of their OMI files; `${name}` is put in. A file
/// below the folder of the composition keeps its place, any other goes to `files/`. What the FMU does itself is left
/// out: observers, comparisons, checkpoints, pace.
class PackedModel {
 public:
  /// \param composition  loaded and linked; borrowed
  /// \param folder       where to; made
  PackedModel(const Composition& composition, std::filesystem::path folder);

  /// The file that an argument's value names, for the component that gets it; empty if it names none.
  static std::filesystem::path FileOf(const CompositionFile& file, const OmiFile& omi, const std::string& value);

  /// Copies a file or folder that nothing names.
  /// \throws FileError
  void Include(const std::filesystem::path& path);
  /// Lets the first component go into the folder in a form of its own. \param form  borrowed
  void UseForm(const FmuForm& form) { form_ = &form; }
  /// Writes the composition, without the values of secret arguments. \param triggers  components to be asked
  /// \returns its path, relative to the folder
  /// \throws FileError, FormatError
  std::string Write(const std::vector<std::string>& triggers);

  /// The libraries that components are in, by the name they get.
  const std::map<std::string, std::filesystem::path>& Libraries() const { return libraries_; }
  /// What was left out.
  const Problems& Notes() const { return notes_; }

 private:
  /// Copies a file once. \returns where it lies now, relative to the folder
  std::string Place(const std::filesystem::path& path);
  std::string Moved(const OmiFile& omi, const std::string& value);
  ComponentSpec Packed(const Instance& instance);
  void AddDefaultFiles(const Instance& instance, ComponentSpec& spec);
  /// Whether an argument holds a secret, which is not written.
  bool IsLeftOut(const Instance& instance, const std::string& key);
  /// The name that a library goes by.
  std::string LibraryFor(const Instance& instance);

  const Composition& composition_;
  std::filesystem::path folder_;
  std::map<std::filesystem::path, std::string> placed_;
  std::map<std::string, std::filesystem::path> libraries_;
  const FmuForm* form_ = nullptr;
  Problems notes_;
};

}  // namespace openmi::outward
