#include "openmi/omi/XmlText.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <iconv.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ReadableFile.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {

namespace {

std::string SystemSentence(int code) {
  return std::generic_category().message(code);
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

/// The value of encoding="..." in an XML declaration at the very start of `text` (bytes compatible with ASCII).
std::string DeclaredEncoding(std::string_view text) {
  if (!text.starts_with("<?xml") || text.size() < 6 ||
      std::string_view(" \t\r\n").find(text[5]) == std::string_view::npos) {
    return {};
  }
  const std::string_view declaration = text.substr(0, std::min(text.find("?>"), std::size_t{1024}));
  std::size_t at = declaration.find("encoding");
  if (at == std::string_view::npos) return {};
  at = declaration.find_first_not_of(" \t\r\n=", at + 8);
  if (at == std::string_view::npos || (declaration[at] != '"' && declaration[at] != '\'')) return {};
  const std::size_t end = declaration.find(declaration[at], at + 1);
  if (end == std::string_view::npos) return {};
  return std::string(declaration.substr(at + 1, end - at - 1));
}

/// Single-byte encodings that are read.
///
/// The list is short on purpose: the author of a file must not be able to select any other converter of the system.
bool IsSingleByte(const std::string& upper) {
  static constexpr std::array<std::string_view, 4> kNames{"US-ASCII", "ASCII", "LATIN1", "CP1252"};
  if (std::find(kNames.begin(), kNames.end(), upper) != kNames.end()) return true;
  const auto numbered = [&](std::string_view stem, int first, int last) {
    if (!upper.starts_with(stem)) return false;
    for (int i = first; i <= last; ++i) {
      if (upper.substr(stem.size()) == std::to_string(i)) return true;
    }
    return false;
  };
  return numbered("ISO-8859-", 1, 16) || numbered("WINDOWS-125", 0, 8);
}

std::string Convert(std::string_view bytes, const std::string& from, const std::string& file, const XmlLimits& limits) {
  const iconv_t converter = iconv_open("UTF-8", from.c_str());
  // iconv_open returns (iconv_t)-1 when it has no such converter.
  if (converter == reinterpret_cast<iconv_t>(-1)) {
    throw FormatError({.file = file}, fmt::format("expected an encoding that can be read here, found '{}'", from),
                      "save the file as UTF-8");
  }
  struct Closer {
    iconv_t converter;
    ~Closer() { iconv_close(converter); }
  } closer{converter};
  std::string text;
  std::vector<char> chunk(std::size_t{1} << 16);
  char* in = const_cast<char*>(bytes.data());  // iconv does not write there; its declaration predates const
  std::size_t in_left = bytes.size();
  while (in_left > 0) {
    char* out = chunk.data();
    std::size_t out_left = chunk.size();
    const std::size_t done = iconv(converter, &in, &in_left, &out, &out_left);
    const int code = errno;
    text.append(chunk.data(), chunk.size() - out_left);
    if (text.size() > limits.bytes) {
      throw FormatError({.file = file}, fmt::format("expected at most {} bytes of text, found more", limits.bytes),
                        "split the file, or read it with a larger limit");
    }
    if (done == static_cast<std::size_t>(-1) && code != E2BIG) {
      throw FormatError({.file = file, .line = LineAt(text, text.size())},
                        fmt::format("expected text in {}, found a byte 0x{:02X} at offset {} that {} does not allow",
                                    from, static_cast<unsigned char>(*in), in - bytes.data(), from),
                        code == EINVAL ? "the file seems cut short; get a whole copy"
                                       : "declare the encoding the file really has, or save it as UTF-8");
    }
  }
  return text;
}

}  // namespace

std::string ReadXmlBytes(const std::filesystem::path& path, const XmlLimits& limits) {
  const std::string name = path.string();
  // Without O_NONBLOCK the opening of a named pipe would wait for a writer.
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.IsOpen()) {
    const int code = errno;
    const char* remedy = code == ENOENT   ? "check the path and the folder it is relative to"
                         : code == EACCES ? "give yourself permission to read it"
                                          : "check the path";
    throw FileError({.file = name},
                    fmt::format("expected a file that can be read, found none: {}", SystemSentence(code)), remedy);
  }
  struct stat status {};
  if (::fstat(file.Number(), &status) != 0) {
    throw FileError({.file = name}, fmt::format("expected a file that can be read: {}", SystemSentence(errno)));
  }
  if (!S_ISREG(status.st_mode)) {
    throw FileError({.file = name},
                    fmt::format("expected a file, found {}", S_ISDIR(status.st_mode) ? "a folder" : "a pipe or device"),
                    S_ISDIR(status.st_mode) ? "name the file inside the folder" : "copy its content to a file");
  }
  if (static_cast<std::size_t>(status.st_size) > limits.bytes) {
    throw FormatError({.file = name},
                      fmt::format("expected a file of at most {} bytes, found {} bytes", limits.bytes, status.st_size),
                      "check that this is the right file; large data belong into a file of their own");
  }
  // One byte more than the size, to notice a file that grows while it is read.
  std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
  std::size_t filled = 0;
  while (filled < bytes.size()) {
    const ssize_t count = ::read(file.Number(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw FileError({.file = name},
                      fmt::format("expected to read {} bytes: {}", status.st_size, SystemSentence(errno)));
    }
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
    if (filled == bytes.size()) bytes.resize(std::min(bytes.size() * 2, limits.bytes + 2));
    if (filled > limits.bytes) {
      throw FormatError({.file = name}, fmt::format("expected a file of at most {} bytes, found more", limits.bytes),
                        "check that this is the right file");
    }
  }
  bytes.resize(filled);
  return bytes;
}

std::string_view XmlReference(char32_t code) {
  switch (code) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    case '\t':
      return "&#9;";
    case '\n':
      return "&#10;";
    case '\r':
      return "&#13;";
    default:
      return {};
  }
}

std::string XmlToUtf8(std::string_view bytes, const std::string& file, const XmlLimits& limits) {
  const auto is = [&](std::string_view prefix) { return bytes.starts_with(prefix); };
  if (bytes.empty()) {
    throw FormatError({.file = file}, "expected an XML document, found an empty file",
                      "get a whole copy of the file, or write one");
  }
  if (bytes.size() > limits.bytes) {
    throw FormatError(
        {.file = file},
        fmt::format("expected a document of at most {} bytes, found {} bytes", limits.bytes, bytes.size()),
        "check that this is the right file; large data belong into a file of their own");
  }
  if (is(std::string_view("\xFF\xFE\0\0", 4)) || is(std::string_view("\0\0\xFE\xFF", 4)) ||
      is(std::string_view("<\0\0\0", 4)) || is(std::string_view("\0\0\0<", 4))) {
    throw FormatError({.file = file}, "expected UTF-8 or UTF-16, found UTF-32", "save the file as UTF-8");
  }
  std::string text;
  bool wide = true;
  if (is("\xFF\xFE")) {
    text = Convert(bytes.substr(2), "UTF-16LE", file, limits);
  } else if (is("\xFE\xFF")) {
    text = Convert(bytes.substr(2), "UTF-16BE", file, limits);
  } else if (is(std::string_view("<\0", 2))) {
    text = Convert(bytes, "UTF-16LE", file, limits);
  } else if (is(std::string_view("\0<", 2))) {
    text = Convert(bytes, "UTF-16BE", file, limits);
  } else {
    wide = false;
    const bool marked = is("\xEF\xBB\xBF");
    if (marked) bytes.remove_prefix(3);
    const std::string declared = DeclaredEncoding(bytes);
    const std::string upper = Upper(declared);
    if (declared.empty() || upper == "UTF-8" || upper == "UTF8") {
      text = std::string(bytes);
    } else if (marked) {
      throw FormatError(
          {.file = file, .line = 1},
          fmt::format("expected the encoding of the byte order mark, UTF-8, found the declaration '{}'", declared),
          "declare encoding=\"UTF-8\"");
    } else if (IsSingleByte(upper)) {
      text = Convert(bytes, upper, file, limits);
    } else if (upper.starts_with("UTF-16") || upper == "UCS-2" || upper == "UTF-32") {
      throw FormatError({.file = file, .line = 1},
                        fmt::format("expected two bytes a character as the declaration '{}' says, found one", declared),
                        "declare encoding=\"UTF-8\", or save the file as UTF-16");
    } else {
      throw FormatError(
          {.file = file, .line = 1},
          fmt::format("expected an encoding of UTF-8, UTF-16, US-ASCII, ISO-8859-x or windows-125x, found '{}'",
                      declared),
          "save the file as UTF-8");
    }
  }
  if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
    throw FormatError({.file = file, .line = LineAt(text, nul)},
                      fmt::format("expected text, found a NUL character at offset {}", nul),
                      "this is no XML file, or it is damaged; get a whole copy");
  }
  if (const std::size_t bad = FindInvalidUtf8(text); bad != std::string::npos) {
    throw FormatError(
        {.file = file, .line = LineAt(text, bad)},
        fmt::format("expected text in UTF-8, found a byte 0x{:02X} at offset {} that UTF-8 does not allow",
                    static_cast<unsigned char>(text[bad]), bad),
        "save the file as UTF-8, or declare the encoding it has, such as encoding=\"ISO-8859-1\"");
  }
  if (wide) {
    const std::string upper = Upper(DeclaredEncoding(text));
    if (!upper.empty() && !upper.starts_with("UTF-16") && upper != "UCS-2" && upper != "UNICODE") {
      throw FormatError({.file = file, .line = 1},
                        fmt::format("expected the declaration of UTF-16, found '{}'", DeclaredEncoding(text)),
                        "declare encoding=\"UTF-16\", or save the file as it says");
    }
  }
  return text;
}

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const Utf8Character character = NextUtf8(text, i);
    if (!character.is_valid) {
      throw FormatError({}, "expected text in UTF-8 to write into XML, found other bytes", "convert the text to UTF-8");
    }
    const char32_t code = character.code;
    if ((code < 0x20 && code != '\t' && code != '\n' && code != '\r') || code == 0xFFFE || code == 0xFFFF) {
      throw FormatError({},
                        fmt::format("expected a character that XML can hold, found 0x{:02X} at offset {}",
                                    static_cast<unsigned char>(text[i]), i),
                        "remove the control character");
    }
    const std::string_view reference = XmlReference(code);
    escaped += reference.empty() || code == '\'' ? text.substr(i, character.length) : reference;
    i += character.length;
  }
  return escaped;
}

void WriteXmlText(const std::filesystem::path& path, std::string_view text) {
  const std::string name = path.string();
  const std::string part = fmt::format("{}.{}.part", name, ::getpid());
  const auto fail = [&](int code) {
    ::unlink(part.c_str());
    throw FileError(
        {.file = name}, fmt::format("expected a file that can be written: {}", SystemSentence(code)),
        code == ENOSPC ? "make room on the disk" : "check that the folder exists and that you may write there");
  };
  FileDescriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file.IsOpen()) fail(errno);
  while (!text.empty()) {
    const ssize_t count = ::write(file.Number(), text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  // Some file systems report a full disk only here.
  if (const int code = file.Close(); code != 0) fail(code);
  if (::rename(part.c_str(), name.c_str()) != 0) fail(errno);
}

}  // namespace openmi
