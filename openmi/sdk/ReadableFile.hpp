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

/// The bytes of a file, which is read as a whole. \throws FileError  as ExpectReadable
std::string ReadWholeFile(const std::string& path, const std::string& shown, std::string_view wanted);

/// Refuses JSON that is nested deeper than 100 levels. Printing, copying and destroying a value need stack for each
/// level, so that a deeper one, from a stranger, can end the process.
/// \param path  for the message
/// \throws FormatError  with the line
void ExpectShallowJson(std::string_view text, const std::string& path);

/// The line, from 1 on, of a byte of a text.
int LineAt(std::string_view text, std::size_t byte);

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
