#include <exception>
#include <vector>

#include "bmi-bridge/abi/bmi.hxx"
#include "bmi-bridge/model/HandOver.hpp"
#include "openmi/sdk/Error.hpp"

namespace openmi::bmi {
namespace {

class ObjectBacking final : public Backing {
 public:
  ObjectBacking(::bmi::Bmi* model, void (*destroy)(::bmi::Bmi*)) : object(model), destroy_(destroy) {}
  ~ObjectBacking() override {
    try {
      destroy_(object);
    } catch (...) {  // from a third-party destructor; no caller can receive it
    }
  }
  ::bmi::Bmi* object;

 private:
  void (*destroy_)(::bmi::Bmi*);
};

/// Calls `work` with the object, and keeps the message of an exception.
template <class Work>
int With(::Bmi* self, const Work& work) {
  auto& backing = *static_cast<ObjectBacking*>(self->data);
  try {
    work(*backing.object);
    return BMI_SUCCESS;
  } catch (const std::exception& error) {
    backing.message = error.what();
  } catch (...) {
    backing.message = "an exception that is not a std::exception";
  }
  return BMI_FAILURE;
}

using Object = ::bmi::Bmi;

void Put(char* to, const std::string& text) {
  PutText(to, text);
}
template <class T>
void Put(T* to, T value) {
  *to = value;
}

/// A function without a result.
template <auto kDo, class... Parameters>
int Do(::Bmi* self, Parameters... parameters) {
  return With(self, [&](Object& model) { (model.*kDo)(parameters...); });
}
/// A function that returns what the C binding writes to its last parameter.
template <auto kGet, class To>
int Get(::Bmi* self, To* to) {
  return With(self, [&](Object& model) { Put(to, (model.*kGet)()); });
}
template <auto kGet, class Of, class To>
int GetOf(::Bmi* self, Of of, To* to) {
  return With(self, [&](Object& model) { Put(to, (model.*kGet)(of)); });
}
template <std::vector<std::string> (Object::*Get)()>
int GetNames(::Bmi* self, char** names) {
  return With(self, [&](Object& model) {
    const auto count = static_cast<std::size_t>(static_cast<ObjectBacking*>(self->data)->count);
    const std::vector<std::string> list = (model.*Get)();
    for (std::size_t i = 0; i < list.size() && i < count; ++i) PutText(names[i], list[i]);
  });
}

}  // namespace

std::unique_ptr<Backing> HandOverObject(::Bmi& bmi, const FindFunction& find) {
  auto* const create = reinterpret_cast<Object* (*)()>(find("bmi_model_create"));
  auto* const destroy = reinterpret_cast<void (*)(Object*)>(find("bmi_model_destroy"));
  Object* object = nullptr;
  std::string reason = "a null pointer";
  try {
    object = create();
  } catch (const std::exception& error) {
    reason = error.what();
  }
  if (object == nullptr) throw LoadError({}, "expected bmi_model_create to return a model, found: " + reason);
  auto backing = std::make_unique<ObjectBacking>(object, destroy);
  bmi.data = backing.get();
  bmi.initialize = [](::Bmi* self, const char* config) {
    return With(self, [&](Object& model) { model.Initialize(config != nullptr ? config : ""); });
  };
  bmi.update = &Do<&Object::Update>;
  bmi.update_until = &Do<&Object::UpdateUntil>;
  bmi.finalize = &Do<&Object::Finalize>;
  bmi.get_component_name = &Get<&Object::GetComponentName>;
  bmi.get_input_item_count = &Get<&Object::GetInputItemCount>;
  bmi.get_output_item_count = &Get<&Object::GetOutputItemCount>;
  bmi.get_input_var_names = &GetNames<&Object::GetInputVarNames>;
  bmi.get_output_var_names = &GetNames<&Object::GetOutputVarNames>;
  bmi.get_var_grid = &GetOf<&Object::GetVarGrid>;
  bmi.get_var_type = &GetOf<&Object::GetVarType>;
  bmi.get_var_units = &GetOf<&Object::GetVarUnits>;
  bmi.get_var_itemsize = &GetOf<&Object::GetVarItemsize>;
  bmi.get_var_nbytes = &GetOf<&Object::GetVarNbytes>;
  bmi.get_var_location = &GetOf<&Object::GetVarLocation>;
  bmi.get_current_time = &Get<&Object::GetCurrentTime>;
  bmi.get_start_time = &Get<&Object::GetStartTime>;
  bmi.get_end_time = &Get<&Object::GetEndTime>;
  bmi.get_time_units = &Get<&Object::GetTimeUnits>;
  bmi.get_time_step = &Get<&Object::GetTimeStep>;
  bmi.get_value = &Do<&Object::GetValue>;
  bmi.get_value_ptr = &GetOf<&Object::GetValuePtr>;
  bmi.set_value = &Do<&Object::SetValue>;
  bmi.get_grid_rank = &GetOf<&Object::GetGridRank>;
  bmi.get_grid_size = &GetOf<&Object::GetGridSize>;
  bmi.get_grid_type = &GetOf<&Object::GetGridType>;
  bmi.get_grid_shape = &Do<&Object::GetGridShape>;
  bmi.get_grid_spacing = &Do<&Object::GetGridSpacing>;
  bmi.get_grid_origin = &Do<&Object::GetGridOrigin>;
  bmi.get_grid_x = &Do<&Object::GetGridX>;
  bmi.get_grid_y = &Do<&Object::GetGridY>;
  bmi.get_grid_z = &Do<&Object::GetGridZ>;
  bmi.get_grid_node_count = &GetOf<&Object::GetGridNodeCount>;
  bmi.get_grid_edge_count = &GetOf<&Object::GetGridEdgeCount>;
  bmi.get_grid_face_count = &GetOf<&Object::GetGridFaceCount>;
  bmi.get_grid_edge_nodes = &Do<&Object::GetGridEdgeNodes>;
  bmi.get_grid_face_edges = &Do<&Object::GetGridFaceEdges>;
  bmi.get_grid_face_nodes = &Do<&Object::GetGridFaceNodes>;
  bmi.get_grid_nodes_per_face = &Do<&Object::GetGridNodesPerFace>;
  return backing;
}

}  // namespace openmi::bmi
