#include "openmi/sdk/ReadableFile.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostNames = 10'000;  // of a folder that are looked through

struct FileKind {
  std::string_view signature;
  std::string_view name;
  std::string_view remedy;
};

constexpr std::string_view kWorkbook = "a ZIP archive or a workbook of a spreadsheet program (.xlsx, .ods)";

using std::string_view_literals::operator""sv;

constexpr FileKind kKinds[] = {
    {"\x1F\x8B"sv, "a compressed file (gzip)", "unpack it first, for instance with gunzip"},
    {"BZh"sv, "a compressed file (bzip2)", "unpack it first, for instance with bunzip2"},
    {"\xFD"
     "7zXZ"sv,
     "a compressed file (xz)", "unpack it first, for instance with unxz"},
    {"\x28\xB5\x2F\xFD"sv, "a compressed file (zstd)", "unpack it first, for instance with unzstd"},
    {"PK\x03\x04"sv, kWorkbook, "unpack the archive, or save the sheet as CSV in UTF-8"},
    {"\xD0\xCF\x11\xE0"sv, "a workbook of a spreadsheet program (.xls)", "save the sheet as CSV in UTF-8"},
    {"%PDF"sv, "a PDF document", "give the table as CSV in UTF-8"},
    {"\x89HDF\r\n"sv, "a NetCDF-4 or HDF5 file", "read it with the type openmi.NetcdfSeries"},
    {"CDF\x01"sv, "a NetCDF file", "read it with the type openmi.NetcdfSeries"},
    {"CDF\x02"sv, "a NetCDF file", "read it with the type openmi.NetcdfSeries"},
    {"CDF\x05"sv, "a NetCDF file", "read it with the type openmi.NetcdfSeries"},
    {"SQLite format 3"sv, "a database (SQLite, GeoPackage)", "export the table as CSV in UTF-8"},
    {"\xFF\xFE"sv, "a text in UTF-16", "save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8"},
    {"\xFE\xFF"sv, "a text in UTF-16", "save it as UTF-8, for instance with iconv -f UTF-16 -t UTF-8"},
};

constexpr std::string_view kBinary = "a binary file";

/// A file of the folder whose name is near `name`, or an empty text.
std::string NearFile(const std::filesystem::path& folder, const std::string& name) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (names.size() == kMostNames) break;
    names.push_back(entry->path().filename().string());
  }
  return Nearest(name, names);
}

}  // namespace

void ExpectReadable(const std::string& path, const std::string& shown, std::string_view wanted) {
  namespace fs = std::filesystem;
  const Where place{.file = shown};
  const std::string expected = "expected " + std::string(wanted) + ", found ";
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::directory) {
    throw FileError(place, expected + "a folder", "name a file in it");
  }
  if (status.type() == fs::file_type::not_found) {
    const fs::path absolute = fs::absolute(path, error).lexically_normal();
    const fs::path folder = absolute.parent_path();
    const std::string name = absolute.filename().string();
    if (!fs::is_directory(folder, error)) {
      throw FileError(place, expected + "no folder '" + folder.string() + "' to look in",
                      "correct the path, or make the folder");
    }
    const std::string nearest = NearFile(folder, name);
    throw FileError(place, expected + "no file '" + name + "' in the folder '" + folder.string() + "'",
                    nearest.empty() ? "correct the name, or put the file there" : "did you mean '" + nearest + "'?");
  }
  if (::euidaccess(path.c_str(), R_OK) == 0) return;
  const std::error_code reason(errno, std::generic_category());
  const bool denied = reason == std::errc::permission_denied || error == std::errc::permission_denied;
  throw FileError(place,
                  expected + (denied ? "one that may not be read: permission denied" : "one that cannot be read"),
                  denied ? "let your user read the file and enter its folders (chmod, chown)"
                         : "see whether the file and its folder can be used");
}

std::string KindOfBytes(std::string_view bytes) {
  for (const FileKind& kind : kKinds) {
    if (bytes.starts_with(kind.signature)) return std::string(kind.name);
  }
  return std::string(bytes.substr(0, 4096).find('\0') != std::string_view::npos ? kBinary : std::string_view());
}

std::string TextRemedy(std::string_view kind) {
  for (const FileKind& known : kKinds) {
    if (known.name == kind) return std::string(known.remedy);
  }
  return "give a text file in UTF-8";
}

}  // namespace openmi
