#include "study/run/Study.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "composition/results/FileHash.hpp"
#include "openmi/omi/XmlReader.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

constexpr std::string_view kBudget = "budget ";  // in a journal, in place of the hash of a table

}  // namespace

std::string ReadWholeFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (file && !std::filesystem::is_directory(path)) return text;
  throw FileError({.file = path.string()},
                  "expected a readable file, found: " + std::error_code(errno, std::generic_category()).message(),
                  "check the path");
}

Study::Study(const std::filesystem::path& path, Variables variables, Problems& problems)
    : text_(ReadWholeFile(path)), variables_(std::move(variables)) {
  Read(path, problems);
}

Study::Study(const std::filesystem::path& path, std::string text, std::string composition_text, Variables variables,
             Problems& problems)
    : text_(std::move(text)), composition_text_(std::move(composition_text)), variables_(std::move(variables)) {
  Read(path, problems);
}

void Study::Read(const std::filesystem::path& path, Problems& problems) {
  StudyFile study = ReadStudyText(text_, path, problems);
  composition_path_ = study.CompositionPath();
  CompositionFile composition;
  composition.path = composition_path_;
  if (!study.composition.empty()) {
    try {
      if (composition_text_.empty()) composition_text_ = ReadWholeFile(composition_path_);
      composition = ReadCompositionText(composition_text_, composition_path_, problems);
      if (!composition.run && !HasErrors(problems)) {
        AddError(problems, {.file = composition_path_.string()}, "expected a Run element, found none",
                 "add <Run From=\"...\" To=\"...\"/>");
      }
    } catch (const FileError& error) {
      AddError(problems, {.file = path.string(), .line = study.composition_line},
               fmt::format("expected a composition, found no readable file '{}'", composition_path_.string()),
               "check the path; it is relative to the study");
    }
  }
  is_sound_ = !HasErrors(problems);
  plan_ = std::make_unique<StudyPlan>(std::move(study), std::move(composition), problems);
  if (!plan_->Study().design || plan_->Study().varies.empty()) return;
  // A table can be read whatever else is wrong; other designs need all their values.
  if (!is_sound_ && plan_->Study().design->method != DesignMethod::Table) return;
  try {
    Problems of_design;
    auto design = std::make_unique<Design>(plan_->Study(), of_design);
    problems.insert(problems.end(), of_design.begin(), of_design.end());
    if (!HasErrors(of_design)) design_ = std::move(design);
  } catch (const Error& error) {
    Where where = error.Place();
    if (where.file.empty()) where = {.file = path.string(), .line = plan_->Study().design->line};
    AddError(problems, where, error.Problem(), error.Remedy());
  }
}

void Study::SetBudget(std::uint64_t budget) {
  plan_->SetBudget(budget);
  budget_ = budget;
}

void Study::TakeBudget(const StudyInfo& info) {
  if (!IsSearch() || !info.table_hash.starts_with(kBudget)) return;
  constexpr std::uint64_t kMost = 1'000'000'000;  // as in the file: the journal is not trusted
  const auto budget = AsNumber<std::uint64_t>(std::string_view(info.table_hash).substr(kBudget.size()));
  if (budget && *budget >= 1 && *budget <= kMost) SetBudget(*budget);
}

MemberValues Study::ValuesAt(const std::vector<double>& point) const {
  MemberValues values;
  for (std::size_t k = 0; k < point.size(); ++k) values.push_back(File().varies[k].At(point[k]));
  return values;
}

StudyInfo Study::Info() const {
  StudyInfo info{text_, composition_text_, {}, {}};
  if (File().design && File().design->method == DesignMethod::Table) {
    info.table_hash = HashFile(File().Folder() / File().design->table);
  }
  if (budget_) info.table_hash = fmt::format("{}{}", kBudget, *budget_);
  for (const auto& [name, value] : variables_) info.variables.insert(info.variables.end(), {name, value});
  return info;
}

StudySetup Study::Setup(const std::filesystem::path& folder) const {
  return {text_,
          File().path,
          composition_text_,
          composition_path_,
          folder / (File().id + "-members"),
          folder / (File().id + "-branch"),
          variables_,
          File().workers};
}

MemberValues Study::FirstValues() const {
  return IsSearch() ? ValuesAt(std::vector<double>(File().varies.size(), 0.5)) : Values(0);
}

std::vector<MemberValues> Study::Tried() const {
  constexpr std::uint64_t kMost = 100'000;
  const std::size_t width = File().varies.size();
  std::vector<MemberValues> tried;
  const bool is_sampled = IsSearch() || File().design->method >= DesignMethod::LatinHypercube;
  if (is_sampled) {
    std::size_t most = 2;
    for (const VarySpec& vary : File().varies) most = std::max(most, vary.values.size());
    for (std::size_t i = 0; i < most; ++i) {
      MemberValues& values = tried.emplace_back();
      for (const VarySpec& vary : File().varies) {
        values.push_back(vary.IsRange() ? vary.At(i == 0 ? 0.0 : 1.0) : vary.values[i % vary.values.size()].text);
      }
    }
    return tried;
  }
  // Each value once, in whichever member it occurs.
  std::vector<std::set<std::string>> known(width);
  for (std::uint64_t member = 0; member < std::min(Count(), kMost); ++member) {
    MemberValues values = Values(member);
    bool is_new = false;
    for (std::size_t k = 0; k < width; ++k) is_new = known[k].insert(values[k]).second || is_new;
    if (is_new) tried.push_back(std::move(values));
  }
  return tried;
}

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
void Trial(StudyWorker& worker, const Study& study, const std::filesystem::path& folder, StudyEstimate& estimate,
           Problems& problems) {
  const bool has_errors = HasErrors(problems);
  const MemberValues values = has_errors ? MemberValues() : study.FirstValues();
  worker.Post(0, values);
  const StudyWorker::Reply first = worker.Take();  // loads the libraries
  if (has_errors && first.result.end != MemberEnd::Done) return;
  worker.Post(0, values);
  const StudyWorker::Reply reply = worker.Take();
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
  // Not the folders of the study, which may be running.
  const std::filesystem::path own = folder / fmt::format("{}-check-{}", study.File().id, getpid());
  StudySetup setup = study.Setup(folder);
  setup.folder = own / "members";
  setup.branch_folder = own / "branch";
  for (int kills = 0; WasKilled(study, setup, folder, with_trial, kills == kMostKills, estimate, problems); ++kills) {
    problems = before;
  }
  std::error_code ignored;
  std::filesystem::remove_all(own, ignored);
  if (HasErrors(problems)) return std::nullopt;
  return estimate;
}

}  // namespace openmi
