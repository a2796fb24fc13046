#include "timespace/files/NetcdfFile.hpp"

#include <fmt/format.h>
#include <netcdf.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {

std::unique_lock<std::recursive_mutex> LockNetcdf() {
  static std::recursive_mutex mutex;
  return std::unique_lock(mutex);
}

namespace {

/// The error of nc_open for a file, with a remedy.
[[noreturn]] void ThrowNotOpened(const std::string& path, const std::string& shown, int status) {
  std::array<char, 16> begin{};
  std::ifstream stream(path, std::ios::binary);
  stream.read(begin.data(), begin.size());
  const FileKind kind = KindOfBytes({begin.data(), static_cast<std::size_t>(stream.gcount())});
  const bool is_netcdf = kind == FileKind::Netcdf || kind == FileKind::Hdf5;
  std::error_code unknown;
  const std::uintmax_t size = std::filesystem::file_size(path, unknown);
  if (is_netcdf && (status == NC_EHDFERR || status == NC_ENOTNC || status == NC_ETRUNC)) {
    throw FileError({.file = shown},
                    fmt::format("expected a whole NetCDF file, found one that is cut short or damaged ({}the "
                                "library says: {})",
                                unknown ? std::string() : fmt::format("{} bytes; ", size), nc_strerror(status)),
                    "get a whole copy of the file; a program that still writes it has to close it first");
  }
  throw FileError({.file = shown},
                  kind == FileKind::Unknown || is_netcdf
                      ? fmt::format("expected a NetCDF file, found: {}", nc_strerror(status))
                      : fmt::format("expected a NetCDF file, found {}", TextOfKind(kind)),
                  "correct the argument that names it");
}

}  // namespace

NetcdfFile::NetcdfFile(const std::string& path, std::string shown) : shown_(std::move(shown)) {
  ExpectReadable(path, shown_, "a NetCDF file");
  if (const std::string fault = FaultOfNetcdfHeader(path); !fault.empty()) {
    throw FileError({.file = shown_}, fmt::format("expected a NetCDF file, found a damaged one: {}", fault),
                    "get a whole copy of the file, or correct the argument that names it");
  }
  const auto lock = LockNetcdf();
  const int status = nc_open(path.c_str(), NC_NOWRITE, &file_);
  if (status != NC_NOERR) ThrowNotOpened(path, shown_, status);
}

NetcdfFile::~NetcdfFile() {
  const auto lock = LockNetcdf();
  if (file_ >= 0) nc_close(file_);
}

void NetcdfFile::Check(int status, const std::string& variable) const {
  if (status == NC_NOERR) return;
  throw FormatError({.file = shown_},
                    fmt::format("expected variable '{}' to be readable, found: {}", variable, nc_strerror(status)),
                    "repair the file");
}

std::vector<std::string> NetcdfFile::Variables() const {
  const auto lock = LockNetcdf();
  int count = 0;
  Check(nc_inq_nvars(file_, &count), "");
  std::vector<std::string> names;
  for (int id = 0; id < count; ++id) {
    char name[NC_MAX_NAME + 1] = {};
    Check(nc_inq_varname(file_, id, name), "");
    names.emplace_back(name);
  }
  return names;
}

bool NetcdfFile::Has(const std::string& variable) const {
  const auto lock = LockNetcdf();
  int id = 0;
  return nc_inq_varid(file_, variable.c_str(), &id) == NC_NOERR;
}

int NetcdfFile::Id(const std::string& variable) const {
  const auto lock = LockNetcdf();
  if (variable.empty()) return NC_GLOBAL;
  int id = 0;
  if (nc_inq_varid(file_, variable.c_str(), &id) != NC_NOERR) {
    throw FormatError({.file = shown_}, fmt::format("expected a variable of the file, found '{}'", variable),
                      Suggest(variable, Variables()));
  }
  return id;
}

std::vector<NetcdfDimension> NetcdfFile::Dimensions(const std::string& variable) const {
  const auto lock = LockNetcdf();
  const int id = Id(variable);
  int count = 0;
  Check(nc_inq_varndims(file_, id, &count), variable);
  std::vector<int> ids(static_cast<std::size_t>(count));
  Check(nc_inq_vardimid(file_, id, ids.data()), variable);
  std::vector<NetcdfDimension> dimensions;
  for (const int dimension : ids) {
    char name[NC_MAX_NAME + 1] = {};
    std::size_t length = 0;
    Check(nc_inq_dim(file_, dimension, name, &length), variable);
    dimensions.push_back({name, length});
  }
  return dimensions;
}

std::string NetcdfFile::Text(const std::string& variable, const std::string& attribute) const {
  const auto lock = LockNetcdf();
  const int id = Id(variable);
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (nc_inq_att(file_, id, attribute.c_str(), &type, &length) != NC_NOERR || length == 0) return {};
  if (type == NC_CHAR) {
    std::string text(length, '\0');
    Check(nc_get_att_text(file_, id, attribute.c_str(), text.data()), variable);
    return text.substr(0, text.find('\0'));
  }
  if (type == NC_STRING) {
    std::vector<char*> texts(length, nullptr);
    Check(nc_get_att_string(file_, id, attribute.c_str(), texts.data()), variable);
    const std::string text = texts[0] != nullptr ? texts[0] : "";
    nc_free_string(length, texts.data());
    return text;
  }
  return {};
}

std::optional<double> NetcdfFile::Number(const std::string& variable, const std::string& attribute) const {
  const auto lock = LockNetcdf();
  const int id = Id(variable);
  nc_type type = NC_NAT;
  std::size_t length = 0;
  if (nc_inq_att(file_, id, attribute.c_str(), &type, &length) != NC_NOERR || length == 0) return std::nullopt;
  if (type == NC_CHAR || type == NC_STRING) return std::nullopt;
  std::vector<double> values(length);
  Check(nc_get_att_double(file_, id, attribute.c_str(), values.data()), variable);
  return values[0];
}

bool NetcdfFile::IsNumeric(const std::string& variable) const {
  const auto lock = LockNetcdf();
  nc_type type = NC_NAT;
  Check(nc_inq_vartype(file_, Id(variable), &type), variable);
  return type >= NC_BYTE && type <= NC_UINT64 && type != NC_CHAR;
}

bool NetcdfFile::IsText(const std::string& variable) const {
  const auto lock = LockNetcdf();
  nc_type type = NC_NAT;
  Check(nc_inq_vartype(file_, Id(variable), &type), variable);
  return type == NC_STRING || type == NC_CHAR;
}

std::vector<double> NetcdfFile::Doubles(const std::string& variable) const {
  const auto lock = LockNetcdf();
  std::size_t count = 1;
  for (const NetcdfDimension& dimension : Dimensions(variable)) count *= dimension.length;
  std::vector<double> values(count);
  if (count > 0) Check(nc_get_var_double(file_, Id(variable), values.data()), variable);
  return values;
}

std::vector<double> NetcdfFile::Values(const std::string& variable) const {
  const auto lock = LockNetcdf();
  std::vector<double> values = Doubles(variable);
  const double scale = Number(variable, "scale_factor").value_or(1.0);
  const double offset = Number(variable, "add_offset").value_or(0.0);
  // Fill values and valid ranges refer to the stored numbers.
  const std::optional<double> fill = Number(variable, "_FillValue");
  const std::optional<double> missing = Number(variable, "missing_value");
  const double infinity = std::numeric_limits<double>::infinity();
  const double least = Number(variable, "valid_min").value_or(-infinity);
  const double most = Number(variable, "valid_max").value_or(infinity);
  for (double& value : values) {
    const bool none = value == fill || value == missing || value < least || value > most ||
                      (!fill && (value == NC_FILL_DOUBLE || value == static_cast<double>(NC_FILL_FLOAT)));
    value = none ? kNotANumber : value * scale + offset;
  }
  return values;
}

std::vector<std::string> NetcdfFile::Texts(const std::string& variable) const {
  const auto lock = LockNetcdf();
  const int id = Id(variable);
  const std::vector<NetcdfDimension> dimensions = Dimensions(variable);
  nc_type type = NC_NAT;
  Check(nc_inq_vartype(file_, id, &type), variable);
  std::size_t count = 1;
  for (const NetcdfDimension& dimension : dimensions) count *= dimension.length;
  std::vector<std::string> texts;
  if (count == 0) return texts;
  if (type == NC_STRING) {
    std::vector<char*> raw(count, nullptr);
    Check(nc_get_var_string(file_, id, raw.data()), variable);
    for (const char* text : raw) texts.emplace_back(text != nullptr ? text : "");
    nc_free_string(count, raw.data());
    return texts;
  }
  const std::size_t length = dimensions.empty() ? 1 : dimensions.back().length;
  std::string raw(count, '\0');
  Check(nc_get_var_text(file_, id, raw.data()), variable);
  for (std::size_t begin = 0; begin < count; begin += length) {
    std::string text = raw.substr(begin, length);
    text = text.substr(0, text.find('\0'));
    text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

std::vector<std::string> NetcdfFile::Ids(const std::string& variable, std::size_t count) const {
  std::vector<std::string> ids;
  if (variable.empty()) {
    for (std::size_t i = 1; i <= count; ++i) ids.push_back(fmt::format("{}", i));
  } else if (IsText(variable)) {
    ids = Texts(variable);
  } else {
    for (const double id : Doubles(variable)) ids.push_back(fmt::format("{}", id));
  }
  if (ids.size() != count) {
    throw FormatError({.file = shown_}, fmt::format("expected {} ids in '{}', found {}", count, variable, ids.size()),
                      "name a variable of the elements");
  }
  if (const auto none = std::ranges::find(ids, ""); none != ids.end()) {
    throw FormatError({.file = shown_},
                      fmt::format("expected an id for each element in '{}', found an empty text for element {}",
                                  variable, none - ids.begin() + 1),
                      "write its id, or name another variable");
  }
  return ids;
}

}  // namespace openmi
