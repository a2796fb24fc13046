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

/// What the first bytes of a file that is no plain text say it is, with the article: "a compressed file (gzip)", "a
/// ZIP archive". Empty for text in UTF-8 and for what is not known.
std::string KindOfBytes(std::string_view bytes);

/// How a user turns a file of `kind` (see KindOfBytes) into plain text.
std::string TextRemedy(std::string_view kind);

}  // namespace openmi
