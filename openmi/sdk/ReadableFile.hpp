#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// Checks that a file can be read, and otherwise reports why: it does not exist, is a folder, or reading is not
/// permitted.
///
/// For a missing file the message names the folder that was searched and a file there with a similar name.
/// \param path    the file
/// \param shown   the name that the user gave; starts the message
/// \param wanted  what the file should be, with its article: "a table"
/// \throws FileError  the file cannot be read
void ExpectReadable(const std::string& path, const std::string& shown, std::string_view wanted);

/// The kind of a file that is not plain text.
enum class FileKind {
  Unknown,  ///< also text in UTF-8
  Gzip,
  Bzip2,
  Xz,
  Zstd,
  Zip,          ///< also workbooks of current spreadsheet programs
  OldWorkbook,  ///< .xls
  Pdf,
  Hdf5,  ///< also NetCDF-4
  Netcdf,
  Database,
  Utf16,
  Binary,  ///< contains a zero byte
};

/// The kind of a file by its first bytes.
FileKind KindOfBytes(std::string_view bytes);

/// The kind with its article, for messages: "a compressed file (gzip)", "a ZIP archive"; empty for Unknown.
std::string_view TextOfKind(FileKind kind);

}  // namespace openmi
