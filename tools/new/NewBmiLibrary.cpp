#include "tools/new/NewKinds.hpp"
#include "tools/new/NewProject.hpp"

namespace openmi::tools {
namespace {

constexpr const char* kBuild = R"cmake(${BUILD}
cmake_minimum_required(VERSION 3.25)
project(${LIBRARY} LANGUAGES C CXX)

find_package(openmi2 CONFIG REQUIRED)
add_library(${LIBRARY} SHARED ${LIBRARY}.c)  # knows nothing of OpenMI but the header of BMI
target_include_directories(${LIBRARY} PRIVATE $<TARGET_PROPERTY:openmi::bmi_bridge,INTERFACE_INCLUDE_DIRECTORIES>)
configure_file(${NAME}.omi ${NAME}.omi COPYONLY)
configure_file(${LIBRARY}.cfg ${LIBRARY}.cfg COPYONLY)
configure_file(composition.xml composition.xml COPYONLY)

enable_testing()
add_test(NAME ${NAME}-PassesAnnexA COMMAND openmi::command check --component ${NAME}.omi)
add_test(NAME ${NAME}-IsWellComposed COMMAND openmi::command check composition.xml)
add_test(NAME ${NAME}-Runs COMMAND openmi::command run composition.xml --results results --overwrite)
)cmake";

constexpr const char* kSource =
    R"text(/* A tank that offers the Basic Model Interface 2.0: to be replaced by your own model. Functions that are left out stay null,
 * and are done without. The configuration file holds the area (m2), the time to empty (s) and the step (s). */
#include <bmi-bridge/abi/bmi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double area, lag, step, time;
  double inflow, level;
} Model;

static Model* Of(Bmi* self) { return (Model*)self->data; }

static int Initialize(Bmi* self, const char* config_file) {
  FILE* const file = config_file != NULL ? fopen(config_file, "r") : NULL;
  if (file == NULL) return BMI_FAILURE;
  const int read = fscanf(file, "%lf %lf %lf", &Of(self)->area, &Of(self)->lag, &Of(self)->step);
  fclose(file);
  return read == 3 ? BMI_SUCCESS : BMI_FAILURE;
}
static int UpdateUntil(Bmi* self, double then) {
  Model* const model = Of(self);
  const double outflow = model->area * model->level / model->lag;
  model->level += (model->inflow - outflow) * (then - model->time) / model->area;
  model->time = then;
  return BMI_SUCCESS;
}
static int Update(Bmi* self) { return UpdateUntil(self, Of(self)->time + Of(self)->step); }
static int Finalize(Bmi* self) {
  free(self->data);
  return BMI_SUCCESS;
}

static int GetComponentName(Bmi* self, char* name) {
  (void)self;
  strcpy(name, "${NAME}");
  return BMI_SUCCESS;
}
static int GetItemCount(Bmi* self, int* count) {
  (void)self;
  *count = 1;
  return BMI_SUCCESS;
}
static int GetInputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], "inflow");
  return BMI_SUCCESS;
}
static int GetOutputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], "level");
  return BMI_SUCCESS;
}
static int GetVarGrid(Bmi* self, const char* name, int* grid) {
  (void)self, (void)name;
  *grid = 0;
  return BMI_SUCCESS;
}
static int GetVarType(Bmi* self, const char* name, char* type) {
  (void)self, (void)name;
  strcpy(type, "double");
  return BMI_SUCCESS;
}
static int GetVarUnits(Bmi* self, const char* name, char* units) {
  (void)self;
  strcpy(units, strcmp(name, "inflow") == 0 ? "m3 s-1" : "m");
  return BMI_SUCCESS;
}
static int GetVarBytes(Bmi* self, const char* name, int* bytes) {
  (void)self, (void)name;
  *bytes = (int)sizeof(double);
  return BMI_SUCCESS;
}
static int GetCurrentTime(Bmi* self, double* time) {
  *time = Of(self)->time;
  return BMI_SUCCESS;
}
static int GetStartTime(Bmi* self, double* time) {
  (void)self;
  *time = 0.0;
  return BMI_SUCCESS;
}
static int GetTimeStep(Bmi* self, double* step) {
  *step = Of(self)->step;
  return BMI_SUCCESS;
}
static int GetTimeUnits(Bmi* self, char* units) {
  (void)self;
  strcpy(units, "s");
  return BMI_SUCCESS;
}
static int GetValuePtr(Bmi* self, const char* name, void** to) {
  *to = strcmp(name, "inflow") == 0 ? (void*)&Of(self)->inflow : (void*)&Of(self)->level;
  return BMI_SUCCESS;
}
static int GetValue(Bmi* self, const char* name, void* to) {
  void* from = NULL;
  GetValuePtr(self, name, &from);
  memcpy(to, from, sizeof(double));
  return BMI_SUCCESS;
}
static int SetValue(Bmi* self, const char* name, void* from) {
  void* to = NULL;
  GetValuePtr(self, name, &to);
  memcpy(to, from, sizeof(double));
  return BMI_SUCCESS;
}
static int GetGridType(Bmi* self, int grid, char* type) {
  (void)self, (void)grid;
  strcpy(type, "scalar");
  return BMI_SUCCESS;
}

/* The way in: whoever loads the library hands a struct over, and gets the functions of a model of its own. */
Bmi* register_bmi_${LIBRARY}(Bmi* model) {
  model->data = calloc(1, sizeof(Model));
  if (model->data == NULL) return NULL;
  model->initialize = Initialize;
  model->update = Update;
  model->update_until = UpdateUntil;
  model->finalize = Finalize;
  model->get_component_name = GetComponentName;
  model->get_input_item_count = GetItemCount;
  model->get_output_item_count = GetItemCount;
  model->get_input_var_names = GetInputNames;
  model->get_output_var_names = GetOutputNames;
  model->get_var_grid = GetVarGrid;
  model->get_var_type = GetVarType;
  model->get_var_units = GetVarUnits;
  model->get_var_itemsize = GetVarBytes;
  model->get_var_nbytes = GetVarBytes;
  model->get_current_time = GetCurrentTime;
  model->get_start_time = GetStartTime;
  model->get_time_step = GetTimeStep;
  model->get_time_units = GetTimeUnits;
  model->get_value = GetValue;
  model->get_value_ptr = GetValuePtr;
  model->set_value = SetValue;
  model->get_grid_type = GetGridType;
  return model;
}
)text";

constexpr const char* kOmi = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<LinkableComponent xmlns="http://www.openmi.org/v2_0" Type="openmi.bmi.Model" Assembly="openmi-bmi-bridge">
  <Arguments>
    <Argument Key="library" Value="${LIBRARY}"/>
    <Argument Key="config-file" Value="${LIBRARY}.cfg"/>
    <Argument Key="spans" Value="inflow"/>
  </Arguments>
</LinkableComponent>
)xml";

constexpr const char* kComposition = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<Composition xmlns="urn:openmi2:composition:1" Id="${NAME}">
  <Component Id="spring" Type="openmi.Constant" Assembly="openmi-components">
    <Argument Key="item" Value="flow"/>
    <Argument Key="unit" Value="l/s"/>
    <Argument Key="value" Value="2000"/>
  </Component>
  <Component Id="${NAME}" Omi="${NAME}.omi"/>
  <Link From="spring.flow" To="${NAME}.inflow"/>
  <Observe Item="${NAME}.level"/>
  <Run From="2020-01-01T00:00Z" To="2020-01-11T00:00Z"/>
</Composition>
)xml";

}  // namespace

void AddNewBmiLibrary(CLI::App& group, Invocation& invocation) {
  AddNewProject(group, invocation,
                {"bmi-library",
                 "Write a library in C that offers BMI 2.0, with the OMI file that makes it a component",
                 "bmi-tank",
                 {{"CMakeLists.txt", kBuild},
                  {"${LIBRARY}.c", kSource},
                  {"${LIBRARY}.cfg", "1000 86400 600\n"},
                  {"${NAME}.omi", kOmi},
                  {"composition.xml", kComposition}}});
}

}  // namespace openmi::tools
