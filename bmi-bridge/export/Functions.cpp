// The library that offers compositions and components as BMI models: register_bmi, and the functions that it fills in.
//
// The configuration file of `initialize` is a composition or an OMI file, so one library serves all. Errors are one
// line on standard error, since BMI has no function that gives them.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "bmi-bridge/abi/bmi.h"
#include "bmi-bridge/export/ExportedRun.hpp"
#include "openmi/sdk/Error.hpp"

namespace {

using openmi::bmi::ExportedGrid;
using openmi::bmi::ExportedRun;
using openmi::bmi::ExportedVariable;

constexpr const char* kCreate = "ngen::serialization_create";
constexpr const char* kSize = "ngen::serialization_size";
constexpr const char* kState = "ngen::serialization_state";
constexpr const char* kFree = "ngen::serialization_free";

/// The data of one model.
struct Data {
  explicit Data(const char* config) : run(config) {}
  ExportedRun run;
  openmi::Bytes copy;     ///< of a state, after its length: versions before 0.2 of the protocol do not announce it
  std::int32_t size = 0;  ///< of `copy`
  int keeps_states = -1;  ///< whether all components do; -1: not asked yet
};

Data& Of(Bmi* self) {
  if (self->data == nullptr)
    throw openmi::StateError({}, "expected an initialized model, found none", "call initialize");
  return *static_cast<Data*>(self->data);
}
ExportedRun& Run(Bmi* self) {
  return Of(self).run;
}

/// Calls `work`; nothing that it throws reaches the caller.
template <class Work>
int Guarded(const char* function, Work&& work) {
  try {
    work();
    return BMI_SUCCESS;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "openmi: %s: %s\n", function, error.what());
  } catch (...) {
    std::fprintf(stderr, "openmi: %s: an exception that is not a std::exception\n", function);
  }
  return BMI_FAILURE;
}

void PutText(char* to, const std::string& text) {
  const std::size_t size = std::min<std::size_t>(text.size(), BMI_MAX_VAR_NAME - 1);
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
}

bool IsReserved(Bmi* self, const char* name) {
  if (std::strncmp(name, "ngen::serialization_", 20) != 0) return false;
  Data& data = Of(self);
  if (data.keeps_states < 0) data.keeps_states = data.run.KeepsStates() ? 1 : 0;
  return data.keeps_states == 1;
}
bool Is(const char* name, const char* reserved) {
  return std::strcmp(name, reserved) == 0;
}

const ExportedGrid& GridOf(Bmi* self, int grid) {
  const std::vector<ExportedGrid>& grids = Run(self).Grids();
  if (grid < 0 || static_cast<std::size_t>(grid) >= grids.size()) {
    throw openmi::RangeError({}, "expected the number of a grid, found " + std::to_string(grid), "see get_var_grid");
  }
  return grids[static_cast<std::size_t>(grid)];
}
template <class Number>
void Copy(const std::vector<Number>& from, Number* to) {
  if (from.empty()) throw openmi::RangeError({}, "expected a grid that has this, found another", "see get_grid_type");
  std::ranges::copy(from, to);
}

int Count(Bmi* self, int* count, bool is_input) {
  return Guarded("get_item_count", [&] {
    *count = static_cast<int>(std::ranges::count(Run(self).Variables(), is_input, &ExportedVariable::is_input));
  });
}
int Names(Bmi* self, char** names, bool is_input) {
  return Guarded("get_var_names", [&] {
    for (const ExportedVariable& variable : Run(self).Variables()) {
      if (variable.is_input == is_input) PutText(*names++, variable.name);
    }
  });
}

void SetReserved(Data& data, const char* name, const void* from) {
  if (Is(name, kCreate)) {
    const openmi::Bytes state = data.run.State();
    const std::uint64_t length = state.size();
    if (length > INT32_MAX - sizeof length)
      throw openmi::RangeError({}, "expected a state below 2 GiB, found a larger one");
    data.copy.resize(sizeof length);
    std::memcpy(data.copy.data(), &length, sizeof length);
    data.copy.insert(data.copy.end(), state.begin(), state.end());
    data.size = static_cast<std::int32_t>(data.copy.size());
  } else if (Is(name, kFree)) {
    data.copy = {};
    data.size = 0;
  } else if (Is(name, kSize)) {
    std::memcpy(&data.size, from, sizeof data.size);
  } else {
    std::uint64_t length = 0;
    std::memcpy(&length, from, sizeof length);
    const bool is_announced = data.size > 0;
    if (length > INT32_MAX || (is_announced && length + sizeof length != static_cast<std::uint64_t>(data.size))) {
      throw openmi::FormatError({}, "expected a state of this library, found other bytes", "give what it gave");
    }
    const auto* const bytes = static_cast<const std::byte*>(from) + sizeof length;
    data.run.SetState({bytes, static_cast<std::size_t>(length)});
  }
}
void GetReserved(const Data& data, const char* name, void* to) {
  if (Is(name, kSize)) std::memcpy(to, &data.size, sizeof data.size);
  if (!Is(name, kState)) return;
  if (data.copy.empty())
    throw openmi::StateError({}, "expected a state that was created, found none", "create it first");
  std::memcpy(to, data.copy.data(), data.copy.size());
}

int Initialize(Bmi* self, const char* config) {
  return Guarded("initialize", [&] {
    if (self->data != nullptr) throw openmi::StateError({}, "expected a new model, found one that is initialized");
    self->data = std::make_unique<Data>(config != nullptr ? config : "").release();
  });
}
int Update(Bmi* self) {
  return Guarded("update", [&] { Run(self).AdvanceTo(Run(self).Now() + Run(self).StepLength()); });
}
int UpdateUntil(Bmi* self, double then) {
  return Guarded("update_until", [&] { Run(self).AdvanceTo(then); });
}
int Finalize(Bmi* self) {
  return Guarded("finalize", [&] {
    const std::unique_ptr<Data> data(static_cast<Data*>(std::exchange(self->data, nullptr)));
    if (data != nullptr) data->run.Finish();
  });
}

int Name(Bmi* self, char* name) {
  return Guarded("get_component_name", [&] { PutText(name, Run(self).Name()); });
}
int InputCount(Bmi* self, int* count) {
  return Count(self, count, true);
}
int OutputCount(Bmi* self, int* count) {
  return Count(self, count, false);
}
int InputNames(Bmi* self, char** names) {
  return Names(self, names, true);
}
int OutputNames(Bmi* self, char** names) {
  return Names(self, names, false);
}

int VarGrid(Bmi* self, const char* name, int* grid) {
  return Guarded("get_var_grid", [&] { *grid = static_cast<int>(Run(self).Find(name).grid); });
}
int VarType(Bmi* self, const char* name, char* type) {
  return Guarded("get_var_type", [&] {
    if (IsReserved(self, name)) return PutText(type, Is(name, kState) ? "char" : "int");
    Run(self).Find(name);
    PutText(type, "double");
  });
}
int VarUnits(Bmi* self, const char* name, char* units) {
  return Guarded("get_var_units", [&] {
    if (IsReserved(self, name)) {
      return PutText(units, Is(name, kState) ? "ngen::opaque" : Is(name, kSize) ? "bytes" : "ngen::trigger");
    }
    PutText(units, Run(self).Find(name).units);
  });
}
int VarItemsize(Bmi* self, const char* name, int* bytes) {
  return Guarded("get_var_itemsize", [&] {
    *bytes = Is(name, kState) ? 1 : IsReserved(self, name) ? 4 : 8;
    if (!IsReserved(self, name)) Run(self).Find(name);
  });
}
int VarNbytes(Bmi* self, const char* name, int* bytes) {
  return Guarded("get_var_nbytes", [&] {
    if (IsReserved(self, name)) {
      *bytes = Is(name, kState) ? Of(self).size : 4;
    } else {
      *bytes = static_cast<int>(Run(self).Find(name).values.size() * sizeof(double));
    }
  });
}
int VarLocation(Bmi* self, const char* name, char* location) {
  return Guarded("get_var_location", [&] { PutText(location, Run(self).Grids()[Run(self).Find(name).grid].location); });
}

int CurrentTime(Bmi* self, double* time) {
  return Guarded("get_current_time", [&] { *time = Run(self).Now(); });
}
int StartTime(Bmi* self, double* time) {
  return Guarded("get_start_time", [&] {
    Run(self);
    *time = 0.0;
  });
}
int EndTime(Bmi* self, double* time) {
  return Guarded("get_end_time", [&] { *time = Run(self).End(); });
}
int TimeUnits(Bmi* self, char* units) {
  return Guarded("get_time_units", [&] {
    Run(self);
    PutText(units, "s");
  });
}
int TimeStep(Bmi* self, double* step) {
  return Guarded("get_time_step", [&] { *step = Run(self).StepLength(); });
}

int Value(Bmi* self, const char* name, void* to) {
  return Guarded("get_value", [&] {
    if (IsReserved(self, name)) return GetReserved(Of(self), name, to);
    const std::vector<double>& values = Run(self).Values(Run(self).Find(name));
    std::memcpy(to, values.data(), values.size() * sizeof(double));
  });
}
int ValuePtr(Bmi* self, const char* name, void** to) {
  return Guarded("get_value_ptr", [&] {
    ExportedVariable& variable = Run(self).Find(name);
    Run(self).Values(variable);
    *to = variable.values.data();
  });
}
/// \throws RangeError  an index is beyond the values
double& At(ExportedVariable& variable, int index) {
  if (index >= 0 && static_cast<std::size_t>(index) < variable.values.size()) {
    return variable.values[static_cast<std::size_t>(index)];
  }
  throw openmi::RangeError({.item = variable.name}, "expected an index of its values, found " + std::to_string(index));
}
int ValueAtIndices(Bmi* self, const char* name, void* to, int* indices, int count) {
  return Guarded("get_value_at_indices", [&] {
    ExportedVariable& variable = Run(self).Find(name);
    Run(self).Values(variable);
    for (int i = 0; i < count; ++i) static_cast<double*>(to)[i] = At(variable, indices[i]);
  });
}
int SetValue(Bmi* self, const char* name, void* from) {
  return Guarded("set_value", [&] {
    if (IsReserved(self, name)) return SetReserved(Of(self), name, from);
    ExportedVariable& variable = Run(self).Find(name);
    Run(self).Set(variable);
    std::memcpy(variable.values.data(), from, variable.values.size() * sizeof(double));
  });
}
int SetValueAtIndices(Bmi* self, const char* name, int* indices, int count, void* from) {
  return Guarded("set_value_at_indices", [&] {
    ExportedVariable& variable = Run(self).Find(name);
    Run(self).Set(variable);
    for (int i = 0; i < count; ++i) At(variable, indices[i]) = static_cast<const double*>(from)[i];
  });
}

int GridRank(Bmi* self, int grid, int* rank) {
  return Guarded("get_grid_rank", [&] { *rank = GridOf(self, grid).rank; });
}
int GridSize(Bmi* self, int grid, int* size) {
  return Guarded("get_grid_size", [&] { *size = GridOf(self, grid).size; });
}
int GridType(Bmi* self, int grid, char* type) {
  return Guarded("get_grid_type", [&] { PutText(type, GridOf(self, grid).type); });
}
/// None of the grids is structured.
template <class Number>
int NoStructure(Bmi*, int, Number*) {
  return BMI_FAILURE;
}
int GridX(Bmi* self, int grid, double* x) {
  return Guarded("get_grid_x", [&] { Copy(GridOf(self, grid).x, x); });
}
int GridY(Bmi* self, int grid, double* y) {
  return Guarded("get_grid_y", [&] { Copy(GridOf(self, grid).y, y); });
}
int GridZ(Bmi* self, int grid, double* z) {
  return Guarded("get_grid_z", [&] { Copy(GridOf(self, grid).z, z); });
}
int NodeCount(Bmi* self, int grid, int* count) {
  return Guarded("get_grid_node_count", [&] { *count = static_cast<int>(GridOf(self, grid).x.size()); });
}
int EdgeCount(Bmi* self, int grid, int* count) {
  return Guarded("get_grid_edge_count", [&] { *count = static_cast<int>(GridOf(self, grid).edge_nodes.size() / 2); });
}
int FaceCount(Bmi* self, int grid, int* count) {
  return Guarded("get_grid_face_count", [&] { *count = static_cast<int>(GridOf(self, grid).nodes_per_face.size()); });
}
int EdgeNodes(Bmi* self, int grid, int* nodes) {
  return Guarded("get_grid_edge_nodes", [&] { Copy(GridOf(self, grid).edge_nodes, nodes); });
}
int FaceEdges(Bmi* self, int grid, int* edges) {
  return Guarded("get_grid_face_edges", [&] { Copy(GridOf(self, grid).face_edges, edges); });
}
int FaceNodes(Bmi* self, int grid, int* nodes) {
  return Guarded("get_grid_face_nodes", [&] { Copy(GridOf(self, grid).face_nodes, nodes); });
}
int NodesPerFace(Bmi* self, int grid, int* counts) {
  return Guarded("get_grid_nodes_per_face", [&] { Copy(GridOf(self, grid).nodes_per_face, counts); });
}

}  // namespace

extern "C" __attribute__((visibility("default"))) Bmi* register_bmi(Bmi* model) {
  if (model == nullptr) return nullptr;
  *model = Bmi{.data = nullptr,
               .initialize = Initialize,
               .update = Update,
               .update_until = UpdateUntil,
               .finalize = Finalize,
               .get_component_name = Name,
               .get_input_item_count = InputCount,
               .get_output_item_count = OutputCount,
               .get_input_var_names = InputNames,
               .get_output_var_names = OutputNames,
               .get_var_grid = VarGrid,
               .get_var_type = VarType,
               .get_var_units = VarUnits,
               .get_var_itemsize = VarItemsize,
               .get_var_nbytes = VarNbytes,
               .get_var_location = VarLocation,
               .get_current_time = CurrentTime,
               .get_start_time = StartTime,
               .get_end_time = EndTime,
               .get_time_units = TimeUnits,
               .get_time_step = TimeStep,
               .get_value = Value,
               .get_value_ptr = ValuePtr,
               .get_value_at_indices = ValueAtIndices,
               .set_value = SetValue,
               .set_value_at_indices = SetValueAtIndices,
               .get_grid_rank = GridRank,
               .get_grid_size = GridSize,
               .get_grid_type = GridType,
               .get_grid_shape = NoStructure<int>,
               .get_grid_spacing = NoStructure<double>,
               .get_grid_origin = NoStructure<double>,
               .get_grid_x = GridX,
               .get_grid_y = GridY,
               .get_grid_z = GridZ,
               .get_grid_node_count = NodeCount,
               .get_grid_edge_count = EdgeCount,
               .get_grid_face_count = FaceCount,
               .get_grid_edge_nodes = EdgeNodes,
               .get_grid_face_edges = FaceEdges,
               .get_grid_face_nodes = FaceNodes,
               .get_grid_nodes_per_face = NodesPerFace};
  return model;
}
