#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/sdk/Problem.hpp"
#include "study/run/StudyTask.hpp"

namespace openmi {

/// What a worker gets before its first member.
struct StudySetup {
  std::string study_text;
  std::filesystem::path study_path;
  std::string composition_text;
  std::filesystem::path composition_path;
  std::filesystem::path folder;         ///< for what members write
  std::filesystem::path branch_folder;  ///< for the states of a Branch
  Variables variables;
  WorkersSpec limits;
  bool repeats_shapes = false;  ///< each reply has all shapes: its worker does not know which replies arrived

  /// Paths are saved as absolute ones.
  void Save(StateWriter& writer) const;
  /// \throws FormatError
  void Load(StateReader& reader);
};

/// A process that runs members, one after another, and stays in between.
class StudyWorker {
 public:
  /// Starts the process.
  /// \throws FileError  the program does not exist, or cannot be started
  explicit StudyWorker(const StudySetup& setup);
  /// Talks to a process on another host, which is connected.
  StudyWorker(const StudySetup& setup, std::unique_ptr<WorkerProcess> connected);
  StudyWorker(const StudyWorker&) = delete;
  StudyWorker& operator=(const StudyWorker&) = delete;

  /// How the process ended while it worked.
  struct Gone {
    std::string how;       ///< "was killed by signal 11 (Segmentation fault)"
    bool is_late = false;  ///< it exceeded the time limit
    /// By SIGKILL from outside, or because memory was short, or its host may be lost: not certainly by its member.
    bool is_killed = false;
  };
  /// Checks a member; waits for the answer.
  /// \throws Gone, Error
  Problems Check(const MemberValues& values, const std::vector<MemberValues>& tried);
  /// Makes the states from which members begin; waits until they are there.
  /// \throws Gone, Error
  Problems Branch();
  /// Starts a task.
  void Post(StudyTask task);
  /// Waits for the task that was started. If the process ended, the reply says how.
  StudyReply Take();
  /// Whether another process is to take the next task: it ended, a member failed in it and may have left its libraries
  /// in an unknown state, or it has run as many members as the study allows.
  bool IsSpent() const { return is_spent_; }
  const StudyTask& Task() const { return task_; }

  /// Waits until one of the workers, each with a member, has an answer, has ended or is late; at most `longest`.
  /// \returns its index
  static std::optional<std::size_t> WaitForAny(std::span<StudyWorker* const> busy, std::chrono::milliseconds longest);

  /// Starts a process, and tries again if it ends at once, as from a signal.
  /// \throws FileError  the program does not exist, or it ends whenever it is started
  static std::unique_ptr<StudyWorker> Start(const StudySetup& setup);

 private:
  using MakeTransport = std::function<std::unique_ptr<ITransport>(int socket, IsPeerAlive is_alive)>;
  StudyWorker(const StudySetup& setup, SharedMemory page);
  StudyWorker(const StudySetup& setup, std::unique_ptr<WorkerProcess> process, const MakeTransport& transport);
  template <class Talk>
  auto Talking(Talk&& talk);
  void SetUp(const StudySetup& setup);
  [[noreturn]] void ThrowGone(bool was_silent);

  std::chrono::milliseconds limit_;
  std::unique_ptr<WorkerProcess> process_;
  Channel channel_;
  std::exception_ptr failed_to_post_;
  StudyTask task_;
  std::chrono::steady_clock::time_point posted_;
  std::uint64_t left_;  ///< members that it may still run
  bool is_spent_ = false;
};

}  // namespace openmi
