#include "composition/results/CfFile.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <cerrno>
#include <utility>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/NetcdfFile.hpp"

namespace openmi {

CfFile::~CfFile() {
  const auto lock = LockNetcdf();
  if (id_ >= 0) nc_close(id_);
}

void CfFile::Check(int status) const {
  if (status == NC_NOERR) return;
  // A positive status is an errno, by the convention of the library; EINVAL also means a file that ends too early.
  if (status > 0 && status != EINVAL) ThrowFileProblem(path_, wanted_, status);
  throw FileError({.file = path_.string()},
                  fmt::format("expected to {}, found a NetCDF error: {}", wanted_,
                              status > 0 ? "the file is damaged" : nc_strerror(status)),
                  "see whether the file is whole and of the NetCDF kind");
}

void CfFile::Create(Form form) {
  const auto lock = LockNetcdf();
  const int kind = form == Form::Netcdf4 ? NC_NETCDF4 : form == Form::Data64 ? NC_64BIT_DATA : NC_64BIT_OFFSET;
  Check(nc_create(path_.c_str(), NC_CLOBBER | kind, &id_));
  int old_mode = 0;
  Check(nc_set_fill(id_, NC_NOFILL, &old_mode));
}

void CfFile::Open() {
  if (const std::string fault = FaultOfNetcdfHeader(path_.string()); !fault.empty()) {
    throw FileError({.file = path_.string()},
                    fmt::format("expected to {}, found a NetCDF file that is damaged: {}", wanted_, fault),
                    "get a whole copy of the file, or make it anew");
  }
  const auto lock = LockNetcdf();
  Check(nc_open(path_.c_str(), NC_NOWRITE, &id_));
}

void CfFile::EndDefinitions() {
  const auto lock = LockNetcdf();
  Check(nc_enddef(id_));
}

void CfFile::Close() {
  const auto lock = LockNetcdf();
  const int id = std::exchange(id_, -1);
  if (id >= 0) Check(nc_close(id));
}

int CfFile::AddDimension(const std::string& name, std::size_t length) {
  const auto lock = LockNetcdf();
  int number = 0;
  Check(nc_def_dim(id_, name.c_str(), length, &number));
  return number;
}

int CfFile::AddVariable(const std::string& name, int type, std::span<const int> dimensions) {
  const auto lock = LockNetcdf();
  int number = 0;
  Check(nc_def_var(id_, name.c_str(), type, static_cast<int>(dimensions.size()), dimensions.data(), &number));
  return number;
}

void CfFile::Compress(int variable, std::span<const std::size_t> chunk, int level) {
  const auto lock = LockNetcdf();
  Check(nc_def_var_chunking(id_, variable, NC_CHUNKED, chunk.data()));
  Check(nc_def_var_deflate(id_, variable, /*shuffle=*/1, /*deflate=*/1, level));
  // Chunks are written whole, so a cache is useless.
  Check(nc_set_var_chunk_cache(id_, variable, 0, 0, 1.0F));
}

void CfFile::PutText(int variable, const std::string& name, std::string_view text) {
  const auto lock = LockNetcdf();
  if (!text.empty()) Check(nc_put_att_text(id_, variable, name.c_str(), text.size(), text.data()));
}

void CfFile::PutNumbers(int variable, const std::string& name, std::span<const double> numbers) {
  const auto lock = LockNetcdf();
  Check(nc_put_att_double(id_, variable, name.c_str(), NC_DOUBLE, numbers.size(), numbers.data()));
}

void CfFile::PutInteger(int variable, const std::string& name, int number) {
  const auto lock = LockNetcdf();
  Check(nc_put_att_int(id_, variable, name.c_str(), NC_INT, 1, &number));
}

std::string CfFile::DimensionName(int dimension) const {
  const auto lock = LockNetcdf();
  char name[NC_MAX_NAME + 1] = {};
  Check(nc_inq_dimname(id_, dimension, name));
  return name;
}

std::size_t CfFile::DimensionLength(int dimension) const {
  const auto lock = LockNetcdf();
  std::size_t length = 0;
  Check(nc_inq_dimlen(id_, dimension, &length));
  return length;
}

std::string CfFile::VariableName(int variable) const {
  const auto lock = LockNetcdf();
  char name[NC_MAX_NAME + 1] = {};
  Check(nc_inq_varname(id_, variable, name));
  return name;
}

std::vector<int> CfFile::VariableDimensions(int variable) const {
  const auto lock = LockNetcdf();
  int count = 0;
  Check(nc_inq_varndims(id_, variable, &count));
  std::vector<int> dimensions(static_cast<std::size_t>(count));
  Check(nc_inq_vardimid(id_, variable, dimensions.data()));
  return dimensions;
}

int CfFile::FindVariable(const std::string& name) const {
  const auto lock = LockNetcdf();
  int number = -1;
  return nc_inq_varid(id_, name.c_str(), &number) == NC_NOERR ? number : -1;
}

int CfFile::VariableCount() const {
  const auto lock = LockNetcdf();
  int count = 0;
  Check(nc_inq_nvars(id_, &count));
  return count;
}

int CfFile::VariableType(int variable) const {
  const auto lock = LockNetcdf();
  nc_type type = NC_NAT;
  Check(nc_inq_vartype(id_, variable, &type));
  return type;
}

std::optional<std::string> CfFile::Text(int variable, const std::string& name) const {
  const auto lock = LockNetcdf();
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (nc_inq_att(id_, variable, name.c_str(), &type, &length) != NC_NOERR) return std::nullopt;
  if (type == NC_CHAR) {
    std::string text(length, '\0');
    Check(nc_get_att_text(id_, variable, name.c_str(), text.data()));
    return text.substr(0, text.find('\0'));
  }
  if (type == NC_STRING && length == 1) {
    char* text = nullptr;
    Check(nc_get_att_string(id_, variable, name.c_str(), &text));
    std::string copy = text == nullptr ? "" : text;
    Check(nc_free_string(1, &text));
    return copy;
  }
  return std::nullopt;
}

std::optional<double> CfFile::Number(int variable, const std::string& name) const {
  const auto lock = LockNetcdf();
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (nc_inq_att(id_, variable, name.c_str(), &type, &length) != NC_NOERR || length != 1) return std::nullopt;
  if (type == NC_CHAR || type == NC_STRING) return std::nullopt;
  double number = 0.0;
  Check(nc_get_att_double(id_, variable, name.c_str(), &number));
  return number;
}

std::vector<std::string> CfFile::AttributeNames(int variable) const {
  const auto lock = LockNetcdf();
  int count = 0;
  Check(variable == NC_GLOBAL ? nc_inq_natts(id_, &count) : nc_inq_varnatts(id_, variable, &count));
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    char name[NC_MAX_NAME + 1] = {};
    Check(nc_inq_attname(id_, variable, i, name));
    names.emplace_back(name);
  }
  return names;
}

std::vector<double> CfFile::Numbers(int variable) const {
  const auto lock = LockNetcdf();
  std::size_t count = 1;
  for (const int dimension : VariableDimensions(variable)) count *= DimensionLength(dimension);
  std::vector<double> numbers(count);
  if (count > 0) Check(nc_get_var_double(id_, variable, numbers.data()));
  return numbers;
}

std::vector<std::string> CfFile::Texts(int variable) const {
  const auto lock = LockNetcdf();
  std::size_t count = 1;
  const std::vector<int> dimensions = VariableDimensions(variable);
  for (const int dimension : dimensions) count *= DimensionLength(dimension);
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (VariableType(variable) == NC_STRING) {
    std::vector<char*> pointers(count, nullptr);
    Check(nc_get_var_string(id_, variable, pointers.data()));
    for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
    Check(nc_free_string(count, pointers.data()));
    return texts;
  }
  std::string all(count, '\0');
  Check(nc_get_var_text(id_, variable, all.data()));
  const std::size_t length = dimensions.empty() ? 1 : DimensionLength(dimensions.back());
  for (std::size_t i = 0; i < count; i += length) {
    std::string text = all.substr(i, length);
    text.resize(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace openmi
