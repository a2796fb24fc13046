#include "composition/results/NetcdfResults.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "composition/results/FileProblem.hpp"
#include "composition/results/JournalReader.hpp"
#include "composition/results/NetcdfBuilder.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

std::filesystem::path KeptJournalOf(const std::filesystem::path& netcdf) {
  std::filesystem::path kept = JournalOf(netcdf);
  kept += ".kept";
  return kept;
}

/// The journal to continue with, under the name that still exists.
std::filesystem::path JournalToGoOnWith(const std::filesystem::path& netcdf) {
  std::error_code problem;
  const std::filesystem::path journal = JournalOf(netcdf);
  const std::filesystem::path kept = KeptJournalOf(netcdf);
  return !std::filesystem::exists(journal, problem) && std::filesystem::exists(kept, problem) ? kept : journal;
}

/// The first path of the journal: beside earlier results that are to be overwritten, until it replaces them.
std::filesystem::path FirstJournalOf(const std::filesystem::path& netcdf, AppendFile::Existing existing) {
  std::filesystem::path journal = JournalOf(netcdf);
  if (existing == AppendFile::Existing::Overwrite) journal += ".part";
  return journal;
}

/// Refuses earlier results, or those that cannot be overwritten.
std::filesystem::path Checked(std::filesystem::path path, AppendFile::Existing existing) {
  if (existing == AppendFile::Existing::Overwrite) {
    ExpectReplaceable(path);
    ExpectReplaceable(JournalOf(path));
    return path;
  }
  RebuildFromJournal(path);
  if (IsTaken(path)) RefuseEarlierResults(path);
  return path;
}

/// Builds the file beside its path and renames it, so that there is either the old file or the complete new one.
void BuildFromJournal(const std::filesystem::path& journal, const std::filesystem::path& netcdf,
                      JournalReader& reader) {
  std::filesystem::path part = netcdf;
  part += ".part";
  std::error_code problem;
  try {
    BuildNetcdf(reader, part);
  } catch (const Error&) {
    std::filesystem::remove(part, problem);
    throw;
  }
  // Written to disk, with its name, before the journal is removed: a power failure could otherwise leave neither.
  constexpr char kSafe[] = "all rows are safe in the journal beside it";
  FileDescriptor file(open(part.c_str(), O_RDONLY | O_CLOEXEC));
  int error = file.IsOpen() && (fsync(file.Number()) == 0 || errno == EINVAL || errno == EROFS) ? 0 : errno;
  if (const int close_error = file.Close(); error == 0) error = close_error;
  if (error != 0) {
    std::filesystem::remove(part, problem);
    ThrowFileProblem(netcdf, "hand results to the disk", error, kSafe);
  }
  std::filesystem::rename(part, netcdf, problem);
  if (problem) ThrowFileProblem(netcdf, "write results", problem.value(), kSafe);
  SyncFolder(netcdf.parent_path());
  std::filesystem::remove(journal, problem);
}

}  // namespace

std::filesystem::path JournalOf(const std::filesystem::path& netcdf) {
  std::filesystem::path journal = netcdf;
  journal += ".journal";
  return journal;
}

NetcdfResults::NetcdfResults(std::filesystem::path path, const RunInfo& info, std::vector<ResultSeries> series,
                             AppendFile::Existing existing)
    : path_(Checked(std::move(path), existing)),
      journal_(FirstJournalOf(path_, existing), info, std::move(series), existing),
      is_in_place_(existing == AppendFile::Existing::Refuse) {}

std::unique_ptr<NetcdfResults> NetcdfResults::Reopen(std::filesystem::path path, std::vector<ResultSeries> series,
                                                     std::uint64_t journal_bytes) {
  return std::unique_ptr<NetcdfResults>(new NetcdfResults(GoesOn{}, std::move(path), std::move(series), journal_bytes));
}

NetcdfResults::NetcdfResults(GoesOn, std::filesystem::path path, std::vector<ResultSeries> series,
                             std::uint64_t journal_bytes)
    : path_(std::move(path)),
      journal_(JournalToGoOnWith(path_), std::move(series), journal_bytes),
      goes_on_(true),
      is_in_place_(false) {}

void NetcdfResults::TakePlace() {
  if (is_in_place_) return;
  journal_.CutBack();
  journal_.Sync();
  if (journal_.Path() != JournalOf(path_)) journal_.MoveTo(JournalOf(path_));
  is_in_place_ = true;
  // A file from an older run must not look like one of this run.
  std::error_code problem;
  std::filesystem::remove(path_, problem);
  if (goes_on_) {
    KeepJournal();
  } else {
    ForgetJournal();
  }
  SyncFolder(path_.parent_path());
}

void NetcdfResults::KeepJournal() {
  std::error_code problem;
  const std::filesystem::path kept = KeptJournalOf(path_);
  if (std::filesystem::exists(kept, problem) && std::filesystem::equivalent(kept, journal_.Path(), problem)) return;
  std::filesystem::remove(kept, problem);
  std::filesystem::create_hard_link(journal_.Path(), kept, problem);
}

void NetcdfResults::ForgetJournal() {
  std::error_code problem;
  std::filesystem::remove(KeptJournalOf(path_), problem);
}

NetcdfResults::~NetcdfResults() {
  try {
    if (is_in_place_) {
      Close();
    } else if (!goes_on_) {
      journal_.Discard();
    }
  } catch (const Error&) {
    // The journal stays. Call Close to get the error.
  }
}

void NetcdfResults::Append(std::size_t series, double begin, double end, std::span<const double> values) {
  journal_.Append(series, begin, end, values);
}

void NetcdfResults::Note(const std::string& text) {
  journal_.Note(text);
}

void NetcdfResults::Commit(double until) {
  journal_.Commit(until);
}

void NetcdfResults::Close() {
  if (is_closed_) return;
  TakePlace();
  journal_.Close();
  JournalReader reader(journal_.Path());
  BuildFromJournal(journal_.Path(), path_, reader);
  is_closed_ = true;
  journal_.Release();
}

bool RebuildFromJournal(const std::filesystem::path& netcdf) {
  const std::filesystem::path journal = JournalOf(netcdf);
  const FileDescriptor file(open(journal.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.IsOpen()) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    ThrowFileProblem(journal, "read a journal of results", errno);
  }
  if (flock(file.Number(), LOCK_EX | LOCK_NB) != 0) return false;
  JournalReader reader(journal);
  if (!reader.IsBegun()) {
    std::error_code ignored;
    std::filesystem::remove(journal, ignored);
    return false;
  }
  BuildFromJournal(journal, netcdf, reader);
  return true;
}

}  // namespace openmi
