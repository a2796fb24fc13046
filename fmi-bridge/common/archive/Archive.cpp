#include "fmi-bridge/common/archive/Archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <system_error>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "openmi/sdk/Suggest.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPackAgain = "pack the archive anew with a plain ZIP tool, from the folder that holds the files";

std::string SentenceOf(zip_error_t& error) {
  std::string sentence = zip_error_strerror(&error);
  zip_error_fini(&error);
  return sentence;
}

struct Discard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};

}  // namespace

struct Archive::Handle {
  zip_t* zip = nullptr;
  ~Handle() {
    if (zip != nullptr) zip_discard(zip);
  }
};

std::string RefusalOfEntryName(std::string_view name) {
  if (name.empty()) return "an entry without a name";
  if (FindInvalidUtf8(name) != std::string_view::npos) {
    return fmt::format("the name {}, which is not UTF-8", Quoted(PrintableText(name)));
  }
  const std::string quoted = Quoted(name);
  if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; })) {
    return fmt::format("the name {}, which holds a control character", Quoted(PrintableText(name)));
  }
  if (name.find('\\') != std::string_view::npos) return fmt::format("the name {}, which holds a backslash", quoted);
  if (name.front() == '/') return fmt::format("the absolute name {}", quoted);
  if (name.size() >= 2 && name[1] == ':') return fmt::format("the name {}, which begins with a drive", quoted);
  if (name.size() > 1024) return fmt::format("a name of {} bytes, {}", name.size(), quoted);
  std::string_view rest = name.ends_with('/') ? name.substr(0, name.size() - 1) : name;
  for (std::size_t depth = 0;; ++depth) {
    const std::size_t slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    if (part == "..") return fmt::format("the name {}, which leads out of the archive", quoted);
    if (part.empty() || part == ".") return fmt::format("the name {} with an empty part", quoted);
    if (part.size() > 255) return fmt::format("the name {} with a part of {} bytes", quoted, part.size());
    if (depth > 64) return fmt::format("the name {} with more than 64 folders", quoted);
    if (slash == std::string_view::npos) return {};
    rest.remove_prefix(slash + 1);
  }
}

Archive::Archive(const fs::path& path, const ArchiveLimits& limits) : path_(path), handle_(new Handle) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) {
    throw FileError({.file = path.string()},
                    fmt::format("expected an archive, found that it cannot be read: {}", std::strerror(errno)),
                    "check the path");
  }
  if (!S_ISREG(info.st_mode)) {
    throw FileError({.file = path.string()}, "expected an archive, found no regular file", "check the path");
  }
  int code = 0;
  handle_->zip = zip_open(path.c_str(), ZIP_RDONLY, &code);
  if (handle_->zip == nullptr) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    throw FormatError({.file = path.string()},
                      fmt::format("expected a ZIP archive, found one that cannot be opened: {}", SentenceOf(error)),
                      "check that it is the right file and whole");
  }
  Check(limits, static_cast<std::uint64_t>(info.st_size));
}

Archive::Archive(std::string_view bytes, fs::path file, const ArchiveLimits& limits)
    : path_(std::move(file)), handle_(new Handle) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  if (source != nullptr) handle_->zip = zip_open_from_source(source, ZIP_RDONLY, &error);
  if (handle_->zip == nullptr) {
    if (source != nullptr) zip_source_free(source);
    throw FormatError({.file = path_.string()},
                      fmt::format("expected a ZIP archive, found one that cannot be opened: {}", SentenceOf(error)),
                      "check that it is the right file and whole");
  }
  zip_error_fini(&error);
  Check(limits, bytes.size());
}

Archive::~Archive() = default;

void Archive::Check(const ArchiveLimits& limits, std::uint64_t archive_bytes) {
  const zip_int64_t count = zip_get_num_entries(handle_->zip, 0);
  if (count < 0 || static_cast<std::uint64_t>(count) > limits.entries) {
    throw FormatError({.file = path_.string()},
                      fmt::format("expected at most {} entries, found {}", limits.entries, count),
                      "check that it is the right file");
  }
  if (count == 0) {
    throw FormatError({.file = path_.string()}, "expected an archive with files, found an empty one",
                      "get a whole copy of the file");
  }
  entries_.reserve(static_cast<std::size_t>(count));
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    CheckEntry(i, limits);
    total += entries_.back().bytes;  // both at most limits.bytes, far below the limit of the type
    if (total > limits.bytes) {
      throw FormatError({.file = path_.string()},
                        fmt::format("expected at most {} bytes in all, found more at entry {}", limits.bytes,
                                    Quoted(entries_.back().name)),
                        "do not open it: it would fill the disk");
    }
  }
  const double ratio = static_cast<double>(total) / static_cast<double>(std::max<std::uint64_t>(archive_bytes, 1));
  if (total > limits.free_bytes && ratio > limits.ratio) {
    throw FormatError({.file = path_.string()},
                      fmt::format("expected files at most {} times as large as the archive, found {} bytes in {} "
                                  "({:.0f} times)",
                                  limits.ratio, total, archive_bytes, ratio),
                      "do not open it: it would fill the disk");
  }
  by_name_.resize(entries_.size());
  std::iota(by_name_.begin(), by_name_.end(), 0U);
  std::ranges::sort(by_name_, {}, [&](std::uint32_t i) -> const std::string& { return entries_[i].name; });
  CheckTree();
}

void Archive::CheckEntry(std::size_t index, const ArchiveLimits& limits) {
  const auto refuse = [&](const std::string& found, const char* remedy = kPackAgain) {
    throw FormatError({.file = path_.string()}, "expected plain files inside the archive, found " + found, remedy);
  };
  zip_stat_t info;
  zip_stat_init(&info);
  const char* raw = zip_get_name(handle_->zip, index, ZIP_FL_ENC_RAW);
  if (raw == nullptr || zip_stat_index(handle_->zip, index, ZIP_FL_ENC_RAW, &info) != 0) {
    refuse(fmt::format("entry {} that cannot be read: {}", index + 1, zip_strerror(handle_->zip)));
  }
  const std::string name = raw;
  if (const std::string refusal = RefusalOfEntryName(name); !refusal.empty()) refuse(refusal);
  const bool is_folder = name.ends_with('/');
  if ((info.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && info.encryption_method != ZIP_EM_NONE) {
    refuse(fmt::format("the encrypted entry {}", Quoted(name)));
  }
  if ((info.valid & ZIP_STAT_COMP_METHOD) != 0 && info.comp_method != ZIP_CM_STORE &&
      info.comp_method != ZIP_CM_DEFLATE) {
    refuse(fmt::format("entry {} packed by method {}, where store (0) and deflate (8) are allowed", Quoted(name),
                       info.comp_method));
  }
  const std::uint64_t bytes = (info.valid & ZIP_STAT_SIZE) != 0 ? info.size : 0;
  if (bytes > limits.bytes) {
    refuse(fmt::format("entry {} of {} bytes, where at most {} are allowed", Quoted(name), bytes, limits.bytes),
           "do not open it: it would fill the disk");
  }
  if (is_folder && bytes != 0) refuse(fmt::format("the folder {} with content", Quoted(name)));
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  bool is_executable = false;
  if (zip_file_get_external_attributes(handle_->zip, index, 0, &system, &attributes) == 0 &&
      (system == ZIP_OPSYS_UNIX || system == ZIP_OPSYS_OS_X)) {
    const mode_t mode = attributes >> 16U;
    const mode_t kind = mode & static_cast<mode_t>(S_IFMT);
    if (kind == S_IFLNK) refuse(fmt::format("the link {}", Quoted(name)), "replace links by the files themselves");
    if (kind != 0 && kind != S_IFREG && kind != S_IFDIR) refuse(fmt::format("the device or pipe {}", Quoted(name)));
    is_executable = !is_folder && (mode & static_cast<mode_t>(S_IXUSR)) != 0;
  }
  entries_.push_back({name, bytes, is_folder, is_executable, false});
}

void Archive::CheckTree() {
  const auto refuse = [&](const std::string& found) {
    throw FormatError({.file = path_.string()}, "expected every name once, found " + found, kPackAgain);
  };
  for (std::size_t i = 1; i < by_name_.size(); ++i) {
    ArchiveEntry& entry = entries_[by_name_[i]];
    if (entry.is_folder) continue;  // a folder may occur twice: some tools write it for each of its parts
    if (entry.name != entries_[by_name_[i - 1]].name) continue;
    // The same file twice is one file, as in the FMU Roberts of Modelica; two different files are an error.
    if (!IsSame(by_name_[i - 1], by_name_[i])) {
      refuse(fmt::format("{} twice with different content", Quoted(entry.name)));
    }
    entry.is_copy = true;
  }
  // A file must not have the path of a folder that another entry needs.
  for (const ArchiveEntry& entry : entries_) {
    std::string_view rest = entry.name;
    if (entry.is_folder) rest.remove_suffix(1);
    if (entry.is_folder && Has(rest)) refuse(fmt::format("{} as a file and as a folder", Quoted(rest)));
    for (std::size_t slash = rest.rfind('/'); slash != std::string_view::npos; slash = rest.rfind('/')) {
      rest = rest.substr(0, slash);
      if (Has(rest)) refuse(fmt::format("{} as a file and as a folder", Quoted(rest)));
    }
  }
}

bool Archive::IsSame(std::size_t one, std::size_t other) const {
  if (entries_[one].bytes != entries_[other].bytes) return false;
  constexpr std::uint64_t kMostBytes = 1U << 24U;
  if (entries_[one].bytes > kMostBytes) return false;
  std::string content[2];
  for (const std::size_t i : {0U, 1U}) {
    Stream(i == 0 ? one : other, [&](const char* data, std::size_t count) { content[i].append(data, count); });
  }
  return content[0] == content[1];
}

bool Archive::Has(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(by_name_, name, {}, [&](std::uint32_t i) { return std::string_view(entries_[i].name); });
  return found != by_name_.end() && entries_[*found].name == name;
}

template <class Take>
void Archive::Stream(std::size_t index, Take take) const {
  const ArchiveEntry& entry = entries_[index];
  const auto fail = [&](const std::string& found) {
    throw FormatError({.file = path_.string()},
                      fmt::format("expected entry {} whole, found {}", Quoted(entry.name), found),
                      "get a whole copy of the archive");
  };
  struct File {
    zip_file_t* file;
    ~File() {
      if (file != nullptr) zip_fclose(file);
    }
  } opened{zip_fopen_index(handle_->zip, index, 0)};
  if (opened.file == nullptr) fail(zip_strerror(handle_->zip));
  std::array<char, 65536> piece;
  std::uint64_t seen = 0;
  for (;;) {
    const zip_int64_t count = zip_fread(opened.file, piece.data(), piece.size());
    if (count < 0) fail(zip_file_strerror(opened.file));
    if (count == 0) break;
    seen += static_cast<std::uint64_t>(count);
    if (seen > entry.bytes) fail(fmt::format("more than the {} bytes that it states", entry.bytes));
    take(piece.data(), static_cast<std::size_t>(count));
  }
  if (seen != entry.bytes) fail(fmt::format("{} of the {} bytes that it states", seen, entry.bytes));
}

std::string Archive::Read(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(by_name_, name, {}, [&](std::uint32_t i) { return std::string_view(entries_[i].name); });
  if (found == by_name_.end() || entries_[*found].name != name) {
    std::vector<std::string> names;
    for (const ArchiveEntry& entry : entries_) {
      if (names.size() < 1000) names.push_back(entry.name);
    }
    throw FormatError({.file = path_.string()}, fmt::format("expected an entry {}, found none", Quoted(name)),
                      Suggest(name, names));
  }
  std::string content;  // grows with the real content, not with the declared size
  Stream(*found, [&](const char* data, std::size_t size) { content.append(data, size); });
  return content;
}

void Archive::Unpack(const fs::path& folder) const {
  const auto fail = [&](const fs::path& path, int code) {
    throw FileError({.file = path_.string()},
                    fmt::format("expected to write {}, found: {}", Quoted(path.string()), std::strerror(code)),
                    "free room on that disk, or name another folder in TMPDIR");
  };
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const ArchiveEntry& entry = entries_[i];
    const fs::path path = folder / entry.name;
    std::error_code problem;
    fs::create_directories(entry.is_folder ? path : path.parent_path(), problem);
    if (problem) fail(path, problem.value());
    if (entry.is_folder || entry.is_copy) continue;
    const int file =
        open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
             entry.is_executable ? S_IRUSR | S_IXUSR : S_IRUSR);  // shared by all who opened it, so read-only
    if (file < 0) fail(path, errno);
    struct Closer {
      int file;
      ~Closer() { close(file); }
    } closer{file};
    Stream(i, [&](const char* data, std::size_t size) {
      while (size > 0) {
        const ssize_t written = write(file, data, size);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail(path, errno);
        data += written;
        size -= static_cast<std::size_t>(written);
      }
    });
  }
}

namespace {

bool HaveSameBytes(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (!fs::is_regular_file(b, error) || fs::file_size(a) != fs::file_size(b)) return false;
  std::ifstream one(a, std::ios::binary), other(b, std::ios::binary);
  return std::equal(std::istreambuf_iterator<char>(one), {}, std::istreambuf_iterator<char>(other));
}

}  // namespace

void WriteArchive(const fs::path& folder, const fs::path& archive, std::int64_t seconds) {
  const auto fail = [&](const std::string& why) {
    throw FileError({.file = archive.string()}, "expected an archive that can be written, found: " + why,
                    "check the folder and the room on the disk");
  };
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const fs::path& file : files) {
    if (!HaveSameBytes(file, archive)) continue;
    throw FileError({.file = archive.string()},
                    fmt::format("expected another file than one that the archive contains, found '{}'",
                                file.lexically_relative(folder).generic_string()),
                    "give the archive another name");
  }
  const fs::path making = archive.string() + ".part";
  std::error_code error;
  fs::remove(making, error);
  int code = 0;
  std::unique_ptr<zip_t, Discard> zip(zip_open(making.c_str(), ZIP_CREATE | ZIP_EXCL, &code));
  if (zip == nullptr) {
    zip_error_t reason;
    zip_error_init_with_code(&reason, code);
    fail(SentenceOf(reason));
  }
  std::uintmax_t total = 0;
  for (const fs::path& file : files) {
    total += fs::file_size(file);
    if (total > 0xf0000000U) fail("more than 4 GB, which such an archive cannot hold");
    const std::string name = file.lexically_relative(folder).generic_string();
    zip_source_t* source = zip_source_file(zip.get(), file.c_str(), 0, 0);
    if (source == nullptr) fail(zip_strerror(zip.get()));
    const zip_int64_t index = zip_file_add(zip.get(), name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail(zip_strerror(zip.get()));
    }
    const auto number = static_cast<zip_uint64_t>(index);
    struct stat status {};
    const bool is_program = stat(file.c_str(), &status) == 0 && (status.st_mode & S_IXUSR) != 0;
    constexpr zip_uint32_t kRegular = 0100000;
    zip_set_file_compression(zip.get(), number, ZIP_CM_DEFLATE, 3);
    zip_file_set_mtime(zip.get(), number, static_cast<time_t>(seconds), 0);
    zip_file_set_external_attributes(zip.get(), number, 0, ZIP_OPSYS_UNIX,
                                     (kRegular | (is_program ? 0755U : 0644U)) << 16);
  }
  if (zip_close(zip.get()) != 0) fail(zip_strerror(zip.get()));
  static_cast<void>(zip.release());
  fs::rename(making, archive, error);
  if (error) fail(error.message());
}

}  // namespace openmi
