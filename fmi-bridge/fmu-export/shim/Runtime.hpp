#pragma once

#include <string>
#include <string_view>

#include "fmi-bridge/fmu-export/shim/SharedPage.hpp"

namespace openmi::fmu {

/// The process behind one instance of an exported FMU, and the talk with it. One for each instance: what one does wrong
/// (a crash, global variables of an old solver) cannot reach another.
class Runtime {
 public:
  Runtime() = default;
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime() { Stop(); }

  /// Starts the program that lies among the resources and waits for its first letter.
  /// \param resources  the folder; absolute
  /// \param problem    receives why, if it does not start
  bool Start(const std::string& resources, std::string& problem);
  /// Lets the process go, and ends it where it does not go.
  void Stop();

  /// Sends a request with `letter` and waits for the answer, however long it takes.
  /// \param problem  receives what became of the process
  /// \returns false where it ended; then it is stopped
  bool Call(Request request, std::string_view letter, std::string& problem);
  SharedPage& Page() { return *page_; }
  bool IsThere() const { return page_ != nullptr; }
  /// What came with the last answer; good until the next call.
  std::string_view Letter() const { return letter_; }
  /// The values, once the first letter told how many there are.
  double* Values() { return values_; }
  std::size_t SlotCount() const { return slots_; }

 private:
  bool Spawn(const std::string& resources, int socket, std::string& problem);
  bool WaitForAnswer(std::string& problem);
  bool MapValues(std::string& problem);
  bool HasEnded() const;
  std::string EndSentence();
  bool WriteAll(std::string_view bytes);
  bool ReadAll(std::string& into, std::size_t size);

  int spins_ = 0;  // looks before sleeping: none where there is one core
  int pid_ = -1;
  int pid_descriptor_ = -1;
  int socket_ = -1;
  int memory_ = -1;
  SharedPage* page_ = nullptr;
  double* values_ = nullptr;
  std::size_t slots_ = 0;
  std::uint32_t heard_ = 0;
  std::string letter_;
};

}  // namespace openmi::fmu
