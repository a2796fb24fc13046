#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "components/population/RowTable.hpp"
#include "components/population/RowText.hpp"
#include "openmi/omi/ComponentLoader.hpp"
#include "openmi/omi/OmiFile.hpp"

namespace openmi::population {

/// Makes the members of a population: components of one OMI file, with arguments that the rows of a table fill.
class MemberMaker {
 public:
  /// \param file  the OMI file
  /// \throws FileError    it cannot be read
  /// \throws FormatError  it is no OMI file
  explicit MemberMaker(const std::filesystem::path& file);
  ~MemberMaker();
  MemberMaker(const MemberMaker&) = delete;
  MemberMaker& operator=(const MemberMaker&) = delete;

  /// A component without values from a row, which shows the arguments.
  /// \throws LoadError, ArgumentError  it cannot be made
  LoadedComponent MakePrototype();

  /// An argument with its text for each row.
  struct Setting {
    std::string key;
    std::string text;      ///< with places; "template:FILE" names a file of which each member gets a filled copy, to be
                           ///< read in its `Initialize`
    bool is_path = false;  ///< a file of that name beside the composition is preferred to one beside the OMI file
  };
  /// Prepares the texts for the rows of a table.
  /// \param table   borrowed as long as members are made
  /// \param folder  of the file that gives the settings
  /// \throws ArgumentError  a text or a template has a place for an unknown column, or a template cannot be read
  void Begin(const RowTable& table, const std::vector<Setting>& settings, const std::filesystem::path& folder);
  /// The columns that a row lacks.
  /// \returns pairs of argument and column
  std::vector<std::pair<std::string, std::string>> MissingOf(std::size_t row) const;
  /// Makes the member of a row and sets its arguments.
  /// \param caption  its name in messages
  /// \throws LoadError, ArgumentError  as `LoadOmi`; `SetArguments`
  LoadedComponent Make(std::size_t row, const std::string& caption);
  /// Removes the filled copy of a template. The next member overwrites it: a member has to read it in `Initialize`.
  void RemoveFiles();

  const OmiFile& File() const { return omi_; }

 private:
  struct Filled {
    std::string key;
    RowText text;
    std::string template_name;  // of the copies; empty: no template
    bool is_path = false;
  };
  std::string ValueFor(const Filled& argument, std::size_t row);

  OmiFile omi_;
  ComponentLoader loader_;
  const RowTable* table_ = nullptr;
  std::filesystem::path folder_;
  bool is_other_folder_ = false;
  std::vector<Filled> arguments_;
  std::filesystem::path copies_;  // the folder of filled templates; empty: there is none
};

}  // namespace openmi::population
