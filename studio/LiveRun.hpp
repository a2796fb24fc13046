#pragma once

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace openmi {

/// What is asked of a run while it goes on.
struct LiveWatch {
  std::vector<std::string> items = {};  ///< "component.item" each, at most 50; of each, at most 200 elements are sent
  std::vector<std::string> maps = {};   ///< those of which 2 000 elements are sent
  bool balances = false;                ///< once a second
};

/// A run of a composition in a process of its own, which is watched and controlled through its control socket.
///
/// The values of watched items are asked five times a second by a thread of this object; a run without watched items is
/// not asked at all. What a page does or fails to do never reaches the run.
class LiveRun {
 public:
  struct Settings {
    std::string program;  ///< the command `openmi`
    std::filesystem::path composition;
    std::filesystem::path results;  ///< a folder that does not exist yet, or that of a run to resume
    bool starts_paused = false;
  };
  /// Receives what happens, from threads of this object: `{"event":"run","state":...}`, `progress`, `values`,
  /// `balances`, `log`.
  using Report = std::function<void(nlohmann::ordered_json event)>;

  /// Starts the run.
  /// \throws FileError  the program could not be started
  LiveRun(Settings settings, Report report);
  /// Kills the run if it is not over.
  ~LiveRun();
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  /// Ends the run at once, so that no call waits for it any more.
  void Kill();
  bool IsOver() const { return is_over_.load(); }
  /// Sets what is asked from now on.
  void Watch(LiveWatch watched);
  /// Sends one request of docs/control.md and waits for the answer, which comes between two passes.
  nlohmann::json Ask(const nlohmann::json& request);
  /// Steps until the run has reached a time, or is over, or `Pause` or another request came.
  /// \param mjd  days since 1858-11-17, UTC
  void RunTo(double mjd);
  /// Ends what RunTo does.
  void EndRunTo() { ++run_to_; }

 private:
  void ReadProgress();
  void ReadLog();
  void WatchValues();

  Settings settings_;
  Report report_;
  std::filesystem::path socket_;
  pid_t pid_ = -1;
  int out_ = -1;
  int err_ = -1;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> run_to_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_leaving_ = false;
  LiveWatch watched_;
  std::thread log_;
  std::thread progress_;
  std::thread values_;
};

}  // namespace openmi
