#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "openmi/c/openmi_component.h"

namespace openmi::c {

class Guest;

/// The functions of a component or an adaptor in C, as bits. `kNone`: none is being called.
enum Function : unsigned {
  kNone = 0,
  kCreate = 1U << 0U,
  kInitialize = 1U << 1U,
  kValidate = 1U << 2U,
  kStart = 1U << 3U,
  kStep = 1U << 4U,
  kFinish = 1U << 5U,
  kDestroy = 1U << 6U,
  kNext = 1U << 7U,
  kSave = 1U << 8U,
  kLoad = 1U << 9U,
  kBalance = 1U << 10U,
  kOfComponent = (1U << 11U) - 1,
  kCreateAdaptor = 1U << 11U,
  kInitializeAdaptor = 1U << 12U,
  kMap = 1U << 13U,
  kDestroyAdaptor = 1U << 14U,
  kAny = (1U << 15U) - 1
};

/// Their names, as in openmi_component.h: "start, step".
std::string NamesOf(unsigned functions);

/// What a component or an adaptor in C knows of its host: the instance, and what the host needs to check its calls.
///
/// The memory of a handle is never given back, only used again for another one. So a call with a handle that has
/// ended can be told, and harms nothing.
struct Handle : openmi_instance {
  Guest* owner = nullptr;
  std::atomic<const Handle*> self = nullptr;      ///< this object; null: no guest has it
  std::atomic<unsigned> function = kNone;         ///< which is being called
  std::atomic<std::uintptr_t> thread = 0;         ///< of that call
  std::atomic<const char*> stray_call = nullptr;  ///< the host function that was called outside of all calls
};

/// A handle for a new guest, with the functions that it may call.
Handle& TakeHandle(Guest& owner);
/// Ends it.
void GiveHandle(Handle& handle) noexcept;

/// A number for the present thread.
std::uintptr_t ThisThread() noexcept;

/// The handle behind `me`, if the guest may call a host function now.
///
/// Otherwise the sentence is kept for `LastError` and, if there is an instance, for the call that it makes.
/// \param called   the host function
/// \param allowed  the functions that may call it
/// \returns null: refused
Handle* Admitted(openmi_instance* me, const char* called, unsigned allowed) noexcept;

/// Keeps a sentence for `LastError`.
void KeepLastError(const std::string& sentence) noexcept;
/// Why the last call on this thread was refused.
const char* LastError() noexcept;

}  // namespace openmi::c
