#pragma once

#include <array>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "bmi-bridge/model/Backing.hpp"
#include "bmi-bridge/model/HandOver.hpp"

namespace openmi::bmi {

/// The positions of the functions of the binding, for tables.
enum Slot : std::size_t {
#define OPENMI_BMI_SLOT(name) Slot_##name,
  OPENMI_BMI_FUNCTIONS(OPENMI_BMI_SLOT)
#undef OPENMI_BMI_SLOT
      kSlotCount
};

/// The addresses by slot of the functions of a library that exports them one by one.
class TableBacking : public Backing {
 public:
  std::array<void*, kSlotCount> functions{};
  std::array<void*, 3> getters{};  ///< by FortranType, if there is one function for each type
  std::array<void*, 3> setters{};
  std::array<void*, 3> pointers{};
  std::map<std::string, FortranType, std::less<>> types;  ///< of the variables requested so far

  /// Finds the functions `<prefix>int`, `<prefix>float` and `<prefix>double`.
  static std::array<void*, 3> Typed(const FindFunction& find, const std::string& prefix) {
    return {find((prefix + "int").c_str()), find((prefix + "float").c_str()), find((prefix + "double").c_str())};
  }
  static bool IsThere(const std::array<void*, 3>& typed) { return typed[0] || typed[1] || typed[2]; }
  /// The function of `typed` for the type of a variable; null, with a message, if there is none.
  void* For(const std::array<void*, 3>& typed, ::Bmi* self, const char* name);
};

/// Calls the function of a slot and passes the arguments as `Convention` requires.
///
/// First come the values of `Convention::Handle(backing)`, then for each argument those of
/// `Convention::Pass<slot>(backing, argument)`; both return tuples.
template <class Convention, std::size_t kSlot, class... Parameters>
int CallSlot(::Bmi* self, Parameters... parameters) {
  auto& backing = *static_cast<typename Convention::Backing*>(self->data);
  return std::apply(
      [&backing](auto... passed) {
        return reinterpret_cast<int (*)(decltype(passed)...)>(backing.functions[kSlot])(passed...);
      },
      std::tuple_cat(Convention::Handle(backing), Convention::template Pass<kSlot>(backing, parameters)...));
}

template <class Convention, std::size_t kSlot, class... Parameters>
void FillSlot(int (*&member)(::Bmi*, Parameters...), TableBacking& backing, void* function) {
  backing.functions[kSlot] = function;
  member = function != nullptr ? &CallSlot<Convention, kSlot, Parameters...> : nullptr;
}

/// Fills the struct with all functions that `find` finds under the names `<prefix><name>`.
template <class Convention>
void FillFrom(::Bmi& bmi, TableBacking& backing, const FindFunction& find, const std::string& prefix) {
#define OPENMI_BMI_FILL(name) FillSlot<Convention, Slot_##name>(bmi.name, backing, find((prefix + #name).c_str()));
  OPENMI_BMI_FUNCTIONS(OPENMI_BMI_FILL)
#undef OPENMI_BMI_FILL
  bmi.data = &backing;
}

/// Passes numbers by value, as C does.
struct ByValue {
  template <std::size_t, class T>
  static std::tuple<T> Pass(TableBacking&, T& value) {
    return {value};
  }
};

/// Passes numbers by pointer, as Fortran does; other arguments unchanged.
struct ByPointer {
  template <std::size_t, class T>
  static std::tuple<T> Pass(TableBacking&, T& value) {
    return {value};
  }
  template <std::size_t>
  static std::tuple<int*> Pass(TableBacking&, int& value) {
    return {&value};
  }
  template <std::size_t>
  static std::tuple<double*> Pass(TableBacking&, double& value) {
    return {&value};
  }
};

}  // namespace openmi::bmi
