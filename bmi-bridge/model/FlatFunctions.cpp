// Models that are functions without a handle: one for each process, in one of three forms.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "bmi-bridge/model/FunctionTable.hpp"

namespace openmi::bmi {
namespace {

struct FlatOfC : ByValue {
  using Backing = TableBacking;
  static std::tuple<> Handle(TableBacking&) { return {}; }
};

// ---- The form of Fortran (MODFLOW 6).

/// Uses the length of names that the library gives; at most the size of the buffers of the binding.
class BlockBacking final : public TableBacking {
 public:
  std::size_t name_size = 0;
};

struct FlatOfFortran : ByPointer {
  using Backing = BlockBacking;
  static std::tuple<> Handle(BlockBacking&) { return {}; }
};

template <std::size_t kSlot>
int NamesFromBlock(::Bmi* self, char** names) {
  auto& backing = *static_cast<BlockBacking*>(self->data);
  const auto count = static_cast<std::size_t>(backing.count);
  std::vector<char> block((count + 1) * backing.name_size, '\0');
  const int status = reinterpret_cast<int (*)(char*)>(backing.functions[kSlot])(block.data());
  if (status != BMI_SUCCESS) return status;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view entry(block.data() + i * backing.name_size, backing.name_size);
    PutText(names[i], entry.substr(0, entry.find('\0')));
  }
  return BMI_SUCCESS;
}

/// Passes the values through the address of a pointer.
int ValueByAddress(const std::array<void*, 3> TableBacking::*typed, ::Bmi* self, const char* name, void** values) {
  auto& backing = *static_cast<BlockBacking*>(self->data);
  void* const function = backing.For(backing.*typed, self, name);
  if (function == nullptr) return BMI_FAILURE;
  const int status = reinterpret_cast<int (*)(const char*, void**)>(function)(name, values);
  if (status != BMI_SUCCESS) {
    if (void* const last = backing.pointers[1]) {
      char text[2 * BMI_MAX_UNITS_NAME] = {};
      reinterpret_cast<int (*)(char*)>(last)(text);
      text[sizeof(text) - 1] = '\0';
      backing.message = text;
    }
  }
  return status;
}

std::unique_ptr<Backing> HandOverBlock(::Bmi& bmi, const FindFunction& find) {
  auto backing = std::make_unique<BlockBacking>();
  const int length = *static_cast<const int*>(find("BMI_LENVARADDRESS"));
  backing->name_size = static_cast<std::size_t>(std::clamp(length, 1, BMI_MAX_VAR_NAME));
  FillFrom<FlatOfFortran>(bmi, *backing, find, "");
  if (bmi.get_input_var_names != nullptr) bmi.get_input_var_names = &NamesFromBlock<Slot_get_input_var_names>;
  if (bmi.get_output_var_names != nullptr) bmi.get_output_var_names = &NamesFromBlock<Slot_get_output_var_names>;
  backing->getters = TableBacking::Typed(find, "get_value_ptr_");
  backing->setters = TableBacking::Typed(find, "set_value_");
  backing->pointers[1] = find("get_last_bmi_error");
  bmi.get_value = [](::Bmi* self, const char* name, void* to) {
    void* from = nullptr;
    int nbytes = 0;
    if (self->get_var_nbytes == nullptr || self->get_var_nbytes(self, name, &nbytes) != BMI_SUCCESS || nbytes < 0) {
      return BMI_FAILURE;
    }
    const int status = ValueByAddress(&TableBacking::getters, self, name, &from);
    if (status == BMI_SUCCESS && from != nullptr) std::memcpy(to, from, static_cast<std::size_t>(nbytes));
    return status;
  };
  bmi.get_value_ptr = [](::Bmi* self, const char* name, void** to) {
    return ValueByAddress(&TableBacking::getters, self, name, to);
  };
  bmi.set_value = [](::Bmi* self, const char* name, void* from) {
    return ValueByAddress(&TableBacking::setters, self, name, &from);
  };
  return backing;
}

// ---- The form before BMI 2 (engines that DIMR couples).

class OldBacking final : public TableBacking {
 public:
  int (*update)(double) = nullptr;
  void (*get_var)(const char*, void**) = nullptr;
  void (*set_var)(const char*, const void*) = nullptr;
  void (*get_var_count)(int*) = nullptr;
  void (*get_var_name)(int, char*) = nullptr;
  void (*get_var_rank)(const char*, int*) = nullptr;
  void (*get_var_shape)(const char*, int*) = nullptr;
};

OldBacking& OldOf(::Bmi* self) {
  return *static_cast<OldBacking*>(self->data);
}

/// The number of values of a variable: the product of its shape, 1 for a scalar; -1: the library does not give it.
int OldCount(OldBacking& backing, const char* name) {
  if (backing.get_var_rank == nullptr || backing.get_var_shape == nullptr) return -1;
  int rank = -1;
  backing.get_var_rank(name, &rank);
  if (rank < 0 || rank > 6) return -1;
  int shape[6 + 8] = {};
  if (rank > 0) backing.get_var_shape(name, shape);
  std::int64_t count = 1;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] < 0) return -1;
    count *= shape[i];
    if (count > 1'000'000'000) return -1;
  }
  return static_cast<int>(count);
}

int OldItemsize(::Bmi* self, const char* name, int* bytes) {
  char type[2 * BMI_MAX_TYPE_NAME] = {};
  if (self->get_var_type == nullptr) return BMI_FAILURE;
  self->get_var_type(self, name, type);
  type[sizeof(type) - 1] = '\0';
  *bytes = FortranTypeOf(type, 0) == FortranType::Double ? 8 : 4;
  return BMI_SUCCESS;
}

/// These functions return nothing, or nothing reliable: they count as successful.
template <std::size_t kSlot, class... Parameters>
int OldCall(::Bmi* self, Parameters... parameters) {
  reinterpret_cast<void (*)(Parameters...)>(OldOf(self).functions[kSlot])(parameters...);
  return BMI_SUCCESS;
}
template <std::size_t kSlot, class... Parameters>
void FillOld(int (*&member)(::Bmi*, Parameters...), OldBacking& backing, void* function) {
  backing.functions[kSlot] = function;
  member = function != nullptr ? &OldCall<kSlot, Parameters...> : nullptr;
}

std::unique_ptr<Backing> HandOverOld(::Bmi& bmi, const FindFunction& find) {
  auto backing = std::make_unique<OldBacking>();
  const auto take = [&find](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find(name));
  };
  take(backing->update, "update");
  take(backing->get_var, "get_var");
  take(backing->set_var, "set_var");
  take(backing->get_var_count, "get_var_count");
  take(backing->get_var_name, "get_var_name");
  take(backing->get_var_rank, "get_var_rank");
  take(backing->get_var_shape, "get_var_shape");
  FillSlot<FlatOfC, Slot_initialize>(bmi.initialize, *backing, find("initialize"));
  FillSlot<FlatOfC, Slot_finalize>(bmi.finalize, *backing, find("finalize"));
  FillOld<Slot_get_var_type>(bmi.get_var_type, *backing, find("get_var_type"));
  FillOld<Slot_get_start_time>(bmi.get_start_time, *backing, find("get_start_time"));
  FillOld<Slot_get_end_time>(bmi.get_end_time, *backing, find("get_end_time"));
  FillOld<Slot_get_current_time>(bmi.get_current_time, *backing, find("get_current_time"));
  FillOld<Slot_get_time_step>(bmi.get_time_step, *backing, find("get_time_step"));
  bmi.data = backing.get();
  if (backing->update != nullptr) {  // takes a length of time, so that it can reach any time
    bmi.update_until = [](::Bmi* self, double then) {
      double now = 0.0;
      if (self->get_current_time == nullptr) return BMI_FAILURE;
      self->get_current_time(self, &now);
      return OldOf(self).update(then - now);
    };
    bmi.update = [](::Bmi* self) {
      double step = 0.0;
      if (self->get_time_step == nullptr) return BMI_FAILURE;
      self->get_time_step(self, &step);
      return OldOf(self).update(step);
    };
  }
  const auto count_all = [](::Bmi* self, int* count) {
    if (OldOf(self).get_var_count == nullptr || OldOf(self).get_var_name == nullptr) return BMI_FAILURE;
    OldOf(self).get_var_count(count);
    return BMI_SUCCESS;
  };
  const auto name_all = [](::Bmi* self, char** names) {
    for (int i = 0; i < OldOf(self).count; ++i) OldOf(self).get_var_name(i, names[i]);
    return BMI_SUCCESS;
  };
  bmi.get_input_item_count = count_all;
  bmi.get_output_item_count = count_all;
  bmi.get_input_var_names = name_all;
  bmi.get_output_var_names = name_all;
  bmi.get_var_itemsize = &OldItemsize;
  bmi.get_var_nbytes = [](::Bmi* self, const char* name, int* bytes) {
    const int count = OldCount(OldOf(self), name);
    int itemsize = 0;
    if (count < 0 || OldItemsize(self, name, &itemsize) != BMI_SUCCESS) return BMI_FAILURE;
    *bytes = count * itemsize;
    return BMI_SUCCESS;
  };
  bmi.get_value = [](::Bmi* self, const char* name, void* to) {
    void* from = nullptr;
    int nbytes = 0;
    if (OldOf(self).get_var == nullptr || self->get_var_nbytes(self, name, &nbytes) != BMI_SUCCESS) return BMI_FAILURE;
    OldOf(self).get_var(name, &from);  // valid until the next call: copied at once
    if (from == nullptr) return BMI_FAILURE;
    std::memcpy(to, from, static_cast<std::size_t>(nbytes));
    return BMI_SUCCESS;
  };
  bmi.set_value = [](::Bmi* self, const char* name, void* from) {
    if (OldOf(self).set_var == nullptr) return BMI_FAILURE;
    OldOf(self).set_var(name, from);
    return BMI_SUCCESS;
  };
  return backing;
}

}  // namespace

std::unique_ptr<Backing> HandOverFlat(::Bmi& bmi, const FindFunction& find) {
  if (find("BMI_LENVARADDRESS") != nullptr) return HandOverBlock(bmi, find);
  if (find("get_var") != nullptr && find("get_value") == nullptr) return HandOverOld(bmi, find);
  auto backing = std::make_unique<TableBacking>();
  FillFrom<FlatOfC>(bmi, *backing, find, "");
  return backing;
}

}  // namespace openmi::bmi
