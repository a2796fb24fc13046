#include "composition/embed/Handles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

openmi::embed::KeptState& openmi_run::State(int number) {
  const auto found = states.find(number);
  if (found == states.end()) {
    throw openmi::RangeError({.file = run.File().path.string()},
                             fmt::format("expected the number of a kept state, found {}", number),
                             "use what openmi_keep_state gave, until openmi_drop_state");
  }
  return found->second;
}

const openmi::Instance& openmi_run::Component(int number) {
  const auto& instances = run.Loaded().Instances();
  if (number < 0 || static_cast<std::size_t>(number) >= instances.size()) {
    throw openmi::RangeError({.file = run.File().path.string()},
                             fmt::format("expected a component from 0 to {}, found {}",
                                         static_cast<std::ptrdiff_t>(instances.size()) - 1, number),
                             "see openmi_component_count");
  }
  return instances[static_cast<std::size_t>(number)];
}

namespace openmi::embed {

std::string& LastError() {
  static thread_local std::string text;
  return text;
}

openmi_run* Handles::Add(std::shared_ptr<openmi_run> run) {
  const std::lock_guard lock(mutex_);
  openmi_run* handle = run.get();
  runs_[handle] = std::move(run);
  return handle;
}

std::shared_ptr<openmi_run> Handles::Find(openmi_run* handle) {
  const std::lock_guard lock(mutex_);
  const auto found = runs_.find(handle);
  if (found != runs_.end()) return found->second;
  throw ArgumentError(
      {.item = "run"},
      handle == nullptr ? "expected a run, found a null pointer" : "expected a run, found a handle that is not open",
      "use what openmi_open gave, until openmi_close, and close it once");
}

void Handles::Remove(openmi_run* handle) {
  const std::lock_guard lock(mutex_);
  runs_.erase(handle);
}

Handles& TheHandles() {
  static Handles handles;
  return handles;
}

std::string Needed(const char* text, const char* name) {
  if (text == nullptr) throw ArgumentError({.item = name}, "expected a text, found a null pointer");
  return text;
}

int Copy(const std::string& text, char* buffer, std::size_t size) {
  if (buffer != nullptr && size > 0) {
    const std::size_t count = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), count);
    buffer[count] = '\0';
  }
  return static_cast<int>(std::min<std::size_t>(text.size(), 0x7fffffff));
}

}  // namespace openmi::embed
