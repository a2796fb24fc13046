#pragma once

#include <mono/metadata/object.h>
#include <mono/metadata/threads.h>

#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "openmi/sdk/Error.hpp"
#include "openmi/standard/Value.hpp"

namespace openmi::dotnet {

/// What a component threw.
class ThrownError final : public ModelError {
 public:
  /// \param function   of the class Border
  /// \param described  type, message and stack trace
  ThrownError(const char* function, std::string described);
  const std::string& Described() const { return described_; }

 private:
  std::string described_;
};

/// The runtime of .NET in this process: Mono, with the assembly that walks the interfaces of the standard. It starts at
/// the first use and stays until the process ends, since it cannot be started twice.
class Mono {
 public:
  /// \param standard  the file of the assembly OpenMI.Standard2 to use; counts at the first call only
  /// \throws LoadError  it does not start; or an assembly of the bridge is missing
  static void Start(const std::string& standard);

  /// Makes the calling thread one that may call .NET.
  /// \returns the thread there
  static MonoThread* Enter();
  /// The entry of a function of the class Border.
  /// \throws LoadError  it has none of that name and number of parameters
  static void* Function(const char* name, int parameters);
  /// Throws what a call of `function` has thrown.
  /// \throws ThrownError
  /// \throws Error  of the engine, which the component let pass
  [[noreturn]] static void Rethrow(const char* function, MonoException* thrown);

  /// Stops what a component does at present, on any thread: the call throws, with the place.
  static void StopCall();

  /// Keeps an error of the engine while it passes through .NET.
  /// \returns its number
  static int KeepError(std::exception_ptr error);
  /// The number and the text of the error that this thread kept last.
  static std::pair<int, std::string> LastError();
};

/// Counts the calls of .NET that are running on this thread: events that come at other times, or on other threads, are
/// not passed on.
class InsideCall {
 public:
  /// \param thread  the calling one
  explicit InsideCall(MonoThread* thread);
  ~InsideCall();
  static bool IsHere();
  /// How many have begun, on any thread.
  static std::uint64_t Count();
  /// The thread of the call that began last; null: none is running.
  static MonoThread* Thread();
};

// Values as arguments and results. What is made here is found by the collector on the stack of the calling thread.

MonoString* ToMonoText(std::string_view text);
MonoArray* ToMono(std::span<const int> numbers);
MonoArray* ToMono(ByteView bytes);
MonoObject* ToMono(const Value& value);
MonoArray* ToMono(std::span<const Value> values);
MonoArray* ToMono(std::span<const std::vector<Value>> rows);
MonoArray* ToMonoRows(std::span<const std::vector<double>> rows);
MonoArray* ToMonoNumbers(std::span<const double> numbers);

std::string TextOf(MonoString* text);
std::vector<int> NumbersOf(MonoArray* numbers);
Value ValueOf(MonoObject* value);
std::optional<std::vector<Value>> ValuesOf(MonoArray* values);
std::vector<std::string> TextsOf(MonoArray* texts);
Bytes BytesOf(MonoArray* bytes);

}  // namespace openmi::dotnet
