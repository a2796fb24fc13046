#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/fmi/wine/HostProcess.hpp"
#include "fmi-bridge/fmi/wine/Letter.hpp"
#include "fmi-bridge/fmi/wine/LetterStream.hpp"
#include "fmi-bridge/fmi/wine/Pieces.hpp"

namespace openmi::fmi::wine {

class WindowsLibrary;

/// An instance of an FMU in a process of its own, which is what callers get as component: functions of FMI become
/// letters to that process.
///
/// While it waits for a reply it serves the callbacks of the FMU. One thread at a time may call.
class RemoteInstance {
 public:
  /// Starts the process and loads the library there.
  /// \param version  1, 2 or 3
  /// \throws LoadError  something is missing, or the library cannot be loaded
  RemoteInstance(WindowsLibrary& library, const std::filesystem::path& file, std::uint32_t version,
                 const std::string& prefix);

  /// For each function, by the index of its shape: whether the library has it.
  const std::vector<bool>& Functions() const { return functions_; }
  /// The library from which it is.
  WindowsLibrary& Library() const { return library_; }
  /// What the next call passes, to be written before Call.
  LetterWriter& Letter();
  /// Calls a function and waits for its end.
  /// \param function  the index of its shape
  /// \param name      its name in the standard
  /// \returns the reply; its content stays until the next call at this depth
  /// \throws ModelError  the process ended
  LetterReader Call(std::uint32_t function, const char* name);
  /// Ends the process since a reply of it is invalid.
  /// \throws ModelError  always
  [[noreturn]] void Refuse(const char* name);
  /// Calls fail after that time from now, and the process is ended. \param limit  none: they take as long as they take
  void LimitAnswers(std::optional<std::chrono::milliseconds> limit) { process_.LimitAnswers(limit); }
  /// Sets the name of the instance, for messages.
  void SetName(const char* name) { name_ = name != nullptr ? name : ""; }
  Callbacks& Caller() { return callbacks_; }

 private:
  struct Depth {
    LetterWriter letter;
    std::vector<std::uint64_t> content;
  };
  Depth& Mine();
  /// Waits for a letter of that kind, and serves what comes before it. \throws BadLetter
  LetterReader Await(LetterKind kind, Depth& mine, std::uint32_t& function);
  void Serve(LetterKind kind, LetterReader letter);
  void Log(LetterReader& letter);
  void AnswerMoment(LetterReader& letter);
  std::string How();

  WindowsLibrary& library_;
  std::filesystem::path file_;
  std::string name_;
  HostProcess process_;
  LetterStream<HostProcess> incoming_;
  Callbacks callbacks_;
  std::vector<bool> functions_;
  std::deque<Depth> depths_;
  std::size_t depth_ = 0;
  std::uint32_t calls_ = 0;
  bool is_gone_ = false;
  std::string crash_;
};

}  // namespace openmi::fmi::wine
