#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <vector>

namespace bench {

inline double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Processor time of this thread that `work` takes, in seconds: what others do on the machine hardly counts.
template <typename Work>
double CpuSeconds(Work&& work) {
  const double begin = Seconds(CLOCK_THREAD_CPUTIME_ID);
  work();
  return Seconds(CLOCK_THREAD_CPUTIME_ID) - begin;
}

/// Time on the wall that `work` takes, in seconds.
template <typename Work>
double WallSeconds(Work&& work) {
  const double begin = Seconds(CLOCK_MONOTONIC);
  work();
  return Seconds(CLOCK_MONOTONIC) - begin;
}

inline double Median(std::vector<double> numbers) {
  std::ranges::sort(numbers);
  return numbers[numbers.size() / 2];
}

/// What a child process found, and the most memory it had.
struct Measured {
  std::array<double, 4> numbers{};
  double peak_megabytes = 0.0;
};

/// Runs `work(numbers)` in a process of its own, so that its memory is its own.
template <typename Work>
Measured InChild(Work&& work) {
  int ends[2] = {};
  if (pipe(ends) != 0) throw std::runtime_error("expected a pipe, found none");
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("expected a process, found none");
  Measured measured;
  if (child == 0) {
    close(ends[0]);
    work(measured.numbers);
    const auto size = static_cast<ssize_t>(sizeof(measured.numbers));
    _exit(write(ends[1], measured.numbers.data(), sizeof(measured.numbers)) == size ? 0 : 1);
  }
  close(ends[1]);
  const ssize_t got = read(ends[0], measured.numbers.data(), sizeof(measured.numbers));
  close(ends[0]);
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  if (got != static_cast<ssize_t>(sizeof(measured.numbers)) || status != 0) {
    throw std::runtime_error("expected figures from a child process, found that it failed");
  }
  measured.peak_megabytes = static_cast<double>(usage.ru_maxrss) / 1024.0;
  return measured;
}

}  // namespace bench
