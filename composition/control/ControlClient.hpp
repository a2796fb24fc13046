#pragma once

#include <chrono>
#include <string>

#include "composition/control/ControlAddress.hpp"
#include "composition/control/LineReader.hpp"

namespace openmi {

/// Talks with a run that listens to its operator: one line there, one line back.
class ControlClient {
 public:
  /// Connects and takes the greeting.
  /// \throws FileError    nobody listens there
  /// \throws FormatError  who listens there is no run, or does not know the token
  explicit ControlClient(const ControlAddress& address);
  ~ControlClient();
  ControlClient(const ControlClient&) = delete;
  ControlClient& operator=(const ControlClient&) = delete;

  /// The first line that the run sent.
  const std::string& Greeting() const { return greeting_; }
  /// Sends a line and waits for the answer.
  /// \param patience  how long; 0: for ever (a run answers at the next quiet moment, which may be minutes off)
  /// \throws FileError  the run ended, or did not answer in time
  std::string Ask(const std::string& line, std::chrono::milliseconds patience = std::chrono::milliseconds(0));

 private:
  std::string NextLine(std::chrono::milliseconds patience);
  ControlAddress address_;
  int socket_ = -1;
  LineReader lines_{std::size_t{1} << 26};  // the list of a large composition
  std::string greeting_;
};

}  // namespace openmi
