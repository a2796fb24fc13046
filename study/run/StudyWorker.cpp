#include "study/run/StudyWorker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/channel/WorkerProgram.hpp"
#include "composition/check/ChildAnswer.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"
#include "study/run/StudyHost.hpp"

namespace openmi {
namespace {

SharedMemory NewPage() {
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  return page;
}

}  // namespace

void StudySetup::Save(StateWriter& writer) const {
  const auto whole = [](const std::filesystem::path& path) { return std::filesystem::absolute(path).string(); };
  SaveTexts(writer, {study_text, whole(study_path), composition_text, whole(composition_path), whole(folder),
                     whole(branch_folder)});
  std::vector<std::string> pairs;
  for (const auto& [name, value] : variables) pairs.insert(pairs.end(), {name, value});
  SaveTexts(writer, pairs);
  writer.Write(limits.time_limit_seconds);
  writer.Write(static_cast<std::int64_t>(limits.memory_limit_bytes));
  writer.Write(static_cast<std::int64_t>(limits.members));
  writer.Write(std::int64_t{repeats_shapes});
}

void StudySetup::Load(StateReader& reader) {
  std::vector<std::string> texts = LoadTexts(reader);
  const std::vector<std::string> pairs = LoadTexts(reader);
  if (texts.size() != 6 || pairs.size() % 2 != 0) throw FormatError({}, "expected a study, found other texts");
  study_text = std::move(texts[0]);
  study_path = texts[1];
  composition_text = std::move(texts[2]);
  composition_path = texts[3];
  folder = texts[4];
  branch_folder = texts[5];
  for (std::size_t i = 0; i < pairs.size(); i += 2) variables[pairs[i]] = pairs[i + 1];
  limits.time_limit_seconds = reader.ReadDouble();
  limits.memory_limit_bytes = static_cast<std::uint64_t>(reader.ReadInteger());
  limits.members = static_cast<std::uint64_t>(reader.ReadInteger());
  repeats_shapes = reader.ReadInteger() != 0;
}

template <class Talk>
auto StudyWorker::Talking(Talk&& talk) {
  try {
    return talk();
  } catch (const Channel::PeerGone&) {
    ThrowGone(false);
  } catch (const Channel::PeerSilent&) {
    ThrowGone(true);
  }
}

StudyWorker::StudyWorker(const StudySetup& setup) : StudyWorker(setup, NewPage()) {}

StudyWorker::StudyWorker(const StudySetup& setup, SharedMemory page)
    : StudyWorker(setup,
                  std::make_unique<WorkerProcess>(std::vector<std::string>{kStudyHost.Find()}, nullptr, page,
                                                  SharedMemory::Create(), setup.limits.memory_limit_bytes),
                  [&page](int socket, IsPeerAlive is_alive) -> std::unique_ptr<ITransport> {
                    return std::make_unique<SharedPage>(Side::Parent, std::move(page), socket, std::move(is_alive));
                  }) {}

StudyWorker::StudyWorker(const StudySetup& setup, std::unique_ptr<WorkerProcess> connected)
    : StudyWorker(setup, std::move(connected), [](int socket, IsPeerAlive is_alive) -> std::unique_ptr<ITransport> {
        return std::make_unique<TcpTransport>(Side::Parent, socket, std::move(is_alive));
      }) {}

StudyWorker::StudyWorker(const StudySetup& setup, std::unique_ptr<WorkerProcess> process,
                         const MakeTransport& transport)
    : limit_(static_cast<std::int64_t>(setup.limits.time_limit_seconds * 1000.0)),
      process_(std::move(process)),
      channel_(transport(process_->Socket(), [this] { return process_->IsAlive(); }), [](ByteView, StateWriter&) {}),
      left_(setup.limits.members > 0 ? setup.limits.members : ~std::uint64_t{0}) {
  const std::string ours = GreetingText(kStudyHost.name, HostBuildText());
  std::string theirs;
  if (!Talking([&] { return process_->TakeGreeting(ours, theirs); })) {
    throw FileError(
        {.file = kStudyHost.name},
        fmt::format("expected the program of this build ({}), found {}", ours.c_str(), theirs),
        fmt::format("install the programs and libraries of one build together, or correct {}", kStudyHost.variable));
  }
  SetUp(setup);
  channel_.SetTimeLimit(limit_);
}

std::unique_ptr<StudyWorker> StudyWorker::Start(const StudySetup& setup) {
  constexpr int kMostFailedStarts = 20;  // in a row
  for (int failed = 1;; ++failed) {
    try {
      return std::make_unique<StudyWorker>(setup);
    } catch (const Gone& gone) {
      if (failed < kMostFailedStarts) continue;
      throw FileError({.file = setup.study_path.string()},
                      fmt::format("expected a worker to start, found that it {}, {} times in a row", gone.how, failed),
                      "check MemoryLimit of Workers, and what the system says about the program openmi-study-host");
    }
  }
}

void StudyWorker::SetUp(const StudySetup& setup) {
  StateWriter request;
  request.Write(static_cast<std::int64_t>(StudyRequest::Setup));
  setup.Save(request);
  Talking([&] { channel_.Call(request.Bytes()); });
}

void StudyWorker::ThrowGone(bool was_silent) {
  if (const std::string why = channel_.Transport().WhyGone(); !why.empty()) process_->Kill(why);
  process_->TakeEnd(was_silent, limit_);
  const std::string& end = process_->End();
  const auto ended_by = [&end](const char* signal) { return end.find(signal) != std::string::npos; };
  // How one on another host ended is not known here for certain.
  throw Gone{end, was_silent,
             !was_silent && (process_->IsElsewhere() || ended_by("signal 9 ") || ended_by("signal 15 "))};
}

Problems StudyWorker::Check(const MemberValues& values, const std::vector<MemberValues>& tried) {
  StateWriter request;
  request.Write(static_cast<std::int64_t>(StudyRequest::Check));
  SaveTexts(request, values);
  request.Write(static_cast<std::int64_t>(tried.size()));
  for (const MemberValues& one : tried) SaveTexts(request, one);
  return Talking([&] {
    StateReader reader(channel_.Call(request.Bytes()));
    return ProblemsFromJson(nlohmann::ordered_json::parse(reader.ReadText()));
  });
}

Problems StudyWorker::Branch() {
  StateWriter request;
  request.Write(static_cast<std::int64_t>(StudyRequest::Branch));
  channel_.SetTimeLimit({});  // the limit is for a member
  const Problems problems = Talking([&] {
    StateReader reader(channel_.Call(request.Bytes()));
    return ProblemsFromJson(nlohmann::ordered_json::parse(reader.ReadText()));
  });
  channel_.SetTimeLimit(limit_);
  return problems;
}

void StudyWorker::Post(StudyTask task) {
  task_ = std::move(task);
  posted_ = std::chrono::steady_clock::now();
  StateWriter request;
  request.Write(static_cast<std::int64_t>(StudyRequest::Run));
  task_.Save(request);
  failed_to_post_ = nullptr;
  try {
    channel_.Post(request.Bytes());
  } catch (...) {  // Take reports it: the process ended before
    failed_to_post_ = std::current_exception();
  }
}

StudyReply StudyWorker::Take() {
  StudyReply reply;
  const auto fail = [&](MemberEnd end, std::string problem) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - posted_;
    reply.result = {.member = task_.member,
                    .attempts = task_.attempt,
                    .end = end,
                    .problem = std::move(problem),
                    .seconds = seconds.count(),
                    .values = task_.values};
  };
  try {
    Talking([&] {
      if (failed_to_post_ != nullptr) std::rethrow_exception(failed_to_post_);
      StateReader reader(channel_.Await());
      reply.Load(reader);
    });
  } catch (const Gone& gone) {
    fail(gone.is_late ? MemberEnd::Late : MemberEnd::Died,
         fmt::format("expected the member to end, found that its process {}", gone.how));
    reply.was_killed = gone.is_killed;
  } catch (const Error& error) {
    fail(MemberEnd::Failed, error.what());
  }
  is_spent_ = --left_ == 0 || reply.result.end != MemberEnd::Done;
  return reply;
}

std::optional<std::size_t> StudyWorker::WaitForAny(std::span<StudyWorker* const> busy,
                                                   std::chrono::milliseconds longest) {
  constexpr std::chrono::milliseconds kSlice{20};
  std::vector<ITransport*> transports;
  for (const StudyWorker* worker : busy) transports.push_back(&worker->channel_.Transport());
  for (std::chrono::milliseconds waited{0};; waited += kSlice) {
    const auto ready = std::ranges::find_if(transports, &ITransport::HasLetter);
    if (ready != transports.end()) return static_cast<std::size_t>(ready - transports.begin());
    for (std::size_t i = 0; i < busy.size(); ++i) {
      if (busy[i]->failed_to_post_ != nullptr || !busy[i]->process_->IsAlive() || busy[i]->channel_.IsLate()) return i;
    }
    if (waited >= longest) return std::nullopt;
    WaitForLetters(transports, kSlice);
  }
}

}  // namespace openmi
