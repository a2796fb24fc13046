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

template <double (Object::*Get)()>
int GetTime(::Bmi* self, double* time) {
  return With(self, [&](Object& model) { *time = (model.*Get)(); });
}
template <std::string (Object::*Get)()>
int GetText(::Bmi* self, char* text) {
  return With(self, [&](Object& model) { PutText(text, (model.*Get)()); });
}
template <int (Object::*Get)()>
int GetCount(::Bmi* self, int* count) {
  return With(self, [&](Object& model) { *count = (model.*Get)(); });
}
template <std::string (Object::*Get)(std::string)>
int GetTextOf(::Bmi* self, const char* name, char* text) {
  return With(self, [&](Object& model) { PutText(text, (model.*Get)(name)); });
}
template <int (Object::*Get)(std::string)>
int GetCountOf(::Bmi* self, const char* name, int* count) {
  return With(self, [&](Object& model) { *count = (model.*Get)(name); });
}
template <int (Object::*Get)(int)>
int GetOfGrid(::Bmi* self, int grid, int* count) {
  return With(self, [&](Object& model) { *count = (model.*Get)(grid); });
}
template <class Number, void (Object::*Get)(int, Number*)>
int GetArray(::Bmi* self, int grid, Number* values) {
  return With(self, [&](Object& model) { (model.*Get)(grid, values); });
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
  bmi.update = [](::Bmi* self) { return With(self, [](Object& model) { model.Update(); }); };
  bmi.update_until = [](::Bmi* self, double time) {
    return With(self, [&](Object& model) { model.UpdateUntil(time); });
  };
  bmi.finalize = [](::Bmi* self) { return With(self, [](Object& model) { model.Finalize(); }); };
  bmi.get_component_name = &GetText<&Object::GetComponentName>;
  bmi.get_input_item_count = &GetCount<&Object::GetInputItemCount>;
  bmi.get_output_item_count = &GetCount<&Object::GetOutputItemCount>;
  bmi.get_input_var_names = &GetNames<&Object::GetInputVarNames>;
  bmi.get_output_var_names = &GetNames<&Object::GetOutputVarNames>;
  bmi.get_var_grid = &GetCountOf<&Object::GetVarGrid>;
  bmi.get_var_type = &GetTextOf<&Object::GetVarType>;
  bmi.get_var_units = &GetTextOf<&Object::GetVarUnits>;
  bmi.get_var_itemsize = &GetCountOf<&Object::GetVarItemsize>;
  bmi.get_var_nbytes = &GetCountOf<&Object::GetVarNbytes>;
  bmi.get_var_location = &GetTextOf<&Object::GetVarLocation>;
  bmi.get_current_time = &GetTime<&Object::GetCurrentTime>;
  bmi.get_start_time = &GetTime<&Object::GetStartTime>;
  bmi.get_end_time = &GetTime<&Object::GetEndTime>;
  bmi.get_time_units = &GetText<&Object::GetTimeUnits>;
  bmi.get_time_step = &GetTime<&Object::GetTimeStep>;
  bmi.get_value = [](::Bmi* self, const char* name, void* to) {
    return With(self, [&](Object& model) { model.GetValue(name, to); });
  };
  bmi.get_value_ptr = [](::Bmi* self, const char* name, void** to) {
    return With(self, [&](Object& model) { *to = model.GetValuePtr(name); });
  };
  bmi.set_value = [](::Bmi* self, const char* name, void* from) {
    return With(self, [&](Object& model) { model.SetValue(name, from); });
  };
  bmi.get_grid_rank = &GetOfGrid<&Object::GetGridRank>;
  bmi.get_grid_size = &GetOfGrid<&Object::GetGridSize>;
  bmi.get_grid_type = [](::Bmi* self, int grid, char* type) {
    return With(self, [&](Object& model) { PutText(type, model.GetGridType(grid)); });
  };
  bmi.get_grid_shape = &GetArray<int, &Object::GetGridShape>;
  bmi.get_grid_spacing = &GetArray<double, &Object::GetGridSpacing>;
  bmi.get_grid_origin = &GetArray<double, &Object::GetGridOrigin>;
  bmi.get_grid_x = &GetArray<double, &Object::GetGridX>;
  bmi.get_grid_y = &GetArray<double, &Object::GetGridY>;
  bmi.get_grid_z = &GetArray<double, &Object::GetGridZ>;
  bmi.get_grid_node_count = &GetOfGrid<&Object::GetGridNodeCount>;
  bmi.get_grid_edge_count = &GetOfGrid<&Object::GetGridEdgeCount>;
  bmi.get_grid_face_count = &GetOfGrid<&Object::GetGridFaceCount>;
  bmi.get_grid_edge_nodes = &GetArray<int, &Object::GetGridEdgeNodes>;
  bmi.get_grid_face_edges = &GetArray<int, &Object::GetGridFaceEdges>;
  bmi.get_grid_face_nodes = &GetArray<int, &Object::GetGridFaceNodes>;
  bmi.get_grid_nodes_per_face = &GetArray<int, &Object::GetGridNodesPerFace>;
  return backing;
}

}  // namespace openmi::bmi
