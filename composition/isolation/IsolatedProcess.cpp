#include "composition/isolation/IsolatedProcess.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/channel/WorkerProgram.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr std::chrono::milliseconds kLastWords{500};
constexpr std::chrono::hours kForEver{24 * 365};
constexpr std::chrono::seconds kMomentToPass{10};    // an open file
constexpr std::chrono::seconds kDestroyingTime{10};  // to destroy a component that has no time limit

std::atomic<unsigned> running{0};

/// Where in its code a component computes too long, as its last error says.
/// \param words  receives the text of an error that names no file
Where PlaceOf(const std::exception_ptr& last_words, std::string& words) {
  if (last_words == nullptr) return {};
  try {
    std::rethrow_exception(last_words);
  } catch (const Error& error) {
    if (error.Place().file.empty()) words = error.Problem();
    return {.file = error.Place().file, .line = error.Place().line};
  } catch (...) {
    return {};
  }
}

}  // namespace

int IsolatedProcess::Spins() {
  return running.load() < std::thread::hardware_concurrency() ? 4000 : 0;
}

std::shared_ptr<IsolatedProcess> IsolatedProcess::Start(const IsolationLimits& limits, std::string who) {
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  SharedMemory rows = SharedMemory::Create();
  auto worker = std::make_unique<WorkerProcess>(std::vector<std::string>{kComponentHost.Find()}, nullptr, page, rows,
                                                limits.memory);
  const auto transport = [&page](int socket, IsPeerAlive is_alive) {
    return std::make_unique<SharedPage>(Side::Parent, std::move(page), socket, std::move(is_alive));
  };
  return std::shared_ptr<IsolatedProcess>(
      new IsolatedProcess(std::move(worker), std::move(who), transport, std::move(rows), limits));
}

/// Notes, at its end, that the worker has the answer to its question.
struct IsolatedProcess::Answering {
  IsolatedProcess& process;
  const StateWriter& reply;
  ~Answering() { process.NoteSent(reply.Bytes().size()); }
};

IsolatedProcess::IsolatedProcess(std::unique_ptr<WorkerProcess> worker, std::string who, const MakeTransport& transport,
                                 SharedMemory rows, const IsolationLimits& limits)
    : worker_(std::move(worker)),
      who_(std::move(who)),
      limits_(limits),
      window_(std::move(rows)),
      channel_(transport(worker_->Socket(), [this] { return IsAlive(); }),
               [this](ByteView request, StateWriter& reply) {
                 StateReader reader(request);
                 const std::int64_t kind = reader.ReadInteger();
                 const auto server = servers_.find(reader.ReadInteger());
                 if (server == servers_.end()) throw RangeError({}, "expected a request of a component, found another");
                 ++asked_back_;
                 NoteReceived(request.size());
                 const Answering answering{*this, reply};
                 server->second(kind, reader, reply);
               }) {
  window_.Carrier().CarryOver(channel_);
  channel_.SetOnLetter([this](bool is_sent) { places_.Settle(is_sent); });
  ++running;
  channel_.SetTimeLimit(limits.time);
  channel_.SetSpins(Spins());
}

IsolatedProcess::~IsolatedProcess() {
  if (End().empty()) --running;
  record_->times->End(record_->number);
  record_->has_ended = true;
}

void IsolatedProcess::NoteSent(std::size_t bytes) {
  record_->figures.messages_to += bytes;
  record_->times->Begin(record_->number);
}

void IsolatedProcess::NoteReceived(std::size_t bytes) {
  record_->figures.messages_from += bytes;
  record_->times->End(record_->number);
}

void IsolatedProcess::ReadWork(StateReader& reader) {
  WorkerFigures& figures = record_->figures;
  const auto waits = paths_.ReadCounts(reader, figures);
  const double computing = reader.ReadDouble();
  record_->times->Correct(record_->number, computing - std::exchange(reported_.computing, computing), waits);
  const std::uint64_t to = window_.Carrier().SentBytes();
  const std::uint64_t from = window_.Carrier().ReceivedBytes();
  figures.rows_to += to - std::exchange(reported_.rows_to, to);
  figures.rows_from += from - std::exchange(reported_.rows_from, from);
}

std::int64_t IsolatedProcess::AddInstance(Server server) {
  const auto lock = Lock();
  servers_[next_instance_] = std::move(server);
  return next_instance_++;
}

void IsolatedProcess::RemoveInstance(std::int64_t instance) {
  const auto lock = Lock();
  servers_.erase(instance);
  if (!IsAlive()) return;
  StateWriter request;
  request.Write(static_cast<std::int64_t>(HostRequest::Drop));
  request.Write(instance);
  const bool has_limit = limits_.time.count() > 0;
  if (!has_limit) limits_.time = kDestroyingTime;
  channel_.SetTimeLimit(limits_.time);
  try {
    Call(request);
  } catch (...) {  // the connection is closed in any case
  }
  if (has_limit) return;
  limits_.time = {};
  channel_.SetTimeLimit(limits_.time);
}

void IsolatedProcess::TakeGreeting() {
  const std::string ours = GreetingText(kComponentHost.name, HostBuildText());
  std::string theirs;
  is_greeted_ = true;
  if (worker_->TakeGreeting(ours, theirs)) return;
  --running;
  if (worker_->IsElsewhere()) {
    throw FileError(
        {}, fmt::format("expected {} to be of the build of this host ({}), found {}", who_, ours.c_str(), theirs),
        "install the same build on both, or name its command there (--worker)");
  }
  throw FileError(
      {.file = kComponentHost.Find()},
      fmt::format("expected the program of this build ({}), found {}", ours.c_str(), theirs),
      fmt::format("install the programs and libraries of one build together, or correct {}", kComponentHost.variable));
}

template <class Talk>
auto IsolatedProcess::Talking(Talk&& talk) {
  const HostWork waits;  // while waiting for another process: that process is ended, not the call of this thread
  bool was_silent = false;
  Where place;
  std::string words;
  if (End().empty()) {
    try {
      if (!is_greeted_) TakeGreeting();
      return talk();
    } catch (const Channel::PeerGone&) {
      if (const std::string why = channel_.Transport().WhyGone(); !why.empty()) worker_->Kill(why);
    } catch (const Channel::PeerSilent&) {
      was_silent = true;
      worker_->AskWhere();
      place = PlaceOf(channel_.LastWords(kLastWords), words);
    }
    TakeEnd(was_silent);
  }
  if (words.empty()) words = channel_.WordsLeft();
  throw ModelError(
      place, fmt::format("expected {} to answer, found that it {}{}{}", who_, End(), words.empty() ? "" : ": ", words),
      worker_->IsElsewhere()
          ? "see whether that host is there and what the component did; a run with checkpoints goes on "
            "with --resume, on other hosts too"
          : "correct the component");
}

std::shared_ptr<IsolatedProcess> IsolatedProcess::Join(std::unique_ptr<WorkerProcess> worker, std::string who,
                                                       const IsolationLimits& limits,
                                                       std::shared_ptr<std::atomic<bool>> lost) {
  const auto transport = [](int socket, IsPeerAlive is_alive) {
    return std::make_unique<TcpTransport>(Side::Parent, socket, std::move(is_alive));
  };
  const std::shared_ptr<IsolatedProcess> process(
      new IsolatedProcess(std::move(worker), std::move(who), transport, SharedMemory::Create(), limits));
  process->lost_ = std::move(lost);
  process->Talking([] {});  // takes the greeting
  return process;
}

ByteView IsolatedProcess::Await() {
  try {
    const ByteView reply = channel_.Await();
    NoteReceived(reply.size());
    return reply;
  } catch (...) {
    NoteReceived(0);
    throw;
  }
}

StateReader IsolatedProcess::Call(const StateWriter& request) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  return Talking([&] {
    NoteSent(request.Bytes().size());
    channel_.Post(request.Bytes());
    return StateReader(Await());
  });
}

StateReader IsolatedProcess::CallWith(const StateWriter& request, int descriptor) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  return Talking([&] {
    const auto soon = std::chrono::steady_clock::now() + kMomentToPass;
    if (descriptor >= 0) channel_.Transport().SendDescriptor(descriptor, soon);
    NoteSent(request.Bytes().size());
    channel_.Post(request.Bytes());
    return StateReader(Await());
  });
}

void IsolatedProcess::FetchRows(std::span<const std::span<const double>> rows) {
  const auto lock = Lock();
  StateWriter request;
  request.Write(static_cast<std::int64_t>(HostRequest::FetchRows));
  request.Write(std::int64_t{0});
  request.Write(static_cast<std::int64_t>(rows.size()));
  for (const std::span<const double> row : rows) {
    request.Write(static_cast<std::int64_t>(window_.OffsetOf(row.data()).value_or(0)));
    request.Write(static_cast<std::int64_t>(row.size()));
  }
  Call(request);
  for (const std::span<const double> row : rows) {
    if (const auto place = window_.OffsetOf(row.data())) window_.Carrier().Receive(window_.At(*place, row.size()));
  }
}

void IsolatedProcess::Post(const StateWriter& request, std::function<void()> take_reply) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  Talking([&] {
    NoteSent(request.Bytes().size());
    channel_.Post(request.Bytes());
  });
  take_reply_ = std::move(take_reply);
}

StateReader IsolatedProcess::TakeReply() {
  take_reply_ = nullptr;
  return Talking([this] { return StateReader(Await()); });
}

std::optional<std::size_t> IsolatedProcess::WaitForAny(std::span<IsolatedProcess* const> posted,
                                                       std::chrono::milliseconds longest) {
  const std::chrono::milliseconds slice = std::min(longest, std::chrono::milliseconds(20));
  const auto until = std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(longest, kForEver);
  thread_local std::vector<ITransport*> transports;  // used again, so that nothing is allocated
  transports.clear();
  for (const IsolatedProcess* process : posted) transports.push_back(&process->channel_.Transport());
  while (true) {
    if (const auto ready = std::ranges::find_if(transports, &ITransport::HasLetter); ready != transports.end()) {
      return static_cast<std::size_t>(ready - transports.begin());
    }
    for (std::size_t i = 0; i < posted.size(); ++i) {
      if (!posted[i]->IsPosted() || !posted[i]->IsAlive() || posted[i]->channel_.IsLate()) return i;
    }
    if (longest.count() <= 0 || std::chrono::steady_clock::now() > until) return std::nullopt;
    WaitForLetters(transports, slice);
  }
}

void IsolatedProcess::EndIfLate(const std::string& why) {
  const std::uint64_t work = channel_.PeerWork();
  if (work != 0 && late_work_.exchange(work) == work) worker_->Kill(why);
}

void IsolatedProcess::TakeEnd(bool was_silent) {
  if (!End().empty()) return;
  worker_->TakeEnd(was_silent, limits_.time);
  --running;
  if (lost_) *lost_ = true;
  NoteReceived(0);
  record_->figures.lost_after = record_->times->SecondsNow();
  record_->has_ended = true;
}

}  // namespace openmi
