#include "openmi/sdk/ReadableFile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

#include "openmi/sdk/EnumNames.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Suggest.hpp"

namespace openmi {
namespace {

constexpr std::size_t kMostNames = 10'000;  // names of a folder that are compared

using std::string_view_literals::operator""sv;

struct Signature {
  std::string_view bytes;
  FileKind kind;
};

constexpr Signature kSignatures[] = {
    {"\x1F\x8B"sv, FileKind::Gzip},
    {"BZh"sv, FileKind::Bzip2},
    {"\xFD"
     "7zXZ"sv,
     FileKind::Xz},
    {"\x28\xB5\x2F\xFD"sv, FileKind::Zstd},
    {"PK\x03\x04"sv, FileKind::Zip},
    {"\xD0\xCF\x11\xE0"sv, FileKind::OldWorkbook},
    {"%PDF"sv, FileKind::Pdf},
    {"\x89HDF\r\n"sv, FileKind::Hdf5},
    {"CDF\x01"sv, FileKind::Netcdf},
    {"CDF\x02"sv, FileKind::Netcdf},
    {"CDF\x05"sv, FileKind::Netcdf},
    {"SQLite format 3"sv, FileKind::Database},
    {"\xFF\xFE"sv, FileKind::Utf16},
    {"\xFE\xFF"sv, FileKind::Utf16},
};

/// A file in the folder with a name similar to `name`, or an empty text.
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
                  expected + (denied ? "one that may not be read: permission denied"
                                     : "one that cannot be read: " + reason.message()),
                  denied ? "let your user read the file and enter its folders (chmod, chown)"
                         : "see whether the file and its folder can be used");
}

std::string ReadWholeFile(const std::string& path, const std::string& shown, std::string_view wanted) {
  ExpectReadable(path, shown, wanted);
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

void ExpectShallowJson(std::string_view text, const std::string& path) {
  constexpr int kDeepest = 100;
  int depth = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\') ++i;
      in_text = c != '"';
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth <= kDeepest) continue;
      throw FormatError({.file = path, .line = LineAt(text, i)},
                        fmt::format("expected at most {} lists and objects within each other, found more", kDeepest),
                        "check that the file is what its name says");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

int LineAt(std::string_view text, std::size_t byte) {
  return 1 + static_cast<int>(std::ranges::count(text.substr(0, byte), '\n'));
}

FileKind KindOfBytes(std::string_view bytes) {
  for (const Signature& signature : kSignatures) {
    if (bytes.starts_with(signature.bytes)) return signature.kind;
  }
  return bytes.substr(0, 4096).find('\0') != std::string_view::npos ? FileKind::Binary : FileKind::Unknown;
}

std::string_view TextOfKind(FileKind kind) {
  static constexpr EnumNames<FileKind> kTexts{"",
                                              "a compressed file (gzip)",
                                              "a compressed file (bzip2)",
                                              "a compressed file (xz)",
                                              "a compressed file (zstd)",
                                              "a ZIP archive or a workbook of a spreadsheet program (.xlsx, .ods)",
                                              "a workbook of a spreadsheet program (.xls)",
                                              "a PDF document",
                                              "a NetCDF-4 or HDF5 file",
                                              "a NetCDF file",
                                              "a database (SQLite, GeoPackage)",
                                              "a text in UTF-16",
                                              "a binary file"};
  return kTexts.NameOf(kind);
}

}  // namespace openmi
