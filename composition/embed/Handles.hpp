#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "composition/embed/EmbeddedRun.hpp"
#include "composition/embed/OutputView.hpp"
#include "composition/embed/openmi_c.h"
#include "composition/state/Checkpoint.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::embed {

/// A state, with its bytes after they were asked for.
struct KeptState {
  openmi::Checkpoint state;
  Bytes bytes;
};

}  // namespace openmi::embed

/// What a handle of the C interface points to.
struct openmi_run {
  explicit openmi_run(openmi::CompositionFile file, openmi::Problems problems)
      : run(std::move(file), std::move(problems)) {}
  openmi::EmbeddedRun run;
  std::vector<openmi::OutputView> views;
  std::map<int, openmi::embed::KeptState> states;
  int last_state = 0;

  openmi::embed::KeptState& State(int number);
  const openmi::Instance& Component(int number);
};

// What the functions of openmi_c.h share.
namespace openmi::embed {

/// The last error of the calling thread.
std::string& LastError();

/// All open handles. Any other pointer is refused.
class Handles {
 public:
  openmi_run* Add(std::shared_ptr<openmi_run> run);
  /// The run of a handle.
  /// \throws ArgumentError  the handle is null, closed, or never was one
  std::shared_ptr<openmi_run> Find(openmi_run* handle);
  void Remove(openmi_run* handle);

 private:
  std::mutex mutex_;
  std::map<openmi_run*, std::shared_ptr<openmi_run>> runs_;
};

Handles& TheHandles();

/// Does `work`, which returns the result. If it throws, the error becomes the last error, and the result is -1.
template <class Work>
int Guarded(Work&& work) noexcept {
  try {
    return work();
  } catch (const std::exception& error) {
    try {
      LastError() = error.what();
    } catch (...) {  // NOLINT(bugprone-empty-catch): no memory for the words
    }
  } catch (...) {
    LastError() = "an exception that is not a std::exception";
  }
  return -1;
}

/// The same for a checked handle, with one caller at a time. `work` gets the handle's run, and what belongs to it.
template <class Work>
int With(openmi_run* handle, Work&& work) noexcept {
  return Guarded([&]() -> int {
    const auto found = TheHandles().Find(handle);
    const auto lock = found->run.Lock();
    if constexpr (std::is_invocable_v<Work, EmbeddedRun&, openmi_run&>) {
      return work(found->run, *found);
    } else {
      return work(found->run);
    }
  });
}

/// The text of a pointer.
/// \throws ArgumentError  `text` is null
std::string Needed(const char* text, const char* name);

template <class Pointer>
void Need(Pointer pointer, const char* name) {
  if (pointer == nullptr) throw ArgumentError({.item = name}, "expected a place to use, found a null pointer");
}

/// Copies what fits into `buffer`, ended by a zero.
/// \returns the length of the whole text
int Copy(const std::string& text, char* buffer, std::size_t size);

}  // namespace openmi::embed
