#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <new>
#include <utility>

#include "bmi-bridge/model/Model.hpp"

namespace openmi::bmi {
namespace {

const std::string kCreate = "ngen::serialization_create";
const std::string kSize = "ngen::serialization_size";
const std::string kState = "ngen::serialization_state";
const std::string kFree = "ngen::serialization_free";
constexpr std::int64_t kLargest = std::int64_t{1} << 40;  // bytes

bool IsLong(Model& model) {
  return model.VarItemsize(kSize).value_or(4) == 8;  // version 0.1: int, 0.2: int or a 64-bit integer
}

void Trigger(Model& model, const std::string& name) {
  std::int64_t ignored = 0;
  model.SetValue(name, &ignored);
}

/// Releases the copy of the state in the model.
class Copy {
 public:
  explicit Copy(Model& model) : model_(model) { Trigger(model_, kCreate); }
  ~Copy() {
    try {
      Trigger(model_, kFree);
    } catch (const Error&) {  // the model keeps its copy until the next one
    }
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

 private:
  Model& model_;
};

}  // namespace

bool OffersSerialization(Model& model) {
  const std::array<std::pair<const std::string*, const char*>, 4> wanted = {
      {{&kCreate, "ngen::trigger"}, {&kSize, "bytes"}, {&kState, "ngen::opaque"}, {&kFree, "ngen::trigger"}}};
  for (const auto& [name, units] : wanted) {
    if (model.VarUnits(*name) != units) return false;
  }
  return true;
}

Bytes Serialized(Model& model) {
  const Copy copy(model);
  std::int64_t size = 0;
  if (IsLong(model)) {
    model.GetValue(kSize, &size);
  } else {
    std::int32_t small = 0;
    model.GetValue(kSize, &small);
    size = small;
  }
  const auto refuse = [&] {
    throw ModelError(model.Place(kSize), fmt::format("expected the size of a state, found {} bytes", size),
                     "set states = none to run without states");
  };
  if (size <= 0 || size > kLargest) refuse();
  try {
    Bytes bytes(static_cast<std::size_t>(size));
    model.GetValue(kState, bytes.data());
    return bytes;
  } catch (const std::bad_alloc&) {
    refuse();
  }
  return {};
}

void Deserialize(Model& model, ByteView state) {
  // The announcement is new in version 0.2; before, the bytes had to contain their length.
  const auto announce = [&](auto size) {
    try {
      model.SetValue(kSize, &size);
    } catch (const ModelError&) {  // a model of version 0.1
    }
  };
  if (IsLong(model)) {
    announce(static_cast<std::int64_t>(state.size()));
  } else {
    announce(static_cast<std::int32_t>(state.size()));
  }
  Bytes bytes(state.begin(), state.end());
  model.SetValue(kState, bytes.data());
}

}  // namespace openmi::bmi
