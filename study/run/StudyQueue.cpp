#include "study/run/StudyQueue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/run/MemberRunner.hpp"
#include "study/run/StudyWorker.hpp"

namespace openmi {
namespace {

constexpr int kMostKills = 5;  // of workers of a member, from outside

}  // namespace

double StudyProgress::SecondsLeft() const {
  if (computed == 0) return kNotANumber;
  return seconds / static_cast<double>(computed) * static_cast<double>(members - std::min(done, members));
}

std::filesystem::path StudyQueue::JournalIn(const std::filesystem::path& folder, const StudyFile& study) {
  return folder / (study.id + ".study");
}

StudyQueue::StudyQueue(Study& study, StudyStart start, std::size_t width)
    : study_(study),
      start_(std::move(start)),
      width_(std::max<std::size_t>(width, 1)),
      setup_(study.Setup(start_.folder)) {
  has_cost_ = std::ranges::any_of(study_.File().objectives, [](const ObjectiveSpec& one) { return one.weight > 0.0; });
  progress_.best_cost = std::numeric_limits<double>::infinity();
  OpenJournal();
  if (study_.File().branch && !std::filesystem::exists(setup_.branch_folder)) MakeBranch();
}

StudyQueue::~StudyQueue() = default;

void StudyQueue::MakeBranch() {
  try {
    ThrowIfErrors(StudyWorker::Start(setup_)->Branch());
  } catch (const StudyWorker::Gone& gone) {
    throw ModelError(
        {.file = study_.File().path.string(), .line = study_.File().branch_line},
        fmt::format("expected the composition to run until the branch, found that its process {}", gone.how),
        "run the composition alone; openmi study resume makes the branch again");
  }
}

void StudyQueue::SetUp() {
  progress_.members = study_.Count();
  has_result_.assign(progress_.members, false);
  if (study_.IsSearch()) search_ = study_.NewSearch();
}

void StudyQueue::OpenJournal() {
  const std::filesystem::path path = JournalIn(start_.folder, study_.File());
  if (!start_.resume) {
    SetUp();
    std::error_code error;
    std::filesystem::create_directories(start_.folder, error);
    if (error) ThrowFileProblem(start_.folder, "make the folder of results", error.value());
    journal_ = std::make_unique<StudyJournal>(path, study_.Info(), start_.overwrite);
    // Not before no other process can be at work there.
    std::filesystem::remove_all(setup_.folder, error);
    std::filesystem::remove_all(setup_.branch_folder, error);
    return;
  }
  journal_ = std::make_unique<StudyJournal>(path);  // first, so that no other run writes what is read
  const StudyJournalReader reader(path);
  study_.TakeJournal(reader);
  const StudyInfo now = study_.Info();
  const StudyInfo& then = reader.Info();
  if (then.study_text != now.study_text || then.composition_text != now.composition_text ||
      then.table_hash != now.table_hash || then.variables != now.variables) {
    const char* what = then.study_text != now.study_text               ? "the study"
                       : then.composition_text != now.composition_text ? "the composition"
                       : then.table_hash != now.table_hash             ? "the table or the budget"
                                                                       : "a variable";
    throw FormatError({.file = path.string()},
                      fmt::format("expected the study that this journal belongs to, found that {} was changed", what),
                      "undo the change, or start again with openmi study run --overwrite");
  }
  journal_->GoOn(reader);
  SetUp();
  Replay(reader);
}

void StudyQueue::Replay(const StudyJournalReader& reader) {
  for (std::uint64_t member = 0; member < reader.Members().size(); ++member) {
    if (member >= progress_.members) break;
    const MemberPlace& place = reader.Members()[member];
    const bool is_retried = start_.retry && place.offset != 0 && place.end != MemberEnd::Done;
    if (is_retried) journal_->Retry(member);
    if (is_retried || place.offset == 0) {
      if (reader.Starts(member) > 0) tries_[member].starts = reader.Starts(member);
      if (study_.IsAsked()) {
        asked_.free.push_back(member);
        --progress_.members;
      }
      continue;
    }
    const std::optional<MemberResult> result = reader.Read(member);
    if (!result) continue;
    if (search_) {
      if (member != search_->Taken()) break;
      search_->Take(result->end == MemberEnd::Done ? CostOf(study_.File(), result->objectives) : kNotANumber);
    }
    Count(*result);
  }
  if (study_.IsAsked()) cursor_ = has_result_.size();  // nothing runs before a program asks for it
}

void StudyQueue::Count(const MemberResult& result) {
  has_result_[result.member] = true;
  ++progress_.done;
  if (study_.IsAsked()) {
    asked_.members[result.values] = result.member;
    asked_.objectives[result.member] = result.end == MemberEnd::Done ? result.objectives : std::vector<double>();
  }
  if (result.end != MemberEnd::Done) {
    ++progress_.failed;
    return;
  }
  if (!has_cost_) return;
  const double cost = CostOf(study_.File(), result.objectives);
  const bool is_first_of_equals = cost == progress_.best_cost && progress_.best && result.member < *progress_.best;
  if (!(cost < progress_.best_cost) && !is_first_of_equals) return;
  progress_.best_cost = cost;
  progress_.best = result.member;
}

std::uint64_t StudyQueue::Ask(const MemberValues& values) {
  if (const auto known = asked_.members.find(values); known != asked_.members.end()) return known->second;
  std::uint64_t member = study_.Count();
  if (!asked_.free.empty()) {
    member = asked_.free.front();
    asked_.free.pop_front();
    again_.push_back(member);
  } else {
    has_result_.push_back(false);
  }
  ++progress_.members;
  study_.SetAsked(member, values);
  asked_.members[values] = member;
  return member;
}

bool StudyQueue::IsRunning(std::uint64_t member, const MemberValues& values) const {
  return std::ranges::any_of(running_,
                             [&](const StudyTask& task) { return task.member == member && task.values == values; });
}

void StudyQueue::SkipResults() {
  while (cursor_ < has_result_.size() && has_result_[cursor_]) ++cursor_;
}

std::optional<std::uint64_t> StudyQueue::NextOfDesign(MemberValues& values) {
  SkipResults();
  std::uint64_t member = cursor_;
  if (cursor_ < has_result_.size()) {
    ++cursor_;
  } else if (!again_.empty()) {  // last: where memory was short, others have ended by then
    member = again_.front();
    again_.pop_front();
  } else {
    return std::nullopt;
  }
  values = study_.Values(member);
  return member;
}

std::optional<std::uint64_t> StudyQueue::NextOfSearch(MemberValues& values) {
  // Not further ahead than there are workers: a point far ahead is rarely the one that its turn brings.
  const std::uint64_t end = std::min(progress_.members, search_->Taken() + width_);
  for (std::uint64_t member = search_->Taken(); member < end; ++member) {
    const auto point = search_->Point(member);
    if (!point) return std::nullopt;
    values = study_.ValuesAt(*point);
    const auto waits = waiting_.find(member);
    if (waits != waiting_.end() && waits->second.result.values == values) continue;
    if (!IsRunning(member, values)) return member;
  }
  return std::nullopt;
}

bool StudyQueue::MayHaveNext() {
  if (IsTimeOver()) return false;
  if (!search_) SkipResults();
  return search_ != nullptr || cursor_ < has_result_.size() || !again_.empty();
}

std::optional<StudyTask> StudyQueue::Next() {
  if (IsTimeOver()) return std::nullopt;
  StudyTask task;
  const auto member = search_ ? NextOfSearch(task.values) : NextOfDesign(task.values);
  if (!member) return std::nullopt;
  task.member = *member;
  task.attempt = ++tries_[task.member].starts;
  journal_->Start(task.member, task.attempt);
  running_.push_back(task);
  return task;
}

void StudyQueue::Forget(const StudyTask& task) {
  std::erase_if(running_,
                [&](const StudyTask& one) { return one.member == task.member && one.attempt == task.attempt; });
}

void StudyQueue::Drop(const StudyTask& task) {
  Forget(task);
  if (!search_) again_.push_back(task.member);  // a search finds it by itself
}

void StudyQueue::Take(const StudyTask& task, StudyReply reply) {
  MemberResult& result = reply.result;
  if (result.member != task.member || result.values != task.values) {
    throw FormatError({}, fmt::format("expected the result of member {}, found that of another", task.member + 1));
  }
  result.attempts = task.attempt;
  Forget(task);
  if (reply.was_killed && ++tries_[task.member].kills < kMostKills) {
    Drop(task);
    return KeepFiles(result, false);
  }
  journal_->Observe(reply.observations);
  for (std::size_t i = 0; search_ && i < reply.shapes.size(); ++i) {
    // A result that does not count takes its shapes with it.
    std::string& known = shapes_[result.series[i].shape];
    (reply.shapes[i].empty() ? reply.shapes[i] : known) = reply.shapes[i].empty() ? known : reply.shapes[i];
  }
  ++progress_.computed;
  if (!search_) return Confirm(reply);
  if (task.member < search_->Taken()) return KeepFiles(result, false);  // computed for values that did not come
  if (const auto before = waiting_.find(task.member); before != waiting_.end()) KeepFiles(before->second.result, false);
  waiting_[task.member] = std::move(reply);
  ConfirmInOrder();
}

void StudyQueue::ConfirmInOrder() {
  while (search_->Taken() < progress_.members) {
    const auto next = waiting_.find(search_->Taken());
    if (next == waiting_.end()) return;
    const StudyReply reply = std::move(next->second);
    waiting_.erase(next);
    if (study_.ValuesAt(search_->Point(search_->Taken()).value()) != reply.result.values) {
      return KeepFiles(reply.result, false);
    }
    Confirm(reply);
    const bool is_done = reply.result.end == MemberEnd::Done;
    search_->Take(is_done ? CostOf(study_.File(), reply.result.objectives) : kNotANumber);
  }
}

void StudyQueue::Confirm(const StudyReply& reply) {
  const MemberResult& result = reply.result;
  if (has_result_[result.member]) return KeepFiles(result, false);
  KeepFiles(result, true);
  journal_->End(result, reply.shapes);
  tries_.erase(result.member);
  Count(result);
}

void StudyQueue::KeepFiles(const MemberResult& result, bool counts) const {
  const StudyTask task{result.member, result.attempts, {}};
  const std::filesystem::path from = setup_.folder / task.Folder();
  std::error_code ignored;
  if (!std::filesystem::exists(from, ignored)) return;
  if (!counts) {
    std::filesystem::remove_all(from, ignored);
    return;
  }
  const std::filesystem::path to = setup_.folder / std::to_string(result.member + 1);
  std::filesystem::remove_all(to, ignored);  // of a result that a retry replaces
  std::filesystem::rename(from, to, ignored);
}

bool StudyQueue::IsTimeOver() const {
  const auto& calibrate = study_.File().calibrate;
  return calibrate && calibrate->seconds &&
         std::chrono::duration<double>(Clock::now() - begun_).count() > *calibrate->seconds;
}

const StudyProgress& StudyQueue::Progress() {
  progress_.seconds = std::chrono::duration<double>(Clock::now() - begun_).count();
  return progress_;
}

void StudyQueue::Finish() {
  journal_->Sync();
  // Files of tasks that did not end, and templates of workers that were killed. Only these have a dash.
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(setup_.folder, ignored)) {
    if (entry.path().filename().string().find('-') != std::string::npos) {
      std::filesystem::remove_all(entry, ignored);
    }
  }
  std::filesystem::remove(setup_.folder, ignored);  // only if it is empty
}

}  // namespace openmi
