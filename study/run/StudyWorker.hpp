#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "composition/channel/Channel.hpp"
#include "composition/channel/WorkerProcess.hpp"
#include "composition/link/Variables.hpp"
#include "openmi/sdk/Problem.hpp"
#include "study/run/MemberResult.hpp"

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
};

/// A process that runs members, one after another, and stays in between.
class StudyWorker {
 public:
  /// Starts the process.
  /// \throws FileError  the program does not exist, or cannot be started
  explicit StudyWorker(const StudySetup& setup);
  StudyWorker(const StudyWorker&) = delete;
  StudyWorker& operator=(const StudyWorker&) = delete;

  /// How the process ended while it worked.
  struct Gone {
    std::string how;         ///< "was killed by signal 11 (Segmentation fault)"
    bool is_late = false;    ///< it exceeded the time limit
    bool is_killed = false;  ///< by SIGKILL from outside, or because memory was short: not certainly by its member
  };
  /// What a member left, with what was new to this process.
  struct Reply {
    MemberResult result;
    std::vector<std::string> shapes;  ///< bytes; empty: sent before
    std::vector<Observation> observations;
  };

  /// Checks a member; waits for the answer.
  /// \throws Gone, Error
  Problems Check(const MemberValues& values, const std::vector<MemberValues>& tried);
  /// Makes the states from which members begin; waits until they are there.
  /// \throws Gone, Error
  Problems Branch();
  /// Starts a member.
  void Post(std::uint64_t member, const MemberValues& values);
  /// Waits for the member that was started.
  /// \throws Gone, Error
  Reply Take();

  /// Waits until one of the workers, each with a member, has an answer, has ended or is late; at most `longest`.
  /// \returns its index
  static std::optional<std::size_t> WaitForAny(std::span<StudyWorker* const> busy, std::chrono::milliseconds longest);

  int ProcessId() const { return process_.Id(); }
  std::uint64_t Taken() const { return taken_; }

 private:
  template <class Talk>
  auto Talking(Talk&& talk);
  void SetUp(const StudySetup& setup);
  [[noreturn]] void ThrowGone(bool was_silent);

  SharedMemory page_;  // passed on to the channel
  std::chrono::milliseconds limit_;
  WorkerProcess process_;
  Channel channel_;
  std::exception_ptr failed_to_post_;
  std::uint64_t taken_ = 0;
};

}  // namespace openmi
