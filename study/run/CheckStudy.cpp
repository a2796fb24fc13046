#include "study/run/CheckStudy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <system_error>
#include <thread>

#include "openmi/system/TemporaryFolder.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi {

int WorkerCount(const StudyFile& study, int wanted) {
  if (wanted > 0) return wanted;
  if (study.workers.count > 0) return study.workers.count;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace {

void AddSpaceProblem(const Study& study, const StudyEstimate& estimate, Problems& problems) {
  if (estimate.bytes <= estimate.free_bytes) return;
  AddError(problems, {.file = study.File().path.string(), .line = study.File().design ? study.File().design->line : 0},
           fmt::format("expected room for {} members, {:.3g} MB, found {:.3g} MB on the disk of the results",
                       estimate.members, estimate.bytes / 1e6, estimate.free_bytes / 1e6),
           "choose another disk with --results, fewer members, or observe less (Every, Elements)");
}

/// The part of a study's estimate that a trial gives.
/// \throws StudyWorker::Gone  the process was killed from outside
void Trial(StudyWorker& worker, const Study& study, const std::filesystem::path& folder, StudyEstimate& estimate,
           Problems& problems) {
  const bool has_errors = HasErrors(problems);
  const auto run = [&] {
    worker.Post({.values = has_errors ? MemberValues() : study.FirstValues()});
    StudyReply reply = worker.Take();
    if (reply.was_killed) throw StudyWorker::Gone{.how = "was killed", .is_killed = true};
    return reply;
  };
  const StudyReply first = run();
  if (has_errors && first.result.end != MemberEnd::Done) return;
  const StudyReply reply = worker.IsSpent() ? first : run();  // the first one loads the libraries
  if (reply.result.end != MemberEnd::Done) {
    AddWarning(problems, {.file = study.File().path.string()},
               fmt::format("expected the first member to run, found that it {}: {}",
                           kMemberEnds.NameOf(reply.result.end), reply.result.problem),
               "openmi study show prints its composition, which openmi run runs");
  }
  StateWriter bytes;
  reply.result.Save(bytes);
  double shapes = 0.0;
  for (const std::string& shape : first.shapes) shapes += static_cast<double>(shape.size());
  double rows = 0.0;
  for (const MemberSeries& series : reply.result.series) rows += 8.0 * static_cast<double>(series.values.size());
  constexpr double kBlockHeads = 80.0;
  estimate.member_seconds = reply.result.seconds;
  estimate.seconds = static_cast<double>(estimate.members) * estimate.member_seconds / estimate.workers;
  estimate.bytes =
      shapes + static_cast<double>(estimate.members) * (static_cast<double>(bytes.Bytes().size()) + kBlockHeads + rows);
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(folder);
  while (!std::filesystem::exists(place, error) && place.has_relative_path()) place = place.parent_path();
  const std::filesystem::space_info space = std::filesystem::space(place, error);
  estimate.free_bytes = error ? std::numeric_limits<double>::infinity() : static_cast<double>(space.available);
  AddSpaceProblem(study, estimate, problems);
}

/// Checks, and tries the first member, in one worker.
/// \returns whether the process was killed from outside, and the check has to be made again
bool WasKilled(const Study& study, const StudySetup& setup, const std::filesystem::path& folder, bool with_trial,
               bool is_last, StudyEstimate& estimate, Problems& problems) {
  bool is_checked = false;
  try {
    StudyWorker worker(setup);
    if (study.File().branch) {
      const Problems made = worker.Branch();
      problems.insert(problems.end(), made.begin(), made.end());
      if (HasErrors(made)) return false;
    }
    const bool has_errors = HasErrors(problems);
    const Problems found = worker.Check(has_errors ? MemberValues() : study.FirstValues(),
                                        study.HasMembers() ? study.Tried() : std::vector<MemberValues>());
    problems.insert(problems.end(), found.begin(), found.end());
    is_checked = true;
    if (study.HasMembers() && with_trial) Trial(worker, study, folder, estimate, problems);
  } catch (const StudyWorker::Gone& gone) {
    if (gone.is_killed && !is_last) return true;
    problems.push_back({.severity = is_checked ? Problem::Warning : Problem::Error,  // other members may run
                        .where = {.file = study.File().path.string()},
                        .problem = fmt::format("expected the first member to be {}, found that its process {}",
                                               is_checked ? "run" : "checked", gone.how),
                        .remedy =
                            "run the composition that openmi study show prints alone; TimeLimit and MemoryLimit of "
                            "Workers bound a member"});
  }
  return false;
}

}  // namespace

std::optional<StudyEstimate> CheckStudy(const Study& study, const std::filesystem::path& folder, int workers,
                                        bool with_trial, Problems& problems) {
  constexpr int kMostKills = 20;
  StudyEstimate estimate{.members = study.HasMembers() ? study.Count() : 0,
                         .workers = WorkerCount(study.File(), workers)};
  const Problems before = problems;
  // Not the folders of the study, which may be running. What is left by a check that is killed, the next one removes.
  const TemporaryFolder own;
  StudySetup setup = study.Setup(folder);
  setup.folder = own.Path() / "members";
  setup.branch_folder = own.Path() / "branch";
  for (int kills = 0; WasKilled(study, setup, folder, with_trial, kills == kMostKills, estimate, problems); ++kills) {
    problems = before;
  }
  if (HasErrors(problems)) return std::nullopt;
  return estimate;
}

}  // namespace openmi
