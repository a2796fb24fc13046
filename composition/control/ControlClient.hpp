#pragma once

#include <chrono>
#include <string>

#include "composition/control/ControlAddress.hpp"
#include "composition/control/LineSplitter.hpp"

namespace openmi {

/// A connection to a run that listens to its operator: sends one line, receives one line.
class ControlClient {
 public:
  /// Connects and reads the greeting.
  /// \throws FileError    nothing listens at `address`
  /// \throws FormatError  what listens there is no run, or does not accept the token
  explicit ControlClient(const ControlAddress& address);
  ~ControlClient();
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;

  /// The first line that the run sent.
  const std::string& Greeting() const { return greeting_; }
  /// Sends a line and waits for the answer.
  /// \param patience  maximum waiting time; 0: no limit (a run answers between two passes, which may take minutes)
  /// \throws FileError  the run ended, or did not answer in time
  std::string Ask(const std::string& line, std::chrono::milliseconds patience = std::chrono::milliseconds(0));

 private:
  std::string NextLine(std::chrono::milliseconds patience);
  ControlAddress address_;
  int socket_ = -1;
  LineSplitter lines_{std::size_t{1} << 26};  // the list of a large composition
  std::string greeting_;
};

}  // namespace openmi
