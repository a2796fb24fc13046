#include "dotnet-bridge/plugin/Mono.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <mono/jit/jit.h>
#include <mono/metadata/appdomain.h>
#include <mono/metadata/assembly.h>
#include <mono/metadata/debug-helpers.h>
#include <mono/metadata/mono-config.h>
#include <mono/metadata/mono-debug.h>
#include <mono/metadata/threads.h>
#include <semaphore.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <thread>

#include "dotnet-bridge/plugin/EngineCalls.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Utf8.hpp"

namespace openmi::dotnet {
namespace {

namespace fs = std::filesystem;

MonoDomain* domain = nullptr;
MonoClass* border = nullptr;

/// The folder of this plug-in, where the assemblies of the bridge are.
fs::path OwnFolder() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&OwnFolder), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error).parent_path();
}

MonoAssembly* Open(const fs::path& path) {
  MonoAssembly* const assembly = mono_domain_assembly_open(domain, path.c_str());
  if (assembly != nullptr) return assembly;
  throw LoadError({.file = path.string()}, "expected an assembly of .NET, found none that can be loaded",
                  "install the package openmi2-dotnet again");
}

// Errors of the engine on their way through .NET. A component may keep what it caught, so the newest few are enough.
struct KeptError {
  int number = 0;
  std::exception_ptr error;
};
std::array<KeptError, 8> kept;
int last_error = 0;
std::mutex kept_mutex;
thread_local int last_error_here = 0;

std::string SentenceOf(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "something that is no std::exception";
  }
}

// The engine asks by SIGXCPU where a component computes, before it ends a process that does not answer in time. Mono
// uses the same signal between its own threads.
sem_t is_asked;
struct sigaction of_mono = {};

void AnswerWhere() {
  sem_init(&is_asked, 0, 0);
  std::thread([] {
    while (true) {
      if (sem_wait(&is_asked) == 0) Mono::StopCall();
    }
  }).detach();
  struct sigaction action = {};
  sigaction(SIGXCPU, nullptr, &of_mono);
  action.sa_mask = of_mono.sa_mask;
  action.sa_flags = of_mono.sa_flags | SA_SIGINFO | SA_RESTART;
  action.sa_sigaction = [](int signal, siginfo_t* from, void* context) {
    if (from->si_code == SI_USER && from->si_pid != getpid()) {
      sem_post(&is_asked);
    } else if ((of_mono.sa_flags & SA_SIGINFO) != 0) {
      of_mono.sa_sigaction(signal, from, context);
    }
  };
  sigaction(SIGXCPU, &action, nullptr);
}

template <class Function>
Function Thunk(const char* name, int parameters) {
  return reinterpret_cast<Function>(Mono::Function(name, parameters));
}

std::string Described(MonoException* thrown) {
  static const auto describe = Thunk<MonoString* (*)(MonoException*, MonoException**)>("Describe", 1);
  MonoException* other = nullptr;
  MonoString* const text = describe(thrown, &other);
  return other == nullptr ? TextOf(text) : "an exception that cannot be described";
}

}  // namespace

// There are no frames if the bridge itself found the fault.
ThrownError::ThrownError(const char* function, std::string described)
    : ModelError({}, fmt::format("expected {} to succeed, found {}", function, described),
                 described.find("\n  at ") != std::string::npos ? "the stack trace names the place in the component"
                                                                : "correct the component"),
      described_(std::move(described)) {}

void Mono::Start(const std::string& standard) {
  static std::mutex mutex;
  const std::scoped_lock lock(mutex);
  if (border != nullptr) {
    Enter();
    return;
  }
  if (domain == nullptr) {
    // Mono's own libraries look for its functions among those that all can see.
    Dl_info info = {};
    if (dladdr(reinterpret_cast<const void*>(&mono_jit_init_version), &info) != 0) {
      dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
    }
    setenv("MONO_DEBUG", "no-gdb-backtrace", 0);  // a crash is reported by the engine
    mono_config_parse(nullptr);
    mono_debug_init(MONO_DEBUG_FORMAT_MONO);  // lines in stack traces, where there are symbols
    domain = mono_jit_init_version("openmi", "v4.0.30319");
    if (domain == nullptr) throw LoadError({}, "expected the runtime Mono, found that it does not start");
  }
  const fs::path folder = OwnFolder();
  mono_domain_set_config(domain, folder.c_str(), "");
  AddEngineCalls();
  Open(standard.empty() ? folder / "OpenMI.Standard2.dll" : fs::path(standard));
  MonoImage* const image = mono_assembly_get_image(Open(folder / "openmi-dotnet.dll"));
  border = mono_class_from_name(image, "OpenMI.Bridge", "Border");
  if (border == nullptr) throw LoadError({.file = folder.string()}, "expected the class Border, found none");
  MonoException* thrown = nullptr;
  Thunk<void (*)(MonoException**)>("Start", 0)(&thrown);
  if (thrown != nullptr) Rethrow("Start", thrown);
  AnswerWhere();
}

void Mono::StopCall() {
  mono_thread_attach(domain);
  if (MonoThread* const inside = InsideCall::Thread()) mono_thread_stop(inside);
}

MonoThread* Mono::Enter() {
  static thread_local MonoThread* self = nullptr;
  if (self == nullptr) {
    self = mono_thread_attach(domain);
    mono_gchandle_new(reinterpret_cast<MonoObject*>(self), 1);  // the collector neither moves nor frees it
  }
  return self;
}

void* Mono::Function(const char* name, int parameters) {
  MonoMethod* const method = mono_class_get_method_from_name(border, name, parameters);
  void* const thunk = method != nullptr ? mono_method_get_unmanaged_thunk(method) : nullptr;
  if (thunk != nullptr) return thunk;
  throw LoadError({}, fmt::format("expected the function Border.{} with {} parameters, found none", name, parameters),
                  "install the package openmi2-dotnet again: its parts are of different versions");
}

void Mono::Rethrow(const char* function, MonoException* thrown) {
  static const auto number_of = Thunk<int (*)(MonoException*, MonoException**)>("EngineError", 1);
  MonoException* other = nullptr;
  const int number = number_of(thrown, &other);
  if (other == nullptr && number != 0) {
    const std::scoped_lock lock(kept_mutex);
    for (const KeptError& one : kept) {
      if (one.number == number) std::rethrow_exception(one.error);
    }
  }
  throw ThrownError(function, Described(thrown));
}

int Mono::KeepError(std::exception_ptr error) {
  const std::scoped_lock lock(kept_mutex);
  last_error_here = ++last_error;
  kept[static_cast<std::size_t>(last_error) % kept.size()] = {last_error, std::move(error)};
  return last_error;
}

std::pair<int, std::string> Mono::LastError() {
  const std::scoped_lock lock(kept_mutex);
  return {last_error_here, SentenceOf(kept[static_cast<std::size_t>(last_error_here) % kept.size()].error)};
}

namespace {

/// Source: The Unicode Standard 15.0, table 3-6.
void AppendUtf8(std::string& text, unsigned code) {
  const auto add = [&text](unsigned byte) { text.push_back(static_cast<char>(byte)); };
  const auto add_rest = [&](unsigned shift) { add(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6);
    add_rest(0);
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12);
    add_rest(6);
    add_rest(0);
  } else {
    add(0xF0 | code >> 18);
    add_rest(12);
    add_rest(6);
    add_rest(0);
  }
}

}  // namespace

MonoString* ToMonoText(std::string_view text) {
  MonoString* const made = mono_string_new_len(domain, text.data(), static_cast<unsigned>(text.size()));
  if (made != nullptr) return made;
  const std::string printable = PrintableText(text, true);  // a path or a message that is not UTF-8
  return mono_string_new_len(domain, printable.data(), static_cast<unsigned>(printable.size()));
}

MonoArray* ToMono(std::span<const int> numbers) {
  MonoArray* const array = mono_array_new(domain, mono_get_int32_class(), numbers.size());
  if (!numbers.empty())
    std::memcpy(mono_array_addr_with_size(array, sizeof(int), 0), numbers.data(), numbers.size_bytes());
  return array;
}

MonoArray* ToMono(ByteView bytes) {
  MonoArray* const array = mono_array_new(domain, mono_get_byte_class(), bytes.size());
  if (!bytes.empty()) std::memcpy(mono_array_addr_with_size(array, 1, 0), bytes.data(), bytes.size());
  return array;
}

MonoArray* ToMonoNumbers(std::span<const double> numbers) {
  MonoArray* const array = mono_array_new(domain, mono_get_double_class(), numbers.size());
  if (!numbers.empty()) {
    std::memcpy(mono_array_addr_with_size(array, sizeof(double), 0), numbers.data(), numbers.size_bytes());
  }
  return array;
}

MonoObject* ToMono(const Value& value) {
  if (const auto* number = value.As<double>()) {
    return mono_value_box(domain, mono_get_double_class(), const_cast<double*>(number));
  }
  if (const auto* integer = value.As<std::int64_t>()) {
    return mono_value_box(domain, mono_get_int64_class(), const_cast<std::int64_t*>(integer));
  }
  if (const auto* flag = value.As<bool>()) {
    MonoBoolean boolean = *flag ? 1 : 0;
    return mono_value_box(domain, mono_get_boolean_class(), &boolean);
  }
  if (const auto* text = value.As<std::string>()) return reinterpret_cast<MonoObject*>(ToMonoText(*text));
  if (const auto* bytes = value.As<Bytes>()) return reinterpret_cast<MonoObject*>(ToMono(ByteView(*bytes)));
  return nullptr;
}

MonoArray* ToMono(std::span<const Value> values) {
  MonoArray* const array = mono_array_new(domain, mono_get_object_class(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) mono_array_setref(array, i, ToMono(values[i]));
  return array;
}

MonoArray* ToMono(std::span<const std::vector<Value>> rows) {
  MonoArray* const array = mono_array_new(domain, mono_get_object_class(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) mono_array_setref(array, i, ToMono(std::span<const Value>(rows[i])));
  return array;
}

MonoArray* ToMonoRows(std::span<const std::vector<double>> rows) {
  MonoArray* const array = mono_array_new(domain, mono_get_object_class(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) mono_array_setref(array, i, ToMonoNumbers(rows[i]));
  return array;
}

std::string TextOf(MonoString* text) {
  if (text == nullptr) return {};
  // Not by mono_string_to_utf8, which has no text where half of a pair is alone, and ends at a zero.
  const std::span units(mono_string_chars(text), static_cast<std::size_t>(mono_string_length(text)));
  std::string found;
  for (std::size_t i = 0; i < units.size(); ++i) {
    const auto is_in = [](unsigned unit, unsigned first) { return unit >= first && unit < first + 0x400; };
    unsigned code = units[i];
    if (is_in(code, 0xD800) && i + 1 < units.size() && is_in(units[i + 1], 0xDC00)) {
      code = 0x10000 + ((code - 0xD800) << 10) + (units[++i] - 0xDC00);
    } else if (is_in(code, 0xD800) || is_in(code, 0xDC00)) {
      code = 0xFFFD;
    }
    AppendUtf8(found, code);
  }
  return found;
}

std::vector<int> NumbersOf(MonoArray* numbers) {
  const std::size_t count = mono_array_length(numbers);
  const int* const first = count > 0 ? mono_array_addr(numbers, int, 0) : nullptr;
  return {first, first + count};
}

Value ValueOf(MonoObject* value) {
  if (value == nullptr) return {};
  MonoClass* const type = mono_object_get_class(value);
  if (type == mono_get_double_class()) return *static_cast<double*>(mono_object_unbox(value));
  if (type == mono_get_int64_class()) return *static_cast<std::int64_t*>(mono_object_unbox(value));
  if (type == mono_get_boolean_class()) return *static_cast<MonoBoolean*>(mono_object_unbox(value)) != 0;
  if (type == mono_get_string_class()) return TextOf(reinterpret_cast<MonoString*>(value));
  return BytesOf(reinterpret_cast<MonoArray*>(value));
}

std::optional<std::vector<Value>> ValuesOf(MonoArray* values) {
  if (values == nullptr) return std::nullopt;
  std::vector<Value> found(mono_array_length(values));
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = ValueOf(mono_array_get(values, MonoObject*, i));
  return found;
}

std::vector<std::string> TextsOf(MonoArray* texts) {
  std::vector<std::string> found(mono_array_length(texts));
  for (std::size_t i = 0; i < found.size(); ++i) found[i] = TextOf(mono_array_get(texts, MonoString*, i));
  return found;
}

Bytes BytesOf(MonoArray* bytes) {
  const std::size_t count = mono_array_length(bytes);
  const auto* const first = count > 0 ? reinterpret_cast<const std::byte*>(mono_array_addr(bytes, char, 0)) : nullptr;
  return {first, first + count};
}

}  // namespace openmi::dotnet
