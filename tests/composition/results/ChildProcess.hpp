#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <optional>
#include <stdexcept>

namespace openmi {

/// A child process of a test, which tells numbers through a pipe and is killed at the end.
class ChildProcess {
 public:
  class Reporter {
   public:
    explicit Reporter(int pipe) : pipe_(pipe) {}
    void Report(double number) {
      if (write(pipe_, &number, sizeof number) != sizeof number) _exit(1);
    }

   private:
    int pipe_;
  };

  explicit ChildProcess(const std::function<void(Reporter&)>& work) {
    int ends[2] = {};
    if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    process_ = fork();
    if (process_ < 0) throw std::runtime_error("fork failed");
    if (process_ == 0) {
      close(ends[0]);
      Reporter reporter(ends[1]);
      try {
        work(reporter);
      } catch (const std::exception& error) {
        fprintf(stderr, "child: %s\n", error.what());
        _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    pipe_ = ends[0];
  }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;
  ~ChildProcess() {
    Kill();
    close(pipe_);
  }

  pid_t Number() const { return process_; }

  /// The next number told, waited for; nothing where the child has ended.
  std::optional<double> Next() const {
    double number = 0.0;
    return read(pipe_, &number, sizeof number) == sizeof number ? std::optional(number) : std::nullopt;
  }

  /// Sends SIGKILL and waits for the end.
  void Kill() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
  int pipe_ = -1;
};

}  // namespace openmi
