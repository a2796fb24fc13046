#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "composition/channel/SpinBudget.hpp"
#include "openmi/system/FileDescriptor.hpp"

namespace openmi::fmi::wine {

/// What is missing for Windows libraries on this machine, and what to do; empty: nothing.
std::string WhatIsMissing();
/// Why the first start of a Windows library will take long: Wine has yet to make its prefix. Empty: it has one.
std::string WhatTakesLong();

/// A process that holds an instance of an FMU for Windows: its start through Wine, the bytes that it sends and gets,
/// and its end.
///
/// Wine runs with the prefix of the user (WINEPREFIX, else ~/.wine), which it makes at its first start, without
/// messages (WINEDEBUG=-all unless set) and without dialogs for missing parts. Wine's own services are started with the
/// first process of a prefix, and end by themselves some seconds after the last.
class HostProcess {
 public:
  static constexpr std::chrono::milliseconds kStart{180'000};  ///< at its first start Wine makes the prefix

  /// \param limit  time until it has started, with Wine's services: until LimitAnswers
  /// \throws LoadError  something is missing; see WhatIsMissing
  /// \throws FileError  it cannot be started
  explicit HostProcess(std::chrono::milliseconds limit = kStart);
  /// Closes the connection, and kills the process if it does not end. Does nothing in a copy of the maker (fork).
  ~HostProcess();
  HostProcess(const HostProcess&) = delete;
  HostProcess& operator=(const HostProcess&) = delete;

  /// Whether this process made it. A copy of the maker (fork) shares the connection and must not use it.
  bool IsOfThisProcess() const;
  /// \returns false if the process is gone
  bool Write(std::span<const std::byte> bytes);
  /// Waits for bytes of the process.
  /// \returns their number; 0: it is gone
  std::size_t Read(std::byte* bytes, std::size_t size);
  /// Replaces the time limit: after the given time from now Read and Write do not wait any more; empty: they always do.
  void LimitAnswers(std::optional<std::chrono::milliseconds> limit);
  /// Ends the process if it still runs.
  /// \returns how it ended: "was killed by signal 9 (Killed)"
  const std::string& End();

 private:
  /// Waits until the connection is ready, the process has ended or it is late.
  /// \returns whether it has ended
  bool WaitFor(short events);

  int maker_;
  int pid_ = -1;
  FileDescriptor watch_;  // WatchOf
  FileDescriptor socket_;
  std::shared_ptr<const void> services_;  // HoldServices
  SpinBudget spins_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  std::string late_;  // what it did not do within which time
  bool is_late_ = false;
  bool is_closed_ = false;  // by the process, or with it
  std::string end_;
};

}  // namespace openmi::fmi::wine
