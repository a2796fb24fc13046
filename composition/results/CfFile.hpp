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

  enum class Form {
    Classic,  ///< 64-bit offset
    Data64,   ///< 64-bit data: a variable is larger than 4 GiB
    Netcdf4   ///< HDF5
  };
  /// Makes the file, replacing one of that name.
  void Create(Form form);
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
  /// Lets a variable of a netCDF-4 file be kept in compressed chunks. Before EndDefinitions; whole chunks are written.
  /// \param chunk  lengths, shape [dimensions], none 0
  /// \param level  1 to 9, of deflate
  void Compress(int variable, std::span<const std::size_t> chunk, int level);
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
