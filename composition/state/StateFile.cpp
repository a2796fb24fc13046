#include "composition/state/StateFile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi {
namespace {

constexpr std::string_view kMagic = "OPENMI2S";
constexpr std::uint64_t kVersion = 1;
constexpr std::size_t kHead = 32;         // magic, version, size, count
constexpr std::size_t kSectionHead = 24;  // length of the name, length of the bytes, check sum

ByteView BytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::uint64_t WordAt(ByteView bytes, std::size_t at) {
  std::uint64_t word = 0;
  for (std::size_t i = 8; i-- > 0;) word = word << 8 | std::to_integer<std::uint64_t>(bytes[at + i]);
  return word;
}

/// FNV-1a over words of 64 bits, with the high bits carried down after each word.
/// Source: [Fowler2019], with words in place of bytes.
std::uint64_t CheckSum(ByteView bytes, std::uint64_t check = 14695981039346656037u) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  const auto add = [&check](std::uint64_t word) {
    check = (check ^ word) * kPrime;
    check ^= check >> 32;
  };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) add(WordAt(bytes, at));
  std::array<std::byte, 8> rest{};
  std::copy(bytes.begin() + static_cast<std::ptrdiff_t>(at), bytes.end(), rest.begin());
  add(WordAt(rest, 0));
  add(bytes.size());
  return check;
}

class Packer {
 public:
  void Put(std::uint64_t word) {
    for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::byte>(word >> (8 * i) & 0xff));
  }
  void Put(ByteView more) { bytes.insert(bytes.end(), more.begin(), more.end()); }
  Bytes bytes;
};

[[noreturn]] void Refuse(const std::string& name, const std::string& problem) {
  throw FormatError({.file = name}, problem, "use an intact copy, or an earlier one");
}

void WriteAll(const FileDescriptor& file, ByteView bytes, const std::filesystem::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = write(file.Number(), bytes.data(), bytes.size());
    if (written > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    } else if (written == 0 || errno != EINTR) {
      ThrowFileProblem(path, "write a state", written == 0 ? ENOSPC : errno, "an earlier one is as it was");
    }
  }
}

}  // namespace

Bytes FormatStateFile(std::span<const StateSection> sections) {
  Packer packer;
  packer.Put(BytesOf(kMagic));
  packer.Put(kVersion);
  std::uint64_t size = kHead + 8;
  for (const StateSection& section : sections) size += kSectionHead + section.name.size() + section.bytes.size();
  packer.bytes.reserve(size);
  packer.Put(size);
  packer.Put(sections.size());
  for (const StateSection& section : sections) {
    packer.Put(section.name.size());
    packer.Put(section.bytes.size());
    packer.Put(CheckSum(section.bytes, CheckSum(BytesOf(section.name))));
    packer.Put(BytesOf(section.name));
    packer.Put(ByteView(section.bytes));
  }
  packer.Put(CheckSum(packer.bytes));
  return std::move(packer.bytes);
}

void WriteStateFile(const std::filesystem::path& path, std::span<const StateSection> sections) {
  const Bytes bytes = FormatStateFile(sections);
  std::filesystem::path part = path;
  part += ".part";
  try {
    FileDescriptor file(open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    if (!file.IsOpen()) ThrowFileProblem(part, "write a state", errno);
    WriteAll(file, bytes, part);
    if (fsync(file.Number()) != 0 && errno != EINVAL) ThrowFileProblem(part, "hand a state to the disk", errno);
    if (const int error = file.Close(); error != 0) ThrowFileProblem(part, "close a state", error);
    if (rename(part.c_str(), path.c_str()) != 0) ThrowFileProblem(path, "put a state in its place", errno);
  } catch (const Error&) {
    unlink(part.c_str());
    throw;
  }
  SyncFolder(path.parent_path());
}

std::vector<StateSection> ReadStateFile(const std::filesystem::path& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (!file.IsOpen() || fstat(file.Number(), &status) != 0) ThrowFileProblem(path, "read a state", errno);
  if (!S_ISREG(status.st_mode)) ThrowFileProblem(path, "read a state", S_ISDIR(status.st_mode) ? EISDIR : EIO);
  Bytes bytes(static_cast<std::size_t>(status.st_size));
  std::size_t got = 0;
  while (got < bytes.size()) {
    const ssize_t count = read(file.Number(), bytes.data() + got, bytes.size() - got);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) ThrowFileProblem(path, "read a state", errno);
    if (count == 0) break;
    got += static_cast<std::size_t>(count);
  }
  bytes.resize(got);
  return ParseStateFile(bytes, path.string());
}

std::vector<StateSection> ParseStateFile(ByteView bytes, const std::string& name) {
  if (bytes.size() < kMagic.size() || !std::ranges::equal(bytes.first(kMagic.size()), BytesOf(kMagic))) {
    Refuse(name,
           bytes.empty() ? "expected a state file, found an empty one" : "expected a state file, found something else");
  }
  if (bytes.size() < kHead) Refuse(name, fmt::format("expected a whole state, found it cut at {} bytes", bytes.size()));
  if (const std::uint64_t version = WordAt(bytes, 8); version != kVersion) {
    throw FormatError({.file = name},
                      fmt::format("expected a state file of version {}, found version {}", kVersion, version),
                      "read it with the version of the SDK that wrote it");
  }
  if (const std::uint64_t size = WordAt(bytes, 16); size != bytes.size() || size < kHead + 8) {
    Refuse(name, fmt::format("expected a whole state of {} bytes, found {}: it was cut short, or changed", size,
                             bytes.size()));
  }
  const std::size_t end = bytes.size() - 8;
  if (CheckSum(bytes.first(end)) != WordAt(bytes, end)) {
    // The message names the damaged section, to help find the cause. The lengths are used only within the bounds of the
    // file.
    std::string where;
    std::size_t at = kHead;
    for (std::uint64_t left = WordAt(bytes, 24); left > 0 && end - at >= kSectionHead; --left) {
      const std::uint64_t name_size = WordAt(bytes, at);
      const std::uint64_t size = WordAt(bytes, at + 8);
      const std::size_t room = end - at - kSectionHead;
      if (name_size > room || size > room - name_size) break;
      const auto title = bytes.subspan(at + kSectionHead, name_size);
      if (CheckSum(bytes.subspan(at + kSectionHead + name_size, size), CheckSum(title)) != WordAt(bytes, at + 16)) {
        where = fmt::format(" (between byte {} and {})", at, at + kSectionHead + name_size + size);
        break;
      }
      at += kSectionHead + name_size + size;
    }
    Refuse(name, "expected an unchanged state, found other bytes than were written" + where);
  }
  std::vector<StateSection> sections;
  std::size_t at = kHead;
  const std::uint64_t count = WordAt(bytes, 24);
  for (std::uint64_t i = 0; i < count; ++i) {
    if (end - at < kSectionHead) Refuse(name, "expected more sections of a state, found its end");
    const std::uint64_t name_size = WordAt(bytes, at);
    const std::uint64_t size = WordAt(bytes, at + 8);
    const std::uint64_t check = WordAt(bytes, at + 16);
    at += kSectionHead;
    if (name_size > end - at || size > end - at - name_size) Refuse(name, "expected more of a section, found the end");
    const auto title = bytes.subspan(at, name_size);
    const auto body = bytes.subspan(at + name_size, size);
    if (CheckSum(body, CheckSum(title)) != check)
      Refuse(name, "expected an unchanged section of a state, found another");
    sections.push_back(
        {std::string(reinterpret_cast<const char*>(title.data()), title.size()), {body.begin(), body.end()}});
    at += name_size + size;
  }
  if (at != end) Refuse(name, "expected the end of a state after its sections, found more");
  return sections;
}

const StateSection& SectionNamed(std::span<const StateSection> sections, std::string_view name,
                                 const std::string& file) {
  const auto found = std::ranges::find(sections, name, &StateSection::name);
  if (found == sections.end()) {
    throw FormatError({.file = file}, fmt::format("expected a section '{}' in a state, found none", name),
                      "this is another kind of state file");
  }
  return *found;
}

}  // namespace openmi
