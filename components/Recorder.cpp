#include "components/Recorder.hpp"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "components/ArgumentUnit.hpp"
#include "openmi/omi/ExportComponent.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/files/TextTable.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

constexpr std::string_view kPart = ".part";  // the extension of a new file beside the earlier one

std::pair<std::uint64_t, std::uint64_t> FileIdOf(const struct stat& status) {
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

/// The identity of a file under any name: device and inode number; nothing if there is no file.
std::optional<std::pair<std::uint64_t, std::uint64_t>> FileId(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileIdOf(status);
}

/// Whether a file holds exactly that text: the results of a run that ended before its first row.
bool HoldsOnly(const std::string& path, const std::string& text) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path, none) != text.size())
    return false;
  std::string there(text.size(), '\0');
  return std::ifstream(path, std::ios::binary).read(there.data(), static_cast<std::streamsize>(there.size())) &&
         there == text;
}

}  // namespace

Recorder::Recorder() : StatefulSteppingComponent("recorder") {
  SetDescription("writes what its inputs are given");
  SetRestartable(true);
  items_ = ArgumentItems().AddPlain(
      "items", {.caption = "inputs", .description = "such as discharge[m3 s-1],level[m]", .value = "value"});
  unit_ = ArgumentItems().AddPlain("unit", {.caption = "unit of inputs without one", .value = "1"});
  asks_ =
      AddArgument<std::string>("asks", {.caption = "what is asked for",
                                        .description = "span: the value over each step; instant: the one at its end",
                                        .value = "instant",
                                        .possible_values = {"span", "instant"}});
  elements_.AddTo(ArgumentItems());
  file_ = AddArgument<std::string>(
      "file",
      {.caption = "file to write", .description = "CSV; in the folder of results", .meaning = ArgumentMeaning::Path});
  folder_ = ResultsFolder(ArgumentItems());
  overwrite_ = AddArgument<bool>("overwrite", {.caption = "replace an earlier file", .value = false});
}

std::vector<ColumnSpec> Recorder::Items() const {
  try {
    return ParseColumns(items_.Value());
  } catch (const FormatError& error) {
    throw ArgumentError({.component = Caption(), .item = "items"}, error.Problem(), error.Remedy());
  }
}

void Recorder::Setup() {
  const auto where = elements_.Elements("elements", [this](const std::string& path) { return PathOf(path); });
  const InputOptions options{.asks = asks_.Value() == "span" ? InputTime::Span : InputTime::Instant};
  specs_ = Items();
  inputs_.clear();
  ids_.clear();
  for (ColumnSpec& spec : specs_) {
    if (!spec.has_unit) spec.unit = unit_.Value();
    ArgumentUnit(spec.unit, Caption(), spec.has_unit ? "items" : "unit");
    inputs_.push_back(ArrayInput(AddInput(spec.item, spec.unit, where, options).Item()));
    std::vector<std::string>& ids = ids_.emplace_back();
    for (int i = 0; where && i < where->ElementCount(); ++i) ids.push_back(where->IdOf(i));
    if (!where) ids.emplace_back();
  }
}

Recorder::~Recorder() {
  DropPart();
}

void Recorder::CloseFile::operator()(std::FILE* file) const {
  flock(fileno(file), LOCK_UN);  // a child process may still have the file open
  std::fclose(file);
}

void Recorder::ThrowNotOpened(const std::string& path, int problem) const {
  throw FileError(
      {.file = path, .component = Caption(), .item = "file"},
      fmt::format("expected a file to write, found: {}", std::strerror(problem)),
      problem == EEXIST ? "move it away, or set the argument overwrite to true" : "name a file in a folder of yours");
}

void Recorder::Open(const std::string& path, const char* mode) {
  stream_.reset(std::fopen(path.c_str(), mode));
  if (!stream_) ThrowNotOpened(path, errno);
  struct stat status = {};
  if (fstat(fileno(stream_.get()), &status) != 0 || !S_ISREG(status.st_mode)) return;
  // A file system without locks is no reason to refuse the file.
  if (flock(fileno(stream_.get()), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  stream_.reset();
  throw FileError({.file = path, .component = Caption(), .item = "file"},
                  "expected to be the only one to write this file, found that another does",
                  "name another file, or wait until the other run has ended");
}

void Recorder::Start(Stamp) {
  written_ = synced_ = 0;
  is_head_due_ = is_cut_due_ = has_stepped_ = false;
  stream_.reset();
  DropPart();
  head_ = "time";
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    for (const std::string& id : ids_[i]) {
      const std::string name = id.empty() ? specs_[i].item : fmt::format("{}[{}]", specs_[i].item, id);
      head_ += ',';
      head_ += CsvCell(fmt::format("{} ({})", name, specs_[i].unit));
    }
  }
  if (std::exchange(expects_restore_, false)) return;  // LoadState opens the existing file
  const std::string path = FilePath();
  const auto may_replace = [&] {
    // The file of an earlier run of this component may be replaced.
    const bool is_own = own_file_ && FileId(path) == own_file_;
    return overwrite_.Value() || is_own || HoldsOnly(path, head_ + '\n');
  };
  const bool replaces = may_replace();
  Open(path, replaces ? "ae" : "wxe");
  if (replaces && !may_replace()) ThrowNotOpened(path, EEXIST);  // another program wrote it before the lock was taken
  struct stat earlier = {};
  const bool is_there =
      replaces && fstat(fileno(stream_.get()), &earlier) == 0 && S_ISREG(earlier.st_mode) && earlier.st_size > 0;
  if (is_there) {
    part_ = std::filesystem::canonical(path).string().append(kPart);  // resolved, so that a symbolic link stays
    earlier_ = std::move(stream_);
    if (!OpenPart(earlier.st_mode)) {
      stream_ = std::move(earlier_);  // it is emptied before the first row
      part_.clear();
    }
  }
  if (part_.empty()) own_file_ = FileId(path);
  is_head_due_ = true;
  if (!replaces) WriteHead();
}

void Recorder::WriteHead() {
  if (ftruncate(fileno(stream_.get()), 0) != 0) {
    throw FileError({.file = FilePath(), .component = Caption(), .item = "file"},
                    fmt::format("expected to write over the earlier file, found: {}", std::strerror(errno)),
                    "see its permissions");
  }
  line_ = head_;
  WriteLine();
  is_head_due_ = is_cut_due_ = false;
}

bool Recorder::OpenPart(unsigned int mode) {
  // Removes what an earlier run left there; does not follow a symbolic link.
  struct stat status = {};
  if (lstat(part_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    throw FileError({.file = std::exchange(part_, {}), .component = Caption(), .item = "file"},
                    "expected to make a new file beside the earlier one, found a link or a folder in its place",
                    "remove it");
  }
  std::error_code problem;
  std::filesystem::remove(part_, problem);
  const std::string folder = std::filesystem::path(part_).parent_path().string();
  if (euidaccess(folder.c_str(), W_OK | X_OK) != 0 && (errno == EACCES || errno == EROFS)) return false;
  Open(part_, "wxe");
  // Users who may read the earlier file may read this one. If the earlier file has another owner, this cannot be
  // ensured.
  [[maybe_unused]] const bool has_mode = fchmod(fileno(stream_.get()), mode & 0777U) == 0;
  return true;
}

void Recorder::TakePlace() {
  std::error_code problem;
  std::filesystem::rename(part_, part_.substr(0, part_.size() - kPart.size()), problem);
  if (problem) {
    throw FileError({.file = FilePath(), .component = Caption(), .item = "file"},
                    fmt::format("expected to write over the earlier file, found: {}", problem.message()),
                    "see its permissions and those of its folder");
  }
  part_.clear();
  own_file_ = FileId(FilePath());
  earlier_.reset();
}

void Recorder::DropPart() {
  earlier_.reset();
  if (part_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
  part_.clear();
}

void Recorder::Step(Stamp, Stamp to) {
  has_stepped_ = true;
  if (is_head_due_) WriteHead();
  if (is_cut_due_) CutBack();
  line_ = FormatIsoTime(to);
  for (const ArrayInput& input : inputs_) {
    for (const double value : input.Values()) {
      line_ += ',';
      if (std::isnan(value)) {
        line_ += "NaN";
      } else {
        fmt::format_to(std::back_inserter(line_), "{}", value);
      }
    }
  }
  WriteLine();
  if (!part_.empty()) TakePlace();  // the first row replaces the earlier file
}

void Recorder::WriteLine() {
  line_ += '\n';
  if (std::fwrite(line_.data(), 1, line_.size(), stream_.get()) == line_.size() && std::fflush(stream_.get()) == 0) {
    written_ += static_cast<std::int64_t>(line_.size());
    return;
  }
  throw FileError({.file = FilePath(), .component = Caption()},
                  fmt::format("expected to write a row, found: {}", std::strerror(errno)), "make room on the disk");
}

void Recorder::SaveState(StateWriter& writer) const {
  writer.Write(StartTime().mjd);
  writer.Write(written_);
  // The length is valid only if the rows are on the disk, too: a power failure must not keep one without the other.
  if (stream_ == nullptr || synced_ == written_) return;
  if (fdatasync(fileno(stream_.get())) != 0 && errno != EINVAL && errno != EROFS) {
    throw FileError({.file = FilePath(), .component = Caption()},
                    fmt::format("expected to hand rows to the disk, found: {}", std::strerror(errno)),
                    "make room on the disk, or look after it");
  }
  synced_ = written_;
}

void Recorder::LoadState(StateReader& reader) {
  const Stamp start{reader.ReadDouble()};
  const std::int64_t bytes = reader.ReadInteger();
  if (start != StartTime()) return;  // the end of another run is the start of this one: its file is another
  const std::string path = FilePath();
  if (!stream_) Open(path, "r+e");
  if (std::fseek(stream_.get(), 0, SEEK_END) != 0 || std::ftell(stream_.get()) < bytes) {
    throw FileError({.file = path, .component = Caption(), .item = "file"},
                    fmt::format("expected the {} bytes that were written until then, found fewer", bytes),
                    "the file was cut or replaced since: run again from the start");
  }
  written_ = bytes;
  synced_ = 0;
  is_head_due_ = bytes == 0;
  is_cut_due_ = true;
  // In a run that was set back, rows of this run are in the file. A resumed run may still be refused: the file stays
  // unchanged until its first row.
  if (has_stepped_) CutBack();
}

void Recorder::CutBack() {
  if (ftruncate(fileno(stream_.get()), written_) != 0 ||
      std::fseek(stream_.get(), static_cast<long>(written_), SEEK_SET) != 0) {
    throw FileError({.file = FilePath(), .component = Caption(), .item = "file"},
                    fmt::format("expected to cut the file back, found: {}", std::strerror(errno)),
                    "see its permissions");
  }
  is_cut_due_ = false;
}

void Recorder::ExpectStillThere() const {
  struct stat open_file = {};
  if (fstat(fileno(stream_.get()), &open_file) != 0 || !S_ISREG(open_file.st_mode)) return;
  if (FileId(FilePath()) == FileIdOf(open_file)) return;
  throw FileError({.file = FilePath(), .component = Caption(), .item = "file"},
                  "expected the file to stay where it is, found that it was removed or moved during the run",
                  "run again");
}

void Recorder::End() {
  DropPart();
  if (stream_ == nullptr) return;
  if (has_stepped_) ExpectStillThere();
  stream_.reset();
}

}  // namespace openmi

OPENMI_EXPORT_COMPONENT_AS("openmi.Recorder", openmi::Recorder)
