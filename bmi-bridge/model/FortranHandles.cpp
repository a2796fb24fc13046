// Fortran models with handles: a box whose address is passed, or a number.
#include <cctype>

#include "bmi-bridge/model/FunctionTable.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::bmi {

FortranType FortranTypeOf(const std::string& type, int itemsize) {
  std::string lower;
  for (const char sign : type) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(sign)));
  const auto has = [&lower](const char* part) { return lower.find(part) != std::string::npos; };
  if (has("int") || has("logical") || has("long") || has("bool")) return FortranType::Integer;
  const bool is_single = itemsize == 4 || (itemsize != 8 && !has("8") && (has("real") || has("float")));
  return is_single ? FortranType::Float : FortranType::Double;
}

void* TableBacking::For(const std::array<void*, 3>& typed, ::Bmi* self, const char* name) {
  auto found = types.find(std::string_view(name));
  if (found == types.end()) {
    char type[2 * BMI_MAX_TYPE_NAME] = {};
    int itemsize = 0;
    if (self->get_var_type != nullptr) self->get_var_type(self, name, type);
    if (self->get_var_itemsize != nullptr) self->get_var_itemsize(self, name, &itemsize);
    type[sizeof(type) - 1] = '\0';
    found = types.emplace(name, FortranTypeOf(type, itemsize)).first;
  }
  void* const function = typed[static_cast<std::size_t>(found->second)];
  if (function == nullptr) message = "the library has no such function for values of this type";
  return function;
}

namespace {

class BoxBacking final : public TableBacking {
 public:
  void* handle = nullptr;
};

/// Passes the address of the handle first; numbers by pointer.
struct Box : ByPointer {
  using Backing = BoxBacking;
  static std::tuple<void**> Handle(BoxBacking& backing) { return {&backing.handle}; }
  using ByPointer::Pass;
  /// Fortran reads a text up to its zero, so each text is passed with one.
  template <std::size_t>
  static std::tuple<const char*> Pass(TableBacking&, const char*& text) {
    return {text != nullptr ? text : ""};
  }
};

int BoxValue(const std::array<void*, 3> TableBacking::*typed, ::Bmi* self, const char* name, void* values) {
  auto& backing = *static_cast<BoxBacking*>(self->data);
  void* const function = backing.For(backing.*typed, self, name);
  if (function == nullptr) return BMI_FAILURE;
  return reinterpret_cast<int (*)(void**, const char*, void*)>(function)(&backing.handle, name, values);
}

class NumberBacking final : public TableBacking {
 public:
  int number = 0;
};

constexpr bool IsArraySlot(std::size_t slot) {
  return slot == Slot_get_grid_shape || slot == Slot_get_grid_spacing || slot == Slot_get_grid_origin ||
         slot == Slot_get_grid_x || slot == Slot_get_grid_y || slot == Slot_get_grid_z ||
         slot == Slot_get_grid_edge_nodes || slot == Slot_get_grid_face_edges || slot == Slot_get_grid_face_nodes ||
         slot == Slot_get_grid_nodes_per_face;
}

/// Passes the number first; after each text its length, after each array the number of its values.
struct Number {
  using Backing = NumberBacking;
  static std::tuple<int> Handle(const NumberBacking& backing) { return {backing.number}; }
  template <std::size_t, class T>
  static std::tuple<T> Pass(TableBacking&, T& value) {
    return {value};
  }
  template <std::size_t>
  static std::tuple<const char*, int> Pass(TableBacking&, const char*& text) {
    return {text != nullptr ? text : "", text != nullptr ? static_cast<int>(std::strlen(text)) : 0};
  }
  template <std::size_t>
  static std::tuple<char*, int> Pass(TableBacking&, char*& text) {
    return {text, BMI_MAX_UNITS_NAME};
  }
  template <std::size_t>
  static std::tuple<char**, int> Pass(TableBacking& backing, char**& names) {
    return {names, backing.count};
  }
  template <std::size_t kSlot>
  static auto Pass(TableBacking& backing, int*& values) {
    return PassArray<kSlot>(backing, values);
  }
  template <std::size_t kSlot>
  static auto Pass(TableBacking& backing, double*& values) {
    return PassArray<kSlot>(backing, values);
  }

 private:
  template <std::size_t kSlot, class T>
  static auto PassArray(const TableBacking& backing, T* values) {
    if constexpr (IsArraySlot(kSlot)) {
      return std::tuple<T*, int>{values, backing.count};
    } else {
      return std::tuple<T*>{values};
    }
  }
};

int NumberValue(const std::array<void*, 3> TableBacking::*typed, ::Bmi* self, const char* name, void* values) {
  auto& backing = *static_cast<NumberBacking*>(self->data);
  void* const function = backing.For(backing.*typed, self, name);
  int nbytes = 0;
  int itemsize = 0;
  if (function == nullptr || self->get_var_nbytes == nullptr || self->get_var_itemsize == nullptr ||
      self->get_var_nbytes(self, name, &nbytes) != BMI_SUCCESS ||
      self->get_var_itemsize(self, name, &itemsize) != BMI_SUCCESS || itemsize <= 0) {
    return BMI_FAILURE;
  }
  using Function = int (*)(int, const char*, int, void*, int);
  return reinterpret_cast<Function>(function)(backing.number, name, static_cast<int>(std::strlen(name)), values,
                                              nbytes / itemsize);
}

}  // namespace

std::unique_ptr<Backing> HandOverBox(::Bmi& bmi, const FindFunction& find, const std::string& entry) {
  auto backing = std::make_unique<BoxBacking>();
  reinterpret_cast<int (*)(void**)>(find(entry.c_str()))(&backing->handle);
  if (backing->handle == nullptr) {
    throw LoadError({}, "expected " + entry + " to make a handle, found that it stayed null");
  }
  FillFrom<Box>(bmi, *backing, find, "");
  backing->getters = TableBacking::Typed(find, "get_value_");
  backing->setters = TableBacking::Typed(find, "set_value_");
  bmi.get_value = [](::Bmi* self, const char* name, void* to) {
    return BoxValue(&TableBacking::getters, self, name, to);
  };
  bmi.get_value_ptr = nullptr;  // the Fortran layer gives no addresses of arrays
  bmi.set_value = [](::Bmi* self, const char* name, void* from) {
    return BoxValue(&TableBacking::setters, self, name, from);
  };
  return backing;
}

std::unique_ptr<Backing> HandOverInteger(::Bmi& bmi, const FindFunction& find) {
  auto backing = std::make_unique<NumberBacking>();
  backing->number = reinterpret_cast<int (*)()>(find("bmi_new"))();
  if (backing->number < 0) {
    throw LoadError({}, "expected bmi_new to give another model, found " + std::to_string(backing->number),
                    "the library has no more than it is using");
  }
  FillFrom<Number>(bmi, *backing, find, "bmi_");
  backing->getters = TableBacking::Typed(find, "bmi_get_value_");
  backing->setters = TableBacking::Typed(find, "bmi_set_value_");
  bmi.get_value = [](::Bmi* self, const char* name, void* to) {
    return NumberValue(&TableBacking::getters, self, name, to);
  };
  bmi.set_value = [](::Bmi* self, const char* name, void* from) {
    return NumberValue(&TableBacking::setters, self, name, from);
  };
  return backing;
}

}  // namespace openmi::bmi
