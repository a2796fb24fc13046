#include "studio/LiveRun.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <utility>

#include "composition/control/ControlAddress.hpp"
#include "composition/control/ControlClient.hpp"
#include "openmi/omi/Spawn.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"
#include "timespace/times/Iso8601.hpp"

namespace openmi {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

constexpr auto kBetweenValues = std::chrono::milliseconds(200);
constexpr auto kBetweenProgress = std::chrono::milliseconds(100);
constexpr std::size_t kMostWatched = 50;
constexpr std::ptrdiff_t kMostElements = 200;  // of an item, in what is reported of its values
constexpr std::ptrdiff_t kMostOnMap = 2000;    // of one that is shown on a map
constexpr auto kBetweenBalances = std::chrono::seconds(1);
constexpr std::size_t kLongestLine = 1 << 22;  // bytes
constexpr auto kPatience = std::chrono::seconds(60);

// Calls `visit` with each line that comes from `descriptor` until its end.
void EachLine(int descriptor, const std::function<void(const std::string&)>& visit) {
  std::string rest;
  char bytes[8192];
  for (ssize_t count = 0; (count = read(descriptor, bytes, sizeof(bytes))) > 0;) {
    rest.append(bytes, static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = rest.find('\n', begin)) != std::string::npos; begin = end + 1) {
      visit(rest.substr(begin, end - begin));
    }
    rest.erase(0, begin);
    if (rest.size() > kLongestLine) rest.clear();
  }
  if (!rest.empty()) visit(rest);
}

}  // namespace

LiveRun::LiveRun(Settings settings, Report report) : settings_(std::move(settings)), report_(std::move(report)) {
  static std::atomic<int> count = 0;
  socket_ = ControlFolder() / fmt::format("studio-{}-{}.sock", getpid(), ++count);
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0) throw FileError({}, "cannot start a run: too many files are open");
  if (pipe2(err, O_CLOEXEC) != 0) {
    close(out[0]);
    close(out[1]);
    throw FileError({}, "cannot start a run: too many files are open");
  }
  std::vector<std::string> argv = {settings_.program,
                                   "run",
                                   settings_.composition.string(),
                                   "--control=" + socket_.string(),
                                   "--paused",
                                   "--progress",
                                   "json",
                                   "--results",
                                   settings_.results.string()};
  if (std::filesystem::exists(settings_.results)) argv.emplace_back("--resume");
  out_ = out[0];
  err_ = err[0];
  try {
    pid_ = SpawnChild(argv, {{out[1], 1}, {err[1], 2}}, 0);
  } catch (...) {
    for (const int descriptor : {out[0], out[1], err[0], err[1]}) close(descriptor);
    throw;
  }
  close(out[1]);
  close(err[1]);
  log_ = std::thread([this] { ReadLog(); });
  values_ = std::thread([this] { WatchValues(); });
  progress_ = std::thread([this] { ReadProgress(); });
}

void LiveRun::Kill() {
  {
    const std::lock_guard lock(mutex_);
    is_leaving_ = true;
    if (!is_over_.load()) kill(-pid_, SIGKILL);
  }
  EndRunTo();
  changed_.notify_all();
}

LiveRun::~LiveRun() {
  Kill();
  for (std::thread* thread : {&log_, &progress_, &values_}) thread->join();
  close(out_);
  close(err_);
  std::error_code ignored;
  std::filesystem::remove(socket_, ignored);  // a run that was killed leaves it
}

void LiveRun::ReadProgress() {
  Clock::time_point last = Clock::now() - kBetweenProgress;
  std::optional<Json> held;
  Json end = nullptr;
  EachLine(out_, [&](const std::string& line) {
    Json event = Json::parse(line, nullptr, false);
    if (!event.is_object()) return;
    const std::string kind = event.value("event", "");
    if (kind == "end") {
      end = std::move(event);
      end.erase("event");
      return;
    }
    if (kind != "progress") return report_(std::move(event));
    held = std::move(event);
    if (Clock::now() - last < kBetweenProgress) return;
    last = Clock::now();
    report_(std::move(*held));
    held.reset();
  });
  if (held) report_(std::move(*held));
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  {
    const std::lock_guard lock(mutex_);  // from now on the destructor leaves its number alone
    is_over_ = true;
  }
  changed_.notify_all();
  const ChildResult result = EndChild(pid_);
  report_({{"event", "run"},
           {"state", "over"},
           {"code", result.exit_code},
           {"sentence", result.Sentence()},
           {"results", settings_.results.string()},
           {"record", std::move(end)}});
}

void LiveRun::ReadLog() {
  constexpr std::size_t kMostLines = 2000;
  std::size_t count = 0;
  EachLine(err_, [&](const std::string& line) {
    if (line.starts_with("listening at ") || ++count > kMostLines) return;
    report_({{"event", "log"}, {"line", PrintableText(line.substr(0, 2000))}});
  });
}

void LiveRun::Watch(LiveWatch watched) {
  for (auto* list : {&watched.items, &watched.maps}) list->resize(std::min(list->size(), kMostWatched));
  {
    const std::lock_guard lock(mutex_);
    watched_ = std::move(watched);
  }
  changed_.notify_all();
}

nlohmann::json LiveRun::Ask(const nlohmann::json& request) {
  ControlClient client({.socket = socket_, .port = 0, .token = {}});
  return nlohmann::json::parse(client.Ask(request.dump(), kPatience), nullptr, false);
}

void LiveRun::RunTo(double mjd) {
  const int wanted = ++run_to_;
  ControlClient client({.socket = socket_, .port = 0, .token = {}});
  while (run_to_.load() == wanted && !is_over_.load()) {
    const nlohmann::json status = nlohmann::json::parse(client.Ask(R"({"do":"status"})", kPatience), nullptr, false);
    if (!status.is_object() || status.value("state", "over") == "over") return;
    const nlohmann::json now = status.value("now", nlohmann::json());
    if (now.is_string() && ParseIsoTime(now.get<std::string>()).mjd >= mjd - 1e-9) return;
    const nlohmann::json step = nlohmann::json::parse(client.Ask(R"({"do":"step"})", kPatience), nullptr, false);
    if (!step.is_object() || !step.value("ok", false)) return;
  }
}

void LiveRun::WatchValues() {
  std::optional<ControlClient> client;
  const auto is_ending = [this] { return is_leaving_ || is_over_.load(); };
  while (!client) {
    {
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, std::chrono::milliseconds(20), is_ending)) return;
    }
    if (!IsListenedAt(socket_)) continue;
    try {
      client.emplace(ControlAddress{.socket = socket_, .port = 0, .token = {}});
    } catch (const Error&) {  // it ends, or does not listen yet
      continue;
    }
  }
  std::map<std::string, Json> last;  // what was reported
  Clock::time_point last_balances = Clock::now() - kBetweenBalances;
  bool is_first = true;
  try {
    while (true) {
      LiveWatch watched;
      {
        std::unique_lock lock(mutex_);
        const auto is_asked = [&] { return watched_.balances || !watched_.items.empty() || !watched_.maps.empty(); };
        if (!is_first) changed_.wait(lock, [&] { return is_ending() || is_asked(); });
        if (is_ending()) return;
        watched = watched_;
      }
      std::vector<std::string> items = watched.items;
      items.insert(items.end(), watched.maps.begin(), watched.maps.end());
      if (watched.balances && Clock::now() - last_balances >= kBetweenBalances) {
        last_balances = Clock::now();
        Json balances = Json::parse(client->Ask(R"({"do":"balances"})", kPatience), nullptr, false);
        balances["event"] = "balances";
        report_(std::move(balances));
      }
      Json values = Json::object();
      if (!items.empty()) {
        const Json answer = Json::parse(
            client->Ask(nlohmann::json{{"do", "values"}, {"items", items}}.dump(), kPatience), nullptr, false);
        const Json found = answer.value("items", Json::object());
        for (const auto& [item, given] : found.items()) {
          if (!given.value("ok", true) || last[item] == given) continue;
          last[item] = given;
          Json& shown = values[item] = given;
          shown["count"] = given["values"].size();
          const std::ptrdiff_t most = std::ranges::count(watched.maps, item) > 0 ? kMostOnMap : kMostElements;
          if (std::ssize(given["values"]) <= most) continue;
          shown["values"] = Json(Json::array_t(given["values"].begin(), given["values"].begin() + most));
        }
      }
      if (!values.empty()) report_({{"event", "values"}, {"items", std::move(values)}});
      if (is_first) {
        is_first = false;
        const Json status = Json::parse(client->Ask(R"({"do":"status"})", kPatience), nullptr, false);
        report_({{"event", "run"}, {"state", settings_.starts_paused ? "paused" : "running"}, {"status", status}});
        if (!settings_.starts_paused) (void)client->Ask(R"({"do":"resume"})", kPatience);
      }
      std::unique_lock lock(mutex_);
      if (changed_.wait_for(lock, kBetweenValues, is_ending)) return;
    }
  } catch (const Error&) {  // the run is over
  }
}

}  // namespace openmi
