#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "python/bindings/Convert.hpp"

namespace openmi::python {

/// The names of an enumeration of the composition file.
template <class E>
constexpr auto NamesOf() {
  if constexpr (std::is_same_v<E, Isolation>) return kIsolations;
  if constexpr (std::is_same_v<E, OnFailure>) return kOnFailures;
  if constexpr (std::is_same_v<E, LoopAnswer>) return kLoopAnswers;
  if constexpr (std::is_same_v<E, LoopOrder>) return kLoopOrders;
  if constexpr (std::is_same_v<E, LoopMethod>) return kLoopMethods;
  if constexpr (std::is_same_v<E, LoopGuess>) return kLoopGuesses;
  if constexpr (std::is_same_v<E, LoopFailure>) return kLoopFailures;
  if constexpr (std::is_same_v<E, ObserveAs>) return kObserveAs;
  if constexpr (std::is_same_v<E, RunMode>) return kRunModes;
  if constexpr (std::is_same_v<E, LatePolicy>) return kLatePolicies;
}

template <class T>
struct Member {
  static pybind11::object ToPython(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return pybind11::str(NamesOf<T>().NameOf(value));
    } else if constexpr (std::is_same_v<T, Stamp>) {
      return TimeToPython(value);
    } else if constexpr (std::is_same_v<T, Days>) {
      return SpanToPython(value);
    } else {
      return pybind11::cast(value);
    }
  }
  static T FromPython(pybind11::handle given, const char* name) {
    if constexpr (std::is_enum_v<T>) {
      return EnumFromPython(NamesOf<T>(), given.cast<std::string>(), name);
    } else if constexpr (std::is_same_v<T, Stamp>) {
      return TimeFromPython(given);
    } else if constexpr (std::is_same_v<T, Days>) {
      return SpanFromPython(given);
    } else {
      static_cast<void>(name);
      return given.cast<T>();
    }
  }
};
template <class T>
struct Member<std::optional<T>> {
  static pybind11::object ToPython(const std::optional<T>& value) {
    return value ? Member<T>::ToPython(*value) : pybind11::none();
  }
  static std::optional<T> FromPython(pybind11::handle given, const char* name) {
    return given.is_none() ? std::nullopt : std::optional<T>(Member<T>::FromPython(given, name));
  }
};
template <class T>
struct Member<std::vector<T>> {
  static pybind11::object ToPython(const std::vector<T>& values) {
    pybind11::tuple all(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) all[i] = Member<T>::ToPython(values[i]);
    return all;
  }
  static std::vector<T> FromPython(pybind11::handle given, const char* name) {
    std::vector<T> values;
    for (const pybind11::handle one : given) values.push_back(Member<T>::FromPython(one, name));
    return values;
  }
};
/// "component.item".
template <>
struct Member<ItemSpec> {
  static pybind11::object ToPython(const ItemSpec& item) { return pybind11::str(item.Text()); }
  static ItemSpec FromPython(pybind11::handle given, const char* name);
};

/// A struct of the composition file as an immutable class: made from keyword arguments, read by attributes.
template <class T>
class SpecClass {
 public:
  SpecClass(pybind11::module_& module, const char* name, const char* doc) : name_(name), class_(module, name, doc) {}

  template <class M>
  SpecClass& Field(const char* name, M T::*member, const char* doc) {
    class_.def_property_readonly(
        name, [member](const T& self) { return Member<M>::ToPython(self.*member); }, doc);
    fields_->push_back(
        {name, [member](const T& self) { return Member<M>::ToPython(self.*member); },
         [member, name](T& self, pybind11::handle given) { self.*member = Member<M>::FromPython(given, name); }});
    return *this;
  }

  /// Adds what makes and shows it, after all fields.
  void Done() {
    class_.def(pybind11::init([fields = fields_, name = name_](const pybind11::kwargs& given) {
      T made;
      for (const auto& [key, value] : given) {
        const auto wanted = pybind11::cast<std::string>(key);
        const auto field =
            std::find_if(fields->begin(), fields->end(), [&](const OneField& one) { return one.name == wanted; });
        if (field == fields->end()) throw pybind11::type_error(name + "() has no argument '" + wanted + "'");
        field->set(made, value);
      }
      return made;
    }));
    class_.def("__repr__", [fields = fields_, name = name_](const T& self) {
      const T usual;
      std::string text;
      for (const OneField& field : *fields) {
        const pybind11::object value = field.get(self);
        if (value.equal(field.get(usual))) continue;
        text += (text.empty() ? "" : ", ") + field.name + "=" + std::string(pybind11::str(pybind11::repr(value)));
      }
      return name + "(" + text + ")";
    });
  }

 private:
  struct OneField {
    std::string name;
    std::function<pybind11::object(const T&)> get;
    std::function<void(T&, pybind11::handle)> set;
  };
  std::string name_;
  pybind11::class_<T> class_;
  std::shared_ptr<std::vector<OneField>> fields_ = std::make_shared<std::vector<OneField>>();
};

}  // namespace openmi::python
