#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>

#include "openmi/omi/SdkVersion.hpp"
#include "openmi/sdk/Missing.hpp"
#include "timespace/c/Component.hpp"
#include "timespace/c/Declarations.hpp"
#include "timespace/c/Instance.hpp"

namespace openmi::c {
namespace {

constexpr unsigned kDeclaring = kCreate | kInitialize;
constexpr unsigned kRunning = kStart | kStep | kFinish | kNext | kSave | kLoad | kBalance;
constexpr unsigned kNotCreate = kOfComponent & ~kCreate;
constexpr unsigned kNotDestroy = kAny & ~kDestroy & ~kDestroyAdaptor;

/// Does the work of a host function, if the guest may call it now. An exception becomes the result of a refusal.
/// \tparam Of  Guest: the function serves components and adaptors
template <class Of = Instance, class Result, class Work>
Result Called(openmi_instance* me, const char* name, unsigned allowed, Result refused, Work&& work) noexcept {
  Handle* const handle = Admitted(me, name, allowed);
  if (handle == nullptr) [[unlikely]]
    return refused;
  try {
    return work(static_cast<Of&>(*handle->owner));
  } catch (const Error& error) {
    handle->owner->Refuse(error);
    KeepLastError(error.what());
  } catch (const std::exception& error) {
    handle->owner->Refuse(ModelError({}, error.what()));
    KeepLastError(error.what());
  }
  return refused;
}

/// The same for a function that returns 0 or -1.
template <class Of = Instance, class Work>
int Done(openmi_instance* me, const char* name, unsigned allowed, Work&& work) noexcept {
  return Called<Of>(me, name, allowed, -1, [&](Of& guest) {
    work(guest);
    return 0;
  });
}

template <class Number>
Number* Counted(std::span<Number> row, std::size_t* count) {
  if (count != nullptr) *count = row.size();
  return row.data();
}

Stamp Finite(double mjd) {
  if (std::isfinite(mjd)) return Stamp{mjd};
  throw RangeError({}, fmt::format("expected a time as Modified Julian Day, found {}", mjd), "give a number");
}

std::string Quick(const char* text) {
  return RequiredText(text, "a text");
}

int AddArgument(openmi_instance* me, const openmi_argument* argument) {
  return Called<Guest>(me, "add_argument", kCreate | kCreateAdaptor, -1,
                       [&](Guest& guest) { return guest.DeclareArgument(argument); });
}
int AddElements(openmi_instance* me, const openmi_elements* elements) {
  return Called(me, "add_elements", kDeclaring, -1,
                [&](Instance& instance) { return instance.Declared().AddElements(elements); });
}
int SetAttribute(openmi_instance* me, int elements, const char* name, const char* unit, const double* values,
                 std::size_t count) {
  return Done(me, "set_attribute", kDeclaring,
              [&](Instance& instance) { instance.Declared().SetAttribute(elements, name, unit, values, count); });
}
int MoveElements(openmi_instance* me, int elements, const openmi_elements* moved) {
  return Done(me, "move_elements", kStart | kStep | kLoad,
              [&](Instance& instance) { instance.Declared().MoveElements(elements, moved); });
}
int AddInput(openmi_instance* me, const openmi_item* item) {
  return Called(me, "add_input", kDeclaring, -1,
                [&](Instance& instance) { return instance.Declared().AddInput(item); });
}
int AddOutput(openmi_instance* me, const openmi_item* item) {
  return Called(me, "add_output", kDeclaring, -1,
                [&](Instance& instance) { return instance.Declared().AddOutput(item); });
}

int SetFlag(openmi_instance* me, int flag, int is_set) {
  return Done(me, "set_flag", kDeclaring, [&](Instance& instance) {
    if (flag != OPENMI_THREAD_SAFE && flag != OPENMI_WHOLE_STEPS && flag != OPENMI_RESTARTABLE) {
      throw ArgumentError({}, fmt::format("expected a flag of a component that may change, found {}", flag),
                          "use one flag of those that set_flag names");
    }
    instance.Owner().SetFlag(flag, is_set != 0);
  });
}
int SetDescription(openmi_instance* me, const char* text) {
  return Done(me, "set_description", kDeclaring, [&](Instance& instance) { instance.Owner().Describe(Quick(text)); });
}
int SetFamily(openmi_instance* me, const char* key) {
  return Done(me, "set_family", kInitialize, [&](Instance& instance) { instance.Owner().BelongTo(Quick(key)); });
}
int SetTimeStep(openmi_instance* me, double days) {
  return Done(me, "set_time_step", kInitialize | kStart | kStep,
              [&](Instance& instance) { instance.Owner().StepBy(Days{days}); });
}
int SetDefaultTimes(openmi_instance* me, double begin, double end) {
  return Done(me, "set_default_times", kInitialize, [&](Instance& instance) {
    instance.Owner().DefaultTimes(Finite(begin), std::isinf(end) ? kFarFuture : Finite(end));
  });
}
int SetOutputTimes(openmi_instance* me, double begin, double end) {
  return Done(me, "set_output_times", kInitialize, [&](Instance& instance) {
    instance.Owner().OutputTimes(Finite(begin), std::isinf(end) ? kFarFuture : Finite(end));
  });
}

double Number(openmi_instance* me, int argument) {
  return Called<Guest>(me, "number", kAny, kNotANumber, [&](Guest& guest) {
    return guest.ArgumentNumber(argument).Value().Number().value_or(kNotANumber);
  });
}
std::int64_t Integer(openmi_instance* me, int argument) {
  return Called<Guest>(me, "integer", kAny, std::int64_t{0}, [&](Guest& guest) -> std::int64_t {
    const Value value = guest.ArgumentNumber(argument).Value();
    if (const auto* flag = value.As<bool>()) return *flag ? 1 : 0;
    if (const auto* whole = value.As<std::int64_t>()) return *whole;
    if (value.IsEmpty()) return 0;
    throw TypeError({.item = guest.ArgumentNumber(argument).IdText()},
                    fmt::format("expected an integer or a boolean, found a value of type {}", value.Type().Name()),
                    "use number or text");
  });
}
const char* Text(openmi_instance* me, int argument) {
  return Called<Guest>(me, "text", kAny, "",
                       [&](Guest& guest) { return guest.Lend(guest.ArgumentNumber(argument).ValueAsString()); });
}
int HasValue(openmi_instance* me, int argument) {
  return Called<Guest>(me, "has_value", kAny, 0,
                       [&](Guest& guest) { return guest.ArgumentNumber(argument).HasValue() ? 1 : 0; });
}
int IsSet(openmi_instance* me, const char* argument) {
  return Called<Guest>(me, "is_set", kAny, 0, [&](Guest& guest) {
    const std::string id = RequiredText(argument, "the id of an argument");
    const ArgumentItem* const item = guest.GuestArguments().Find(id);
    if (item == nullptr)
      throw ArgumentError({.item = id}, "expected the id of an argument, found another", "declare it");
    return item->IsSet() ? 1 : 0;
  });
}
const char* Path(openmi_instance* me, const char* path) {
  return Called(me, "path", kNotCreate, "",
                [&](Instance& instance) { return instance.Lend(instance.Owner().Beside(TextFrom(path))); });
}
const char* WrittenPath(openmi_instance* me, const char* name) {
  return Called(me, "written_path", kStart | kStep | kFinish, static_cast<const char*>(nullptr),
                [&](Instance& instance) {
                  if ((instance.Type().flags & OPENMI_WRITES_FILES) == 0) {
                    throw StateError({},
                                     "expected the flag OPENMI_WRITES_FILES of a component that writes files, "
                                     "found it not set",
                                     "set it in the table of the type");
                  }
                  return instance.Lend(instance.Owner().Written(RequiredText(name, "the name of a file")));
                });
}
const char* Name(openmi_instance* me) {
  return Called<Guest>(me, "name", kAny, "", [&](Guest& guest) { return guest.Lend(guest.GuestName()); });
}
double RunBegin(openmi_instance* me) {
  return Called(me, "run_begin", kNotCreate, kNotANumber, [&](Instance& instance) {
    const Stamp begin = instance.Owner().RunBegin();
    return begin == kFarPast ? kNotANumber : begin.mjd;
  });
}
double RunEnd(openmi_instance* me) {
  return Called(me, "run_end", kNotCreate, kNotANumber, [&](Instance& instance) {
    const Stamp end = instance.Owner().RunEnd();
    return end == kFarFuture ? std::numeric_limits<double>::infinity() : end.mjd;
  });
}
int ExpectsState(openmi_instance* me) {
  return Called(me, "expects_state", kStart, 0, [&](Instance& instance) { return instance.ExpectsState() ? 1 : 0; });
}

int IsLinked(openmi_instance* me, int input) {
  return Called(me, "is_linked", kValidate | kStart | kStep, 0,
                [&](Instance& instance) { return instance.Declared().IsLinked(input) ? 1 : 0; });
}
const double* InputRow(openmi_instance* me, int input, std::size_t* count) {
  if (count != nullptr) *count = 0;
  return Called(me, "input_row", kStep, static_cast<const double*>(nullptr),
                [&](Instance& instance) { return Counted(instance.Declared().InputRow(input), count); });
}
double* OutputRow(openmi_instance* me, int output, std::size_t* count) {
  if (count != nullptr) *count = 0;
  return Called(me, "output_row", kStart | kStep, static_cast<double*>(nullptr),
                [&](Instance& instance) { return Counted(instance.Declared().OutputRow(output), count); });
}
const double* LastRow(openmi_instance* me, int output, std::size_t* count) {
  if (count != nullptr) *count = 0;
  return Called(me, "last_row", kRunning, static_cast<const double*>(nullptr),
                [&](Instance& instance) { return Counted(instance.Declared().LastRow(output), count); });
}
int ShowRow(openmi_instance* me, int output, const double* values, std::size_t count) {
  return Done(me, "show_row", kStart | kStep,
              [&](Instance& instance) { instance.Declared().ShowRow(output, values, count); });
}
int Publish(openmi_instance* me, int output, double begin, double duration) {
  return Done(me, "publish", kStep,
              [&](Instance& instance) { instance.Declared().Publish(output, Finite(begin), Days{duration}); });
}
const void* InputBytes(openmi_instance* me, int input, std::size_t element, std::size_t* size) {
  if (size != nullptr) *size = 0;
  return Called(me, "input_bytes", kStep, static_cast<const void*>(nullptr), [&](Instance& instance) {
    const auto [bytes, count] = instance.Declared().InputBytes(input, element);
    if (size != nullptr) *size = count;
    return bytes;
  });
}
int SetBytes(openmi_instance* me, int output, std::size_t element, const void* bytes, std::size_t size) {
  return Done(me, "set_bytes", kStart | kStep,
              [&](Instance& instance) { instance.Declared().SetBytes(output, element, bytes, size); });
}

int WriteState(openmi_instance* me, const void* bytes, std::size_t size) {
  return Done(me, "write_state", kSave, [&](Instance& instance) {
    if (bytes == nullptr && size > 0) throw ArgumentError({}, "expected the bytes of a state, found null", "give them");
    instance.AddState({static_cast<const std::byte*>(bytes), size});
  });
}

int Warn(openmi_instance* me, const openmi_report* report) {
  return Done(me, "warn", kOfComponent & ~kDestroy,
              [&](Instance& instance) { instance.Warn(Taken(report, "openmi_report")); });
}
int Fail(openmi_instance* me, const openmi_report* report) {
  Done<Guest>(me, "fail", kNotDestroy, [&](Guest& guest) { guest.Fail(Taken(report, "openmi_report")); });
  return -1;
}
int CommunicatorOf(openmi_instance* me, int* handle, int* rank) {
  if (handle != nullptr) *handle = 0;
  if (rank != nullptr) *rank = 0;
  return Called(me, "communicator", kNotCreate, 0, [&](Instance& instance) {
    const Communicator* communicator = instance.Owner().OfRanks();
    if (communicator == nullptr) return 0;
    if (handle != nullptr) *handle = communicator->handle;
    if (rank != nullptr) *rank = communicator->rank;
    return communicator->size;
  });
}

}  // namespace

const openmi_host& HostTable() {
  static constexpr openmi_host kHost = {.size = sizeof(openmi_host),
                                        .version = kSdkVersion,
                                        .last_error = &LastError,
                                        .add_argument = &AddArgument,
                                        .add_elements = &AddElements,
                                        .set_attribute = &SetAttribute,
                                        .move_elements = &MoveElements,
                                        .add_input = &AddInput,
                                        .add_output = &AddOutput,
                                        .set_flag = &SetFlag,
                                        .set_description = &SetDescription,
                                        .set_family = &SetFamily,
                                        .set_time_step = &SetTimeStep,
                                        .set_default_times = &SetDefaultTimes,
                                        .set_output_times = &SetOutputTimes,
                                        .number = &Number,
                                        .integer = &Integer,
                                        .text = &Text,
                                        .has_value = &HasValue,
                                        .is_set = &IsSet,
                                        .path = &Path,
                                        .written_path = &WrittenPath,
                                        .name = &Name,
                                        .run_begin = &RunBegin,
                                        .run_end = &RunEnd,
                                        .expects_state = &ExpectsState,
                                        .is_linked = &IsLinked,
                                        .input_row = &InputRow,
                                        .output_row = &OutputRow,
                                        .last_row = &LastRow,
                                        .show_row = &ShowRow,
                                        .publish = &Publish,
                                        .input_bytes = &InputBytes,
                                        .set_bytes = &SetBytes,
                                        .write_state = &WriteState,
                                        .warn = &Warn,
                                        .fail = &Fail,
                                        .communicator = &CommunicatorOf};
  return kHost;
}

}  // namespace openmi::c
