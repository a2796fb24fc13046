#include "study/run/StudyRun.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "composition/results/FileProblem.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"
#include "study/run/MemberRunner.hpp"

namespace openmi {
namespace {

constexpr int kMostKills = 5;          // of workers of a member, from outside
constexpr int kMostFailedStarts = 20;  // of workers, in a row

}  // namespace

double StudyProgress::SecondsLeft() const {
  if (computed == 0) return kNotANumber;
  return seconds / static_cast<double>(computed) * static_cast<double>(members - std::min(done, members));
}

std::filesystem::path StudyRun::JournalIn(const std::filesystem::path& folder, const StudyFile& study) {
  return folder / (study.id + ".study");
}

StudyRun::StudyRun(const Study& study, StudyRunOptions options)
    : study_(study), options_(std::move(options)), setup_(study.Setup(options_.folder)) {
  progress_.members = study_.Count();
  progress_.best_cost = std::numeric_limits<double>::infinity();
  has_cost_ = std::ranges::any_of(study_.File().objectives, [](const ObjectiveSpec& one) { return one.weight > 0.0; });
  has_result_.assign(progress_.members, false);
  if (study_.IsSearch()) search_ = study_.NewSearch();
  OpenJournal();
  if (study_.File().branch && !std::filesystem::exists(setup_.branch_folder)) MakeBranch();
  slots_.resize(std::min<std::size_t>(static_cast<std::size_t>(WorkerCount(study_.File(), options_.workers)),
                                      std::max<std::uint64_t>(progress_.members, 1)));
}

StudyRun::~StudyRun() = default;

void StudyRun::MakeBranch() {
  StudySlot slot;
  StartWorker(slot);
  try {
    ThrowIfErrors(slot.worker->Branch());
  } catch (const StudyWorker::Gone& gone) {
    throw ModelError(
        {.file = study_.File().path.string(), .line = study_.File().branch_line},
        fmt::format("expected the composition to run until the branch, found that its process {}", gone.how),
        "run the composition alone; openmi study resume makes the branch again");
  }
}

void StudyRun::OpenJournal() {
  const std::filesystem::path path = JournalIn(options_.folder, study_.File());
  if (!options_.resume) {
    std::error_code error;
    std::filesystem::create_directories(options_.folder, error);
    if (error) ThrowFileProblem(options_.folder, "make the folder of results", error.value());
    journal_ = std::make_unique<StudyJournal>(path, study_.Info(), options_.overwrite);
    // Not before no other process can be at work there.
    std::filesystem::remove_all(setup_.folder, error);
    std::filesystem::remove_all(setup_.branch_folder, error);
    return;
  }
  journal_ = std::make_unique<StudyJournal>(path);  // first, so that no other run writes what is read
  const StudyJournalReader reader(path);
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
                      "undo the change, or start anew with openmi study run --overwrite");
  }
  journal_->GoOn(reader);
  Replay(reader);
}

void StudyRun::Replay(const StudyJournalReader& reader) {
  for (std::uint64_t member = 0; member < reader.Members().size(); ++member) {
    if (member >= progress_.members) break;
    const MemberPlace& place = reader.Members()[member];
    const bool is_retried = options_.retry && place.offset != 0 && place.end != MemberEnd::Done;
    if (is_retried) journal_->Retry(member);
    if (is_retried || place.offset == 0) {
      if (reader.Starts(member) > 0) attempts_[member] = reader.Starts(member);
      continue;
    }
    const std::optional<MemberResult> result = reader.Read(member);
    if (!result) continue;
    if (search_) {
      if (member != search_->Taken()) break;
      search_->Take(result->end == MemberEnd::Done ? CostOf(study_.File(), result->objectives) : kNotANumber);
    }
    Count(member, result->end, result->objectives);
  }
}

void StudyRun::Count(std::uint64_t member, MemberEnd end, const std::vector<double>& objectives) {
  has_result_[member] = true;
  ++progress_.done;
  if (end != MemberEnd::Done) {
    ++progress_.failed;
    return;
  }
  if (!has_cost_) return;
  const double cost = CostOf(study_.File(), objectives);
  const bool is_first_of_equals = cost == progress_.best_cost && progress_.best && member < *progress_.best;
  if (!(cost < progress_.best_cost) && !is_first_of_equals) return;
  progress_.best_cost = cost;
  progress_.best = member;
}

bool StudyRun::IsRunning(std::uint64_t member, const MemberValues& values) const {
  return std::ranges::any_of(slots_,
                             [&](const StudySlot& slot) { return slot.member == member && slot.values == values; });
}

std::optional<std::uint64_t> StudyRun::NextOfDesign(MemberValues& values) {
  std::uint64_t member = 0;
  if (!again_.empty()) {
    member = again_.front();
    again_.pop_front();
  } else {
    while (cursor_ < progress_.members && has_result_[cursor_]) ++cursor_;
    if (cursor_ >= progress_.members) return std::nullopt;
    member = cursor_++;
  }
  values = study_.Values(member);
  return member;
}

std::optional<std::uint64_t> StudyRun::NextOfSearch(MemberValues& values) {
  // Not further ahead than there are workers: a point far ahead is rarely the one that its turn brings.
  const std::uint64_t end = std::min(progress_.members, search_->Taken() + slots_.size());
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

std::optional<std::uint64_t> StudyRun::Next(MemberValues& values) {
  if (IsTimeOver() || (options_.is_interrupted && options_.is_interrupted())) return std::nullopt;
  return search_ ? NextOfSearch(values) : NextOfDesign(values);
}

void StudyRun::StartWorker(StudySlot& slot) {
  while (true) {
    try {
      slot.worker = std::make_unique<StudyWorker>(setup_);
      failed_starts_ = 0;
      return;
    } catch (const StudyWorker::Gone& gone) {
      if (++failed_starts_ < kMostFailedStarts) continue;
      throw FileError(
          {.file = study_.File().path.string()},
          fmt::format("expected a worker to start, found that it {}, {} times in a row", gone.how, failed_starts_),
          "check MemoryLimit of Workers, and what the system says about the program openmi-study-host");
    }
  }
}

void StudyRun::Fill() {
  for (StudySlot& slot : slots_) {
    if (slot.member) continue;
    MemberValues values;
    const auto member = Next(values);
    if (!member) return;
    if (!slot.worker) StartWorker(slot);
    const int attempt = ++attempts_[*member];
    journal_->Start(*member, attempt);
    slot.member = member;
    slot.values = std::move(values);
    slot.begun = Clock::now();
    slot.worker->Post(*member, slot.values);
  }
}

void StudyRun::TakeEnd(StudySlot& slot, const StudyWorker::Gone& gone) {
  const std::uint64_t member = *slot.member;
  slot.member.reset();
  slot.worker.reset();
  if (gone.is_killed && ++kills_[member] < kMostKills) {
    if (!search_) again_.push_back(member);  // a search finds it by itself
    return;
  }
  MemberResult result{.member = member, .attempts = attempts_[member], .values = slot.values};
  result.end = gone.is_late ? MemberEnd::Late : MemberEnd::Died;
  result.problem = fmt::format("expected the member to end, found that its process {}", gone.how);
  result.seconds = std::chrono::duration<double>(Clock::now() - slot.begun).count();
  Settle(std::move(result), {});
}

void StudyRun::Collect(StudySlot& slot) {
  StudyWorker::Reply reply;
  try {
    reply = slot.worker->Take();
  } catch (const StudyWorker::Gone& gone) {
    return TakeEnd(slot, gone);
  } catch (const Error& error) {
    reply.result = {.member = *slot.member, .end = MemberEnd::Failed, .problem = error.what(), .values = slot.values};
  }
  reply.result.attempts = attempts_[*slot.member];
  slot.member.reset();
  const std::uint64_t most = setup_.limits.members;
  // What failed may have left its libraries in an unknown state.
  if (reply.result.end != MemberEnd::Done || (most > 0 && slot.worker->Taken() >= most)) slot.worker.reset();
  if (!search_) Fill();  // the worker goes on while this process writes
  journal_->Observe(reply.observations);
  Settle(std::move(reply.result), std::move(reply.shapes));
}

void StudyRun::Settle(MemberResult result, std::vector<std::string> shapes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (shapes[i].empty()) {
      if (const auto known = shapes_.find(result.series[i].shape); known != shapes_.end()) shapes[i] = known->second;
    } else if (search_) {  // a result that does not count takes its shapes with it
      shapes_[result.series[i].shape] = shapes[i];
    }
  }
  ++progress_.computed;
  if (!search_) return Confirm(result, shapes);
  const std::uint64_t member = result.member;
  if (member < search_->Taken()) return;  // computed for values that did not come
  waiting_[member] = {std::move(result), std::move(shapes)};
  ConfirmInOrder();
}

void StudyRun::ConfirmInOrder() {
  while (search_->Taken() < progress_.members) {
    const auto next = waiting_.find(search_->Taken());
    if (next == waiting_.end()) return;
    const WaitingResult finished = std::move(next->second);
    waiting_.erase(next);
    if (study_.ValuesAt(search_->Point(search_->Taken()).value()) != finished.result.values) return;
    Confirm(finished.result, finished.shapes);
    const bool is_done = finished.result.end == MemberEnd::Done;
    search_->Take(is_done ? CostOf(study_.File(), finished.result.objectives) : kNotANumber);
  }
}

void StudyRun::Confirm(const MemberResult& result, const std::vector<std::string>& shapes) {
  if (has_result_[result.member]) return;
  journal_->End(result, shapes);
  attempts_.erase(result.member);
  kills_.erase(result.member);
  Count(result.member, result.end, result.objectives);
}

bool StudyRun::IsTimeOver() const {
  const auto& calibrate = study_.File().calibrate;
  return calibrate && calibrate->seconds &&
         std::chrono::duration<double>(Clock::now() - begun_).count() > *calibrate->seconds;
}

void StudyRun::Report(bool is_last) {
  constexpr std::chrono::milliseconds kEvery{200};
  const Clock::time_point now = Clock::now();
  if (!options_.progress || (!is_last && now - reported_ < kEvery)) return;
  reported_ = now;
  progress_.seconds = std::chrono::duration<double>(now - begun_).count();
  options_.progress(progress_);
}

bool StudyRun::Run() {
  while (!IsComplete()) {
    Fill();
    std::vector<StudyWorker*> busy;
    std::vector<StudySlot*> slots;
    for (StudySlot& slot : slots_) {
      if (!slot.member) continue;
      busy.push_back(slot.worker.get());
      slots.push_back(&slot);
    }
    if (busy.empty()) break;  // nothing may start any more
    if (options_.is_interrupted && options_.is_interrupted()) break;
    if (const auto ready = StudyWorker::WaitForAny(busy, std::chrono::milliseconds(200))) Collect(*slots[*ready]);
    Report(false);
  }
  slots_.clear();
  journal_->Sync();
  std::error_code ignored;
  // Templates of workers that were killed. Others have removed theirs.
  for (const auto& entry : std::filesystem::directory_iterator(setup_.folder, ignored)) {
    if (entry.path().filename().string().starts_with(kWorkerFolder)) std::filesystem::remove_all(entry, ignored);
  }
  std::filesystem::remove(setup_.folder, ignored);  // only if it is empty
  Report(true);
  return IsComplete();
}

}  // namespace openmi
