#include "composition/isolation/IsolatedProcess.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include "composition/channel/Greeting.hpp"
#include "composition/channel/TcpTransport.hpp"
#include "composition/isolation/Protocol.hpp"
#include "composition/threads/CurrentComponent.hpp"
#include "openmi/omi/BuildText.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi {
namespace {

constexpr char kProgram[] = "openmi-component-host";
constexpr char kRankProgram[] = "openmi-rank-host";
constexpr char kVariable[] = "OPENMI_COMPONENT_HOST";
constexpr std::chrono::milliseconds kLastWords{500};
constexpr std::chrono::hours kForEver{24 * 365};
constexpr std::chrono::microseconds kMoment{200};
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

std::string IsolatedProcess::FindProgram() {
  if (const char* named = std::getenv(kVariable); named != nullptr && *named != '\0') return named;
  std::vector<std::filesystem::path> places;
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&IsolatedProcess::FindProgram), &info) != 0 && info.dli_fname != nullptr) {
    std::error_code error;
    const auto folder = std::filesystem::canonical(info.dli_fname, error).parent_path();
    places = {folder / ".." / "bin" / kProgram, folder / kProgram, folder / ".." / ".." / "bin" / kProgram};
  }
  for (const auto& place : places) {
    if (access(place.c_str(), X_OK) == 0) return place.lexically_normal().string();
  }
  throw FileError({.file = kProgram},
                  "expected the program that holds components in a process of their own, found none beside the runtime",
                  fmt::format("install it, or name it in the environment variable {}", kVariable));
}

std::string IsolatedProcess::FindRankProgram() {
  const std::string path = std::filesystem::path(FindProgram()).replace_filename(kRankProgram).string();
  if (access(path.c_str(), X_OK) == 0) return path;
  throw FileError(
      {.file = path}, "expected a build with MPI, for Ranks, found one without",
      "install the package openmi2-mpi, or build with OPENMI_WITH_MPI and an MPI (libopenmpi-dev), or leave out Ranks");
}

std::shared_ptr<IsolatedProcess> IsolatedProcess::Start(const IsolationLimits& limits) {
  SharedMemory page = SharedMemory::Create();
  page.Grow(Channel::PageSize());
  SharedMemory rows = SharedMemory::Create();
  auto worker =
      std::make_unique<WorkerProcess>(std::vector<std::string>{FindProgram()}, nullptr, page, rows, limits.memory);
  const auto transport = [&page](int socket, IsPeerAlive is_alive) {
    return std::make_unique<SharedPage>(Side::Parent, std::move(page), socket, std::move(is_alive));
  };
  return std::shared_ptr<IsolatedProcess>(
      new IsolatedProcess(std::move(worker), "the component's own process", transport, std::move(rows), limits));
}

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
                 server->second(kind, reader, reply);
               }) {
  window_.Carrier().CarryOver(channel_);
  ++running;
  channel_.SetTimeLimit(limits.time);
  channel_.SetSpins(Spins());
}

IsolatedProcess::~IsolatedProcess() {
  if (End().empty()) --running;
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
  const std::string ours = GreetingText(kProgram, HostBuildText());
  std::string theirs;
  is_greeted_ = true;
  if (worker_->TakeGreeting(ours, theirs)) return;
  --running;
  if (worker_->IsElsewhere()) {
    throw FileError(
        {}, fmt::format("expected {} to be of the build of this host ({}), found {}", who_, ours.c_str(), theirs),
        "install the same build on both, or name its command there (--worker)");
  }
  throw FileError({.file = FindProgram()},
                  fmt::format("expected the program of this build ({}), found {}", ours.c_str(), theirs),
                  fmt::format("install the programs and libraries of one build together, or correct {}", kVariable));
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
      "correct the component; its last values stay");
}

std::shared_ptr<IsolatedProcess> IsolatedProcess::Join(std::unique_ptr<WorkerProcess> worker, std::string who,
                                                       const IsolationLimits& limits) {
  const auto transport = [](int socket, IsPeerAlive is_alive) {
    return std::make_unique<TcpTransport>(Side::Parent, socket, std::move(is_alive));
  };
  const std::shared_ptr<IsolatedProcess> process(
      new IsolatedProcess(std::move(worker), std::move(who), transport, SharedMemory::Create(), limits));
  process->Talking([] {});  // takes the greeting
  return process;
}

StateReader IsolatedProcess::Call(const StateWriter& request) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  return Talking([&] { return StateReader(channel_.Call(request.Bytes())); });
}

void IsolatedProcess::Post(const StateWriter& request, std::function<void()> take_reply) {
  if (IsPosted()) std::exchange(take_reply_, nullptr)();
  Talking([&] { channel_.Post(request.Bytes()); });
  take_reply_ = std::move(take_reply);
}

StateReader IsolatedProcess::TakeReply() {
  take_reply_ = nullptr;
  return Talking([this] { return StateReader(channel_.Await()); });
}

std::optional<std::size_t> IsolatedProcess::WaitForAny(std::span<IsolatedProcess* const> posted,
                                                       std::chrono::milliseconds longest) {
  const std::chrono::milliseconds slice = std::min(longest, std::chrono::milliseconds(20));
  const auto until = std::chrono::steady_clock::now() + std::min<std::chrono::milliseconds>(longest, kForEver);
  std::vector<Doorbell::Awaited> bells;
  std::vector<pollfd> sockets;
  for (const IsolatedProcess* process : posted) {
    ITransport& transport = process->channel_.Transport();
    if (transport.Descriptor() >= 0) {
      sockets.push_back({transport.Descriptor(), POLLIN, 0});
    } else {
      bells.push_back(transport.NextLetter());
    }
  }
  while (true) {
    for (std::size_t i = 0; i < posted.size(); ++i) {
      if (posted[i]->channel_.Transport().HasLetter()) return i;
    }
    for (std::size_t i = 0; i < posted.size(); ++i) {
      if (!posted[i]->IsPosted() || !posted[i]->IsAlive() || posted[i]->channel_.IsLate()) return i;
    }
    if (longest.count() <= 0 || std::chrono::steady_clock::now() > until) return std::nullopt;
    // Nothing in the system waits for both kinds: those of this host are looked at again after a moment.
    if (!bells.empty()) Doorbell::WaitForAny(bells, sockets.empty() ? slice : kMoment);
    if (!sockets.empty()) poll(sockets.data(), sockets.size(), bells.empty() ? static_cast<int>(slice.count()) : 0);
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
}

}  // namespace openmi
