#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace bench {

inline double Seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Seconds that `clock` counts while `work` runs.
template <typename Work>
double SecondsOf(clockid_t clock, Work&& work) {
  const double begin = Seconds(clock);
  work();
  return Seconds(clock) - begin;
}

/// Processor time of this thread that `work` takes, in seconds: what others do on the machine hardly counts.
template <typename Work>
double CpuSeconds(Work&& work) {
  return SecondsOf(CLOCK_THREAD_CPUTIME_ID, work);
}

/// Elapsed time that `work` takes, in seconds.
template <typename Work>
double WallSeconds(Work&& work) {
  return SecondsOf(CLOCK_MONOTONIC, work);
}

/// The middle one of `numbers`; of an even count the mean of the two in the middle.
inline double Median(std::vector<double> numbers) {
  if (numbers.empty()) throw std::logic_error("expected figures to take the median of, found none");
  std::ranges::sort(numbers);
  const std::size_t half = numbers.size() / 2;
  return numbers.size() % 2 == 1 ? numbers[half] : 0.5 * (numbers[half - 1] + numbers[half]);
}

/// Figures of two sides that were measured in turn, one pair a round. Judged are the medians of what the pairs say.
struct Pairs {
  std::vector<double> ours;
  std::vector<double> limit;

  void Add(double our_figure, double limit_figure) {
    ours.push_back(our_figure);
    limit.push_back(limit_figure);
  }
  double Ours() const { return Median(ours); }
  double Limit() const { return Median(limit); }
  double Ratio() const {
    return MedianOf([](double a, double b) { return a / b; });
  }
  /// The same as rates, where the figures are times: `amount` over each.
  Pairs Rates(double amount = 1.0) const {
    Pairs rates;
    for (std::size_t i = 0; i < ours.size(); ++i) rates.Add(amount / ours[i], amount / limit[i]);
    return rates;
  }
  /// How much more ours is, in the unit of the figures.
  double Over() const {
    return MedianOf([](double a, double b) { return a - b; });
  }

 private:
  template <typename Of>
  double MedianOf(Of&& of) const {
    std::vector<double> all;
    for (std::size_t i = 0; i < ours.size(); ++i) all.push_back(of(ours[i], limit[i]));
    return Median(all);
  }
};

/// Measures `ours` and `limit` once a round. The one that begins changes from round to round, so that neither always
/// finds the caches as the other left them.
/// \param ours, limit  each returns its figure of the round
/// \param before  rounds that are not counted, in which memory is taken and caches fill
template <typename Ours, typename Limit>
Pairs InTurn(int rounds, Ours&& ours, Limit&& limit, int before = 1) {
  Pairs pairs;
  pairs.ours.reserve(static_cast<std::size_t>(rounds));
  pairs.limit.reserve(static_cast<std::size_t>(rounds));
  for (int round = -before; round < rounds; ++round) {
    const bool is_ours_first = round % 2 == 0;
    double our_figure = is_ours_first ? ours() : 0.0;
    const double limit_figure = limit();
    if (!is_ours_first) our_figure = ours();
    if (round >= 0) pairs.Add(our_figure, limit_figure);
  }
  return pairs;
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
