#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace openmi {

/// Talks to all pieces of a joined component at the same time: one thread a piece. What pieces ask meanwhile is done on
/// the caller's thread.
///
/// If a rank fails, the others may wait for it for ever, in MPI. They get a few seconds to come back; then all of them
/// are ended.
class JoinedThreads {
 public:
  struct Failure {
    std::size_t piece;
    std::exception_ptr error;
  };
  /// How long ranks may go on after another one failed.
  static constexpr std::chrono::seconds kPatience{2};

  /// \param end  ends the processes of all pieces; null: none waits for another
  JoinedThreads(std::size_t pieces, std::function<void()> end);
  ~JoinedThreads();
  JoinedThreads(const JoinedThreads&) = delete;
  JoinedThreads& operator=(const JoinedThreads&) = delete;

  std::size_t Count() const { return threads_.size(); }
  /// Does a job for each piece, on its thread.
  /// \param is_late  whether a piece has failed before: the time of kPatience begins at once
  /// \returns what the jobs threw, in the order of time
  std::vector<Failure> Run(const std::function<void(std::size_t piece)>& job, bool is_late = false);
  /// From within a job: has something done on the thread that called Run, and waits for it. From elsewhere: does it.
  /// Throws what that throws.
  void Ask(const std::function<void()>& question);

 private:
  struct Question {
    const std::function<void()>& work;
    std::exception_ptr error;
    bool is_done = false;
  };
  void Work(std::size_t piece);

  std::function<void()> end_;
  std::mutex mutex_;
  std::condition_variable for_pieces_;
  std::condition_variable for_caller_;
  const std::function<void(std::size_t)>* job_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t left_ = 0;  // pieces that are not done with the job
  bool is_over_ = false;
  std::deque<Question*> questions_;
  std::vector<Failure> failures_;
  std::vector<std::thread> threads_;
};

}  // namespace openmi
