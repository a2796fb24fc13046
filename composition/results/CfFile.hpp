#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace openmi {

/// A NetCDF file with the calls of the library; errors are exceptions of the project.
class CfFile {
 public:
  /// \param wanted  the task as messages name it: "write results", "read results"
  CfFile(std::filesystem::path path, std::string wanted) : path_(std::move(path)), wanted_(std::move(wanted)) {}
  CfFile(const CfFile&) = delete;
  CfFile& operator=(const CfFile&) = delete;
  ~CfFile();

  enum class Form {
    Classic,  ///< 64-bit offset
    Data64,   ///< 64-bit data: a variable is larger than 4 GiB
    Netcdf4   ///< HDF5
  };
  /// Creates the file; replaces a file of that name.
  void Create(Form form);
  /// Opens the file for reading.
  /// \throws FileError  it cannot be read, or its header is damaged
  void Open();
  /// Ends the definition of dimensions, variables and attributes; values can be written afterwards.
  void EndDefinitions();
  void Close();

  /// Throws if `status` of the library is not success.
  void Check(int status) const;
  int Id() const { return id_; }
  const std::filesystem::path& Path() const { return path_; }

  /// Adds a dimension and returns its number.
  int AddDimension(const std::string& name, std::size_t length);
  /// \param type  as in the library: NC_DOUBLE
  int AddVariable(const std::string& name, int type, std::span<const int> dimensions);
  /// Stores a variable of a netCDF-4 file in compressed chunks, which are written whole. Call it before EndDefinitions.
  /// \param chunk  lengths, shape [dimensions], none 0
  /// \param level  1 to 9, of deflate
  void Compress(int variable, std::span<const std::size_t> chunk, int level);
  /// Writes an attribute of a variable, or of the file (NC_GLOBAL). An empty text is not written.
  void PutText(int variable, const std::string& name, std::string_view text);
  void PutNumber(int variable, const std::string& name, double number) { PutNumbers(variable, name, {&number, 1}); }
  void PutNumbers(int variable, const std::string& name, std::span<const double> numbers);
  void PutInteger(int variable, const std::string& name, int number);

  std::string DimensionName(int dimension) const;
  std::size_t DimensionLength(int dimension) const;
  std::string VariableName(int variable) const;
  std::vector<int> VariableDimensions(int variable) const;
  /// The number of the variable, or -1.
  int FindVariable(const std::string& name) const;
  int VariableCount() const;
  int VariableType(int variable) const;
  /// The text of an attribute; nothing if it does not exist or is no text.
  /// \param variable  number of a variable, or NC_GLOBAL
  std::optional<std::string> Text(int variable, const std::string& name) const;
  /// The number of an attribute; nothing if it does not exist or is no number.
  std::optional<double> Number(int variable, const std::string& name) const;
  std::vector<std::string> AttributeNames(int variable) const;
  /// All numbers of a variable, of any numeric type.
  std::vector<double> Numbers(int variable) const;
  /// The texts of a variable of strings, or of characters whose last dimension is the length of a text.
  std::vector<std::string> Texts(int variable) const;

 private:
  std::filesystem::path path_;
  std::string wanted_;
  int id_ = -1;
};

}  // namespace openmi
