#include "timespace/c/Handle.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "timespace/c/Component.hpp"
#include "timespace/c/Guest.hpp"

namespace openmi::c {
namespace {

struct Handles {
  std::mutex mutex;
  std::vector<std::unique_ptr<Handle>> all;
  std::vector<Handle*> free;
};

// Never destroyed: a component may outlive the static objects of this library.
Handles& TheHandles() {
  static Handles& handles = *new Handles;
  return handles;
}

std::string& LastSentence() {
  thread_local std::string sentence;
  return sentence;
}

}  // namespace

std::string NamesOf(unsigned functions) {
  constexpr const char* kNames[] = {"create",
                                    "initialize",
                                    "validate",
                                    "start",
                                    "step",
                                    "finish",
                                    "destroy",
                                    "next",
                                    "save",
                                    "load",
                                    "balance",
                                    "create of an adaptor",
                                    "initialize of an adaptor",
                                    "map",
                                    "destroy of an adaptor"};
  std::string names;
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if ((functions >> i & 1U) == 0) continue;
    names += (names.empty() ? "" : ", ") + std::string(kNames[i]);
  }
  return names.empty() ? "no function" : names;
}

Handle& TakeHandle(Guest& owner) {
  Handles& handles = TheHandles();
  const std::scoped_lock lock(handles.mutex);
  if (handles.free.empty()) {
    handles.all.push_back(std::make_unique<Handle>());
    handles.free.reserve(handles.all.size());  // GiveHandle must not allocate
    handles.free.push_back(handles.all.back().get());
  }
  Handle& handle = *handles.free.back();
  handles.free.pop_back();
  handle.host = &HostTable();
  handle.type = nullptr;
  handle.data = nullptr;
  handle.adaptor = nullptr;
  handle.owner = &owner;
  handle.function = kNone;
  handle.stray_call = nullptr;
  handle.self = &handle;
  return handle;
}

void GiveHandle(Handle& handle) noexcept {
  Handles& handles = TheHandles();
  const std::scoped_lock lock(handles.mutex);
  handle.self = nullptr;
  handle.function = kNone;
  handle.owner = nullptr;
  handles.free.push_back(&handle);
}

std::uintptr_t ThisThread() noexcept {
  return static_cast<std::uintptr_t>(pthread_self());
}

Handle* Admitted(openmi_instance* me, const char* called, unsigned allowed) noexcept {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  auto* const handle = static_cast<Handle*>(me);
  const bool is_alive = handle != nullptr && handle->self.load(kRelaxed) == handle;
  const unsigned function = is_alive ? handle->function.load(kRelaxed) : kNone;
  if ((function & allowed) != 0 && handle->thread.load(kRelaxed) == ThisThread()) [[likely]]
    return handle;
  try {
    std::string found = "found it called outside of them, or by another thread";
    if (me == nullptr) {
      found = "found null in place of the instance";
    } else if (!is_alive) {
      found = "found an instance that was destroyed, or a copy of one";
    } else if (function == kNone || handle->thread.load(kRelaxed) != ThisThread()) {
      handle->stray_call = called;
    } else {
      const StateError error({},
                             fmt::format("expected '{}' to be called from {}, found it called from {}", called,
                                         NamesOf(allowed), NamesOf(function)),
                             "move the call there");
      handle->owner->Refuse(error);
      KeepLastError(error.what());
      return nullptr;
    }
    KeepLastError(
        fmt::format("expected '{}' to be called from within calls of the component or adaptor, {}", called, found));
  } catch (const std::exception&) {  // no memory for the sentence: the call is refused without it
  }
  return nullptr;
}

void KeepLastError(const std::string& sentence) noexcept {
  try {
    LastSentence() = sentence;
  } catch (const std::exception&) {  // as above
  }
}

const char* LastError() noexcept {
  return LastSentence().c_str();
}

}  // namespace openmi::c
