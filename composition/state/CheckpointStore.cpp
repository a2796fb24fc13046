#include "composition/state/CheckpointStore.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {

CheckpointStore::CheckpointStore(std::filesystem::path folder, std::string name, int keep)
    : folder_(std::move(folder)), name_(std::move(name)), keep_(std::clamp(keep, 1, kMost)) {}

std::filesystem::path CheckpointStore::File(int age) const {
  return folder_ / (age == 0 ? name_ + ".checkpoint" : fmt::format("{}.checkpoint.{}", name_, age));
}

bool CheckpointStore::HasAny() const {
  std::error_code ignored;
  for (int age = 0; age <= kMost; ++age) {
    if (std::filesystem::exists(File(age), ignored)) return true;
  }
  return false;
}

void CheckpointStore::Write(const Checkpoint& checkpoint) {
  // The new checkpoint is complete and on the disk before any other is moved: a valid one exists at every moment.
  std::filesystem::path fresh = File(0);
  fresh += ".new";
  WriteStateFile(fresh, PackCheckpoint(checkpoint));
  std::error_code ignored;
  const auto move = [&](const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code problem;
    std::filesystem::rename(from, to, problem);
    if (!problem || (problem == std::errc::no_such_file_or_directory && from != fresh)) return;
    std::filesystem::remove(fresh, ignored);
    throw FileError({.file = to.string()},
                    fmt::format("expected to put a checkpoint in its place, found: {}", problem.message()),
                    "check whether the folder can be written to");
  };
  for (int age = keep_ - 1; age > 0; --age) move(File(age - 1), File(age));
  move(fresh, File(0));
  SyncFolder(folder_);
}

void CheckpointStore::Begin(const Checkpoint& checkpoint) {
  WriteStateFile(File(0), PackCheckpoint(checkpoint));
  std::error_code ignored;
  std::filesystem::remove(Mark(), ignored);  // until here the earlier run stays as it is, complete
  for (int age = 1; age <= kMost; ++age) std::filesystem::remove(File(age), ignored);
}

std::optional<Checkpoint> CheckpointStore::ReadNewest(Problems& problems,
                                                      const std::function<void(const Checkpoint&)>& take) const {
  std::optional<FormatError> last;
  std::error_code ignored;
  for (int age = 0; age <= kMost; ++age) {
    const std::filesystem::path file = File(age);
    if (!std::filesystem::exists(file, ignored)) continue;
    if (last) {
      AddWarning(problems, last->Place(), last->Problem(), fmt::format("the one before it is used: {}", file.string()));
    }
    try {
      Checkpoint checkpoint = UnpackCheckpoint(ReadStateFile(file), file.string());
      checkpoint.file = file.string();
      if (take) take(checkpoint);
      return checkpoint;
    } catch (const FormatError& error) {
      Where where = error.Place();
      if (where.file.empty()) where.file = file.string();
      last.emplace(where, error.Problem(), error.Remedy());
    }
  }
  if (last) throw FormatError(last->Place(), last->Problem(), "no earlier one is valid: start anew with --overwrite");
  return std::nullopt;
}

void CheckpointStore::Complete(const Checkpoint& end) {
  WriteStateFile(Mark(), PackCheckpoint(end));
  RemoveCheckpoints();
}

std::optional<Checkpoint> CheckpointStore::ReadComplete() const {
  try {
    return UnpackCheckpoint(ReadStateFile(Mark()), Mark().string());
  } catch (const Error&) {
    return std::nullopt;
  }
}

void CheckpointStore::Remove() {
  RemoveCheckpoints();
  std::error_code ignored;
  std::filesystem::remove(Mark(), ignored);
}

void CheckpointStore::RemoveCheckpoints() {
  std::error_code ignored;
  // The oldest first: as long as any exists, the newest does.
  for (int age = kMost; age >= 0; --age) std::filesystem::remove(File(age), ignored);
  for (const char* ending : {".checkpoint.new", ".checkpoint.new.part", ".checkpoint.part"}) {
    std::filesystem::remove(folder_ / (name_ + ending), ignored);
  }
}

}  // namespace openmi
