#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A NetCDF file in the words of the library, with our errors.
class CfFile {
 public:
  /// \param wanted  for messages: "write results", "read results"
  CfFile(std::filesystem::path path, std::string wanted) : path_(std::move(path)), wanted_(std::move(wanted)) {}
  CfFile(const CfFile&) = delete;
  CfFile& operator=(const CfFile&) = delete;
  ~CfFile();

  /// Makes the file, replacing one of that name. \param needs_64_bit_data  a variable is larger than 4 GiB
  void Create(bool needs_64_bit_data);
  void Open();
  void EndDefinitions();
  void Close();

  /// Throws for a status of the library that is no success.
  void Check(int status) const;
  int Id() const { return id_; }
  const std::filesystem::path& Path() const { return path_; }

  int AddDimension(const std::string& name, std::size_t length);
  /// \param type  as the library names it: NC_DOUBLE
  int AddVariable(const std::string& name, int type, std::span<const int> dimensions);
  void PutText(int variable, const std::string& name, std::string_view text);
  void PutNumber(int variable, const std::string& name, double number);

  std::string DimensionName(int dimension) const;
  std::size_t DimensionLength(int dimension) const;
  std::string VariableName(int variable) const;
  std::vector<int> VariableDimensions(int variable) const;
  /// The number of the variable, or -1.
  int FindVariable(const std::string& name) const;
  int VariableCount() const;
  int VariableType(int variable) const;
  /// The text of an attribute; nothing where there is none, or it is no text. \param variable  or NC_GLOBAL
  std::optional<std::string> Text(int variable, const std::string& name) const;
  std::optional<double> Number(int variable, const std::string& name) const;
  std::vector<std::string> AttributeNames(int variable) const;
  /// All numbers of a variable, of any numeric type.
  std::vector<double> Numbers(int variable) const;
  /// The texts of a variable of characters, whose last dimension is their length, or of strings.
  std::vector<std::string> Texts(int variable) const;

 private:
  std::filesystem::path path_;
  std::string wanted_;
  int id_ = -1;
};

}  // namespace openmi
