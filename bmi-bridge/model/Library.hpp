#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "bmi-bridge/model/Model.hpp"
#include "openmi/sdk/EnumNames.hpp"

namespace openmi::bmi {

/// How a library hands over its model. The standard does not specify this, and five ways are in use.
enum class Flavour {
  CStruct,         ///< `register_bmi` fills a struct of function pointers
  CxxObject,       ///< `bmi_model_create` returns an object of the class, `bmi_model_destroy` destroys it
  FortranBox,      ///< `register_bmi` makes a handle, and free functions take its address
  FortranInteger,  ///< `bmi_new` returns a number, and `bmi_...` functions take it
  Flat,            ///< functions without a handle: one model for each process
  Python           ///< a class in a file or module of Python
};
inline constexpr EnumNames<Flavour> kFlavours{"c", "c++", "fortran-box", "fortran-integer", "flat", "python"};
/// The name for reports: "C struct", "C++ object", ...
const char* Name(Flavour flavour);

/// The input by which models take a communicator, before they are initialized. It is no item.
///
/// Source: SCHISM's BMI, and the forcings engine of NextGen.
inline constexpr char kCommunicatorVariable[] = "bmi_mpi_comm_handle";

/// What a user may specify about a library; empty: the library is examined.
struct LibraryOptions {
  std::string flavour;             ///< "c", "c++", "fortran-box", "fortran-integer", "flat" or "python"
  std::string entry;               ///< the function that hands over the model, or the class in Python
  std::vector<std::string> needs;  ///< libraries that are loaded before, with their symbols visible to all
  bool one_instance = false;       ///< the library has global state: a second model at the same time is refused
};

/// A shared library, or a file or module of Python, that offers BMI 2.0; it stays loaded as long as it has models.
class Library : public std::enable_shared_from_this<Library> {
 public:
  /// Loads the library and finds out how it hands over its model.
  ///
  /// Runs no code of the library except what runs when a library is loaded.
  /// \throws LoadError  the library cannot be loaded (with the message of the system), or offers no known form of BMI:
  ///   names what was searched for and what was found instead
  static std::shared_ptr<Library> Load(const std::filesystem::path& file, const LibraryOptions& options);
  ~Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  /// Makes another model.
  /// \throws LoadError  the library gives none, or has only one, which is in use
  std::unique_ptr<Model> Make();
  /// Initializes a model of this library with the communicator of its ranks. If the library has `initialize_mpi` of the
  /// extended model interface (MODFLOW 6), it stands for `initialize`, and the model finds its configuration in the
  /// working folder. Else the input kCommunicatorVariable is set before.
  /// \param config  a path; empty: none
  /// \param handle  as Fortran has it
  /// \throws ModelError  the model takes none, or cannot be initialized
  void InitializeOnRanks(Model& model, const std::string& config, int handle) const;

  const std::filesystem::path& File() const { return file_; }
  openmi::bmi::Flavour Flavour() const { return flavour_; }
  /// Whether there can be one model at a time only.
  bool HasOneModel() const { return one_instance_; }
  /// What `find` found for a key, which is done once for all models of the library. One thread at a time.
  const std::string& Once(const std::string& key, const std::function<std::string()>& find);
  /// How the library hands over its model, in words: "C struct, by register_bmi_heat".
  std::string HandOver() const;
  /// The address of a function in the library or in a library it is linked with; null if there is none.
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
  std::mutex mutex_;  // protects found_
  std::map<std::string, std::string> found_;
};

}  // namespace openmi::bmi
