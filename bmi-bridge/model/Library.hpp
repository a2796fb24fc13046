#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {

/// How a library hands its model over; the standard leaves that open, and five ways are in use.
enum class Flavour {
  CStruct,         ///< `register_bmi` fills a struct of function pointers
  CxxObject,       ///< `bmi_model_create` returns an object of the class, `bmi_model_destroy` ends it
  FortranBox,      ///< `register_bmi` makes a handle, and free functions take its address
  FortranInteger,  ///< `bmi_new` returns a number, and `bmi_...` functions take it
  Flat             ///< functions without a handle: one model for each process
};
/// "C struct", "C++ object", ... as reports say it.
const char* Name(Flavour flavour);

/// What a user may say about a library; empty: found out.
struct LibraryOptions {
  std::string flavour;             ///< "c", "c++", "fortran-box", "fortran-integer" or "flat"
  std::string entry;               ///< the function that hands the model over
  std::vector<std::string> needs;  ///< libraries that are loaded before, where everybody finds their symbols
  bool one_instance = false;       ///< it has global state: a second model at the same time is refused
};

/// A shared library that offers BMI 2.0, loaded as long as there are models of it.
class Library : public std::enable_shared_from_this<Library> {
 public:
  /// Loads the library and finds out how it hands its model over. No code of the library runs but what runs when it is
  /// loaded.
  /// \throws LoadError  it cannot be loaded (with the system's own sentence), or offers no BMI that is known: names
  ///                    what was looked for and what is there instead
  static std::shared_ptr<Library> Load(const std::filesystem::path& file, const LibraryOptions& options);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Another model.
  /// \throws LoadError  the library gives none, or has only one, which is in use
  std::unique_ptr<Model> Make();

  const std::filesystem::path& File() const { return file_; }
  openmi::bmi::Flavour Flavour() const { return flavour_; }
  /// How the model is handed over, in words: "C struct, by register_bmi_heat".
  std::string HandOver() const;
  /// The address of a function of the library or of one it is linked with; null: there is none.
  void* Find(const char* name) const;

 private:
  Library() = default;
  void FindFlavour(const LibraryOptions& options);
  [[noreturn]] void RefuseUnknown(const std::vector<std::string>& names) const;
  void RequireSameTexts(const std::vector<std::string>& names) const;

  std::filesystem::path file_;
  void* handle_ = nullptr;
  openmi::bmi::Flavour flavour_ = openmi::bmi::Flavour::CStruct;
  std::string entry_;
  bool one_instance_ = false;
};

}  // namespace openmi::bmi
