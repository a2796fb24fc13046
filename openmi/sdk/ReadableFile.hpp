#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// Refuses a path that no file can be read from, and says why: nothing is there, it is a folder, or reading is not
/// permitted. For a missing file the message names the folder that was searched and a file there whose name is near.
/// \param path    the file
/// \param shown   how the user named it; stands before the message
/// \param wanted  what the file should be, with its article: "a table"
/// \throws FileError
void ExpectReadable(const std::string& path, const std::string& shown, std::string_view wanted);

/// What a file is that is no plain text.
enum class FileKind {
  Unknown,  ///< also text in UTF-8
  Gzip,
  Bzip2,
  Xz,
  Zstd,
  Zip,          ///< also workbooks of today's spreadsheet programs
  OldWorkbook,  ///< .xls
  Pdf,
  Hdf5,  ///< also NetCDF-4
  Netcdf,
  Database,
  Utf16,
  Binary,  ///< holds a byte of zero
};

/// What the first bytes of a file say it is.
FileKind KindOfBytes(std::string_view bytes);

/// The kind with its article, for sentences: "a compressed file (gzip)", "a ZIP archive". Empty for Unknown.
std::string_view TextOfKind(FileKind kind);

}  // namespace openmi
