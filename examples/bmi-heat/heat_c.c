/* A plate that conducts heat, as a library that offers the Basic Model Interface in C: register_bmi_heat fills the struct.
 *
 * Configuration: "columns rows conductivity end" in one line (numbers of nodes, m2 s-1, s). The nodes are 1 m apart. All
 * edges are kept at 0 K above the surroundings but the western one, whose temperature is an input. Explicit steps of
 * 1 / (4 conductivity), of which two nodes' worth of memory is kept: the values move from one array to the other. */
#include <bmi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEMPERATURE "plate_surface__temperature"
#define EDGE "plate_edge__temperature"

typedef struct {
  int columns, rows;
  double conductivity, end, step, time, edge;
  double *now, *next;
} Heat;

static long copies = 0;

/* How often get_value and set_value copied the whole plate, for those who count. */
long heat_copies(void) { return copies; }

static Heat* Of(Bmi* self) { return (Heat*)self->data; }

static int Initialize(Bmi* self, const char* config_file) {
  Heat* const heat = Of(self);
  FILE* const file = config_file != NULL ? fopen(config_file, "r") : NULL;
  if (file == NULL) return BMI_FAILURE;
  const int read = fscanf(file, "%d %d %lf %lf", &heat->columns, &heat->rows, &heat->conductivity, &heat->end);
  fclose(file);
  if (read != 4 || heat->columns < 3 || heat->rows < 3 || heat->columns > 100000 || heat->rows > 100000 ||
      !(heat->conductivity > 0.0)) {
    return BMI_FAILURE;
  }
  const size_t nodes = (size_t)heat->columns * (size_t)heat->rows;
  heat->step = 1.0 / (4.0 * heat->conductivity);
  heat->time = 0.0;
  heat->edge = 1.0;
  heat->now = calloc(nodes, sizeof(double));
  heat->next = calloc(nodes, sizeof(double));
  return heat->now != NULL && heat->next != NULL ? BMI_SUCCESS : BMI_FAILURE;
}

static void Advance(Heat* heat, double step) {
  const int columns = heat->columns;
  const double weight = heat->conductivity * step;
  for (int row = 1; row + 1 < heat->rows; ++row) {
    const double* const from = heat->now + (size_t)row * (size_t)columns;
    double* const to = heat->next + (size_t)row * (size_t)columns;
    to[0] = heat->edge;
    for (int column = 1; column + 1 < columns; ++column) {
      const double around = from[column - 1] + from[column + 1] + from[column - columns] + from[column + columns];
      to[column] = from[column] + weight * (around - 4.0 * from[column]);
    }
  }
  double* const before = heat->now;
  heat->now = heat->next;
  heat->next = before;
  heat->time += step;
}

static int Update(Bmi* self) {
  Advance(Of(self), Of(self)->step);
  return BMI_SUCCESS;
}

static int UpdateUntil(Bmi* self, double then) {
  Heat* const heat = Of(self);
  if (then < heat->time) return BMI_FAILURE;
  while (heat->time + heat->step <= then) Advance(heat, heat->step);
  if (heat->time < then) Advance(heat, then - heat->time);
  heat->time = then;
  return BMI_SUCCESS;
}

static int Finalize(Bmi* self) {
  free(Of(self)->now);
  free(Of(self)->next);
  free(self->data);
  self->data = NULL;
  return BMI_SUCCESS;
}

static int IsPlate(const char* name) { return strcmp(name, TEMPERATURE) == 0; }
static int IsEdge(const char* name) { return strcmp(name, EDGE) == 0; }
static int Nodes(Heat* heat) { return heat->columns * heat->rows; }

static int GetComponentName(Bmi* self, char* name) {
  (void)self;
  strcpy(name, "Heat in a plate");
  return BMI_SUCCESS;
}
static int GetItemCount(Bmi* self, int* count) {
  (void)self;
  *count = 1;
  return BMI_SUCCESS;
}
static int GetInputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], EDGE);
  return BMI_SUCCESS;
}
static int GetOutputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], TEMPERATURE);
  return BMI_SUCCESS;
}

static int GetVarGrid(Bmi* self, const char* name, int* grid) {
  (void)self;
  *grid = IsPlate(name) ? 0 : 1;
  return IsPlate(name) || IsEdge(name) ? BMI_SUCCESS : BMI_FAILURE;
}
static int GetVarType(Bmi* self, const char* name, char* type) {
  (void)self;
  (void)name;
  strcpy(type, "double");
  return BMI_SUCCESS;
}
static int GetVarUnits(Bmi* self, const char* name, char* units) {
  (void)self;
  (void)name;
  strcpy(units, "K");
  return BMI_SUCCESS;
}
static int GetVarItemsize(Bmi* self, const char* name, int* bytes) {
  (void)self;
  (void)name;
  *bytes = (int)sizeof(double);
  return BMI_SUCCESS;
}
static int GetVarNbytes(Bmi* self, const char* name, int* bytes) {
  *bytes = (int)sizeof(double) * (IsPlate(name) ? Nodes(Of(self)) : 1);
  return BMI_SUCCESS;
}
static int GetVarLocation(Bmi* self, const char* name, char* location) {
  (void)self;
  strcpy(location, IsPlate(name) ? "node" : "none");
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
static int GetEndTime(Bmi* self, double* time) {
  *time = Of(self)->end;
  return BMI_SUCCESS;
}
static int GetTimeUnits(Bmi* self, char* units) {
  (void)self;
  strcpy(units, "s");
  return BMI_SUCCESS;
}
static int GetTimeStep(Bmi* self, double* step) {
  *step = Of(self)->step;
  return BMI_SUCCESS;
}

static int GetValuePtr(Bmi* self, const char* name, void** to) {
  *to = IsPlate(name) ? (void*)Of(self)->now : IsEdge(name) ? (void*)&Of(self)->edge : NULL;
  return *to != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int GetValue(Bmi* self, const char* name, void* to) {
  void* from = NULL;
  int bytes = 0;
  if (GetValuePtr(self, name, &from) != BMI_SUCCESS) return BMI_FAILURE;
  GetVarNbytes(self, name, &bytes);
  memcpy(to, from, (size_t)bytes);
  copies += IsPlate(name);
  return BMI_SUCCESS;
}
static int SetValue(Bmi* self, const char* name, void* from) {
  void* to = NULL;
  int bytes = 0;
  if (GetValuePtr(self, name, &to) != BMI_SUCCESS) return BMI_FAILURE;
  GetVarNbytes(self, name, &bytes);
  memcpy(to, from, (size_t)bytes);
  copies += IsPlate(name);
  return BMI_SUCCESS;
}

static int GetGridRank(Bmi* self, int grid, int* rank) {
  (void)self;
  *rank = grid == 0 ? 2 : 0;
  return BMI_SUCCESS;
}
static int GetGridSize(Bmi* self, int grid, int* size) {
  *size = grid == 0 ? Nodes(Of(self)) : 1;
  return BMI_SUCCESS;
}
static int GetGridType(Bmi* self, int grid, char* type) {
  (void)self;
  strcpy(type, grid == 0 ? "uniform_rectilinear" : "scalar");
  return BMI_SUCCESS;
}
static int GetGridShape(Bmi* self, int grid, int* shape) {
  if (grid != 0) return BMI_FAILURE;
  shape[0] = Of(self)->rows;
  shape[1] = Of(self)->columns;
  return BMI_SUCCESS;
}
static int GetGridSpacing(Bmi* self, int grid, double* spacing) {
  (void)self;
  if (grid != 0) return BMI_FAILURE;
  spacing[0] = spacing[1] = 1.0;
  return BMI_SUCCESS;
}
static int GetGridOrigin(Bmi* self, int grid, double* origin) {
  (void)self;
  if (grid != 0) return BMI_FAILURE;
  origin[0] = origin[1] = 0.0;
  return BMI_SUCCESS;
}

/* What a structured grid does not need stays null. */
Bmi* register_bmi_heat(Bmi* model) {
  model->data = calloc(1, sizeof(Heat));
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
  model->get_var_itemsize = GetVarItemsize;
  model->get_var_nbytes = GetVarNbytes;
  model->get_var_location = GetVarLocation;
  model->get_current_time = GetCurrentTime;
  model->get_start_time = GetStartTime;
  model->get_end_time = GetEndTime;
  model->get_time_units = GetTimeUnits;
  model->get_time_step = GetTimeStep;
  model->get_value = GetValue;
  model->get_value_ptr = GetValuePtr;
  model->set_value = SetValue;
  model->get_grid_rank = GetGridRank;
  model->get_grid_size = GetGridSize;
  model->get_grid_type = GetGridType;
  model->get_grid_shape = GetGridShape;
  model->get_grid_spacing = GetGridSpacing;
  model->get_grid_origin = GetGridOrigin;
  return model;
}
