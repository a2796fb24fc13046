#pragma once

#include <cxxabi.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "openmi/c/openmi_component.h"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Problem.hpp"
#include "timespace/c/Handle.hpp"

namespace openmi::c {

/// Something in C whose functions the host calls, and which calls the host meanwhile: a component or an adaptor.
///
/// Each call ends with an exception if the guest says that it failed, if its function returns another number than 0, or
/// if it made a call that was refused.
class Guest {
 public:
  Guest(const Guest&) = delete;
  Guest& operator=(const Guest&) = delete;

  // What the host functions use that serve both kinds.
  /// The name of the component in messages.
  virtual std::string GuestName() const = 0;
  virtual ArgumentList& GuestArguments() = 0;
  /// Returns the number of the argument.
  /// \throws Error  what is declared cannot be used
  virtual int DeclareArgument(const openmi_argument* declared) = 0;
  /// \throws ArgumentError  no argument has this number
  virtual const ArgumentItem& ArgumentNumber(int number) const = 0;
  /// Remembers why a call fails; the first reason counts.
  void Refuse(const Error& error);
  /// Remembers what the guest says itself; counts more.
  void Fail(const openmi_report& report);
  /// A copy of a text, as long as the call lasts.
  const char* Lend(std::string text);

 protected:
  Guest() : handle_(TakeHandle(*this)) {}
  virtual ~Guest() { GiveHandle(handle_); }

  /// What stands behind the functions of the guest.
  Handle& InC() const { return handle_; }
  /// Does `work`, which calls a function of the guest.
  /// \param name  of the function
  /// \throws Error  see above
  template <class Work>
  void Call(Function function, const char* name, Work&& work) {
    int result = 0;
    {
      const Calling calling(handle_, function);
      try {
        result = work();
      } catch (const abi::__forced_unwind&) {
        throw;  // the thread is being cancelled: do not stop that
      } catch (...) {
        RefuseException(name);
      }
    }
    if (!lent_.empty()) lent_.clear();
    if (result != 0 || refusal_ || handle_.stray_call.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
      Throw(function, name, result);
    }
  }
  /// Calls `create` by `work`, and after a failure `destroy`.
  template <class Work>
  void Create(Function function, Work&& work, Function destroys, void (*destroy)(openmi_instance*)) {
    try {
      Call(function, "create", work);
    } catch (...) {
      Destroy(destroys, destroy);
      throw;
    }
  }
  void Destroy(Function function, void (*destroy)(openmi_instance*));

 private:
  /// Marks a handle while a function of its guest is called.
  class Calling {
   public:
    Calling(Handle& handle, Function function);
    ~Calling();
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;

   private:
    Handle& handle_;
    unsigned function_;
    std::uintptr_t thread_;
  };

  void RefuseException(const char* name);
  [[noreturn]] void Throw(Function function, const char* name, int result);

  Handle& handle_;
  std::optional<Problem> refusal_;
  std::vector<std::unique_ptr<std::string>> lent_;
};

}  // namespace openmi::c
