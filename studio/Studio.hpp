#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "studio/Inspection.hpp"

namespace openmi {

/// Where `openmi studio` works.
struct StudioSettings {
  std::filesystem::path composition;  ///< need not exist
  std::string program;                ///< the command `openmi`, which runs compositions
  std::uint16_t port = 0;             ///< 0: any free one
  AskInspection ask;                  ///< called by several threads
};

/// The studio: serves the page of one composition, edits it, checks it, and runs it.
///
/// The page sends requests over a WebSocket, an object of JSON each: `do`, what that needs, and `id`, which the answer
/// repeats. Events without `id` go to all pages: `document`, `inspection`, `outside`, `purposes`, `run`,
/// `progress`, `values`, `balances`, `log`. No message can harm a run; the file is written by `save` and `run` alone.
class Studio {
 public:
  /// \throws FileError    the port is in use, or the composition cannot be read
  /// \throws FormatError  the composition is not well-formed
  explicit Studio(StudioSettings settings);
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  /// The address to open, with its key.
  std::string Address() const;
  std::uint16_t Port() const;
  /// Serves until Stop is called.
  void Run();
  /// May be called from any thread.
  void Stop();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace openmi
