/* A model that does what its configuration file says, among it everything that real libraries do wrong. A line each:
 *
 *   null <function>        the struct lacks the function
 *   fail <function>        the function fails
 *   units <text>           of its variables; time_units <text>
 *   type <text>            of its variables; itemsize <bytes>
 *   variables <n>          so many outputs, x0, x1, ...
 *   step <length>          of update; overshoot <length> is what update_until goes too far; stand 1: time stands still
 *   end <time>
 *   grid <type> <location> of x0; rectilinear_corners gives one coordinate more along x, two along y
 *   crash <function>       a write to nowhere
 *   chdir <folder>         initialize changes the working directory
 *   write <file>           update writes there, relative
 *   unset <value>          what x1, x2, ... show before the first update
 * A parameter `k` that no list names is added to all values from then on; nothing but set_value knows it.
 * Variables: x0 ... and an input `u`; x<i> is time + i + u, in each element plus its index. */
#define _GNU_SOURCE
#include <bmi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  char null[40], fail[40], crash[40], units[100], time_units[100], type[40], location[40], grid[40], file[200];
  int itemsize, variables, stand;
  double step, overshoot, end, time, u, drift, k, unset;
  int has_unset, is_updated;
  int count;
  int is_taken;
  double room[5000];
  char* values;
} Odd;

/* Nothing is allocated: a model that is told to have no finalize, or to fail, could not give it back. */
static Odd models[16];

static Odd* Of(Bmi* self) { return (Odd*)self->data; }

static int Begin(Bmi* self, const char* function) {
  if (strcmp(Of(self)->crash, function) == 0) *(volatile int*)8 = 1;
  return strcmp(Of(self)->fail, function) == 0 ? BMI_FAILURE : BMI_SUCCESS;
}
#define BEGIN(function) \
  if (Begin(self, function) != BMI_SUCCESS) return BMI_FAILURE

static const int kShape[3] = {2, 3, 4}; /* z, y, x */
static const double kX[6] = {0, 2, 4, 0, 2, 4}, kY[6] = {0, 0, 0, 1, 1, 2};

static int IsGrid(Odd* odd, const char* type) { return strncmp(odd->grid, type, strlen(type)) == 0; }
static int IsStructured(Odd* odd) {
  return IsGrid(odd, "uniform") || IsGrid(odd, "rectilinear") || IsGrid(odd, "structured");
}

static void Fill(Odd* odd) {
  for (int i = 0; i < odd->count; ++i) {
    const double value = odd->time + odd->u + odd->k + i;
    if (odd->itemsize == 4 && strstr(odd->type, "int") == NULL) {
      ((float*)odd->values)[i] = (float)value;
    } else if (odd->itemsize == 4) {
      ((int*)odd->values)[i] = (int)value;
    } else if (odd->itemsize == 8) {
      ((double*)odd->values)[i] = value;
    }
  }
}

static int Initialize(Bmi* self, const char* config) {
  Odd* const odd = Of(self);
  FILE* const file = fopen(config, "r");
  char key[40], text[200];
  while (file != NULL && fscanf(file, " %39s %199[^\n]", key, text) == 2) {
    if (strcmp(key, "null") == 0) strcpy(odd->null, text);
    if (strcmp(key, "fail") == 0) strcpy(odd->fail, text);
    if (strcmp(key, "crash") == 0) strcpy(odd->crash, text);
    if (strcmp(key, "units") == 0) strcpy(odd->units, strcmp(text, "empty") == 0 ? "" : text);
    if (strcmp(key, "time_units") == 0) strcpy(odd->time_units, strcmp(text, "empty") == 0 ? "" : text);
    if (strcmp(key, "type") == 0) strcpy(odd->type, text);
    if (strcmp(key, "itemsize") == 0) odd->itemsize = atoi(text);
    if (strcmp(key, "variables") == 0) odd->variables = atoi(text);
    if (strcmp(key, "step") == 0) odd->step = atof(text);
    if (strcmp(key, "overshoot") == 0) odd->overshoot = atof(text);
    if (strcmp(key, "stand") == 0) odd->stand = atoi(text);
    if (strcmp(key, "end") == 0) odd->end = atof(text);
    if (strcmp(key, "unset") == 0) {
      odd->unset = strtod(text, NULL);
      odd->has_unset = 1;
    }
    if (strcmp(key, "drift") == 0) odd->drift = atof(text);
    if (strcmp(key, "grid") == 0) sscanf(text, "%39s %39s", odd->grid, odd->location);
    if (strcmp(key, "write") == 0) strcpy(odd->file, text);
    if (strcmp(key, "chdir") == 0 && chdir(text) != 0) return BMI_FAILURE;
  }
  fclose(file); /* crashes where there is none, as models do */
  BEGIN("initialize");
#define NULL_OUT(name) \
  if (strcmp(odd->null, #name) == 0) self->name = NULL;
  NULL_OUT(update) NULL_OUT(update_until) NULL_OUT(get_value_ptr) NULL_OUT(get_var_units) NULL_OUT(get_time_units)
  NULL_OUT(get_var_grid) NULL_OUT(get_component_name) NULL_OUT(get_end_time) NULL_OUT(get_current_time)
  NULL_OUT(get_grid_x) NULL_OUT(get_var_location) NULL_OUT(finalize) NULL_OUT(set_value)
  odd->count = 1;
  if (IsStructured(odd)) odd->count = strcmp(odd->location, "face") == 0 ? 6 : 12;
  if (IsGrid(odd, "points") || IsGrid(odd, "vector") || IsGrid(odd, "unstructured")) odd->count = 6;
  if (IsGrid(odd, "vector") && strcmp(odd->location, "edge") == 0) odd->count = 5;
  if (IsGrid(odd, "unstructured") && strcmp(odd->location, "face") == 0) odd->count = 2;
  if (IsGrid(odd, "unstructured") && strcmp(odd->location, "edge") == 0) odd->count = 3;
  if (IsGrid(odd, "large")) odd->count = 5000;
  odd->values = (char*)odd->room;
  Fill(odd);
  return BMI_SUCCESS;
}

static int Move(Odd* odd, double time) {
  odd->is_updated = 1;
  if (!odd->stand) odd->time = time;
  Fill(odd);
  if (odd->file[0] != '\0') {
    FILE* const file = fopen(odd->file, "a");
    if (file == NULL) return BMI_FAILURE;
    fprintf(file, "%g\n", odd->time);
    fclose(file);
  }
  return BMI_SUCCESS;
}
static int Update(Bmi* self) {
  BEGIN("update");
  return Move(Of(self), Of(self)->time + Of(self)->step);
}
static int UpdateUntil(Bmi* self, double then) {
  BEGIN("update_until");
  return Move(Of(self), then + Of(self)->overshoot);
}
static int Finalize(Bmi* self) {
  BEGIN("finalize");
  memset(self->data, 0, sizeof(Odd));
  return BMI_SUCCESS;
}

static int Name(Bmi* self, char* name) {
  BEGIN("get_component_name");
  memset(name, 'x', BMI_MAX_COMPONENT_NAME); /* no zero at the end */
  return BMI_SUCCESS;
}
static int OneInput(Bmi* self, int* count) {
  BEGIN("get_input_item_count");
  *count = 1;
  return BMI_SUCCESS;
}
static int Outputs(Bmi* self, int* count) {
  BEGIN("get_output_item_count");
  *count = Of(self)->variables;
  return BMI_SUCCESS;
}
static int InputNames(Bmi* self, char** names) {
  BEGIN("get_input_var_names");
  strcpy(names[0], "u   "); /* padded, as Fortran does */
  return BMI_SUCCESS;
}
static int OutputNames(Bmi* self, char** names) {
  BEGIN("get_output_var_names");
  for (int i = 0; i < Of(self)->variables; ++i) sprintf(names[i], "x%d", i);
  return BMI_SUCCESS;
}
static int VarGrid(Bmi* self, const char* name, int* grid) {
  BEGIN("get_var_grid");
  if (name[0] == 'k') return BMI_FAILURE;
  *grid = name[0] == 'u' ? 1 : 0;
  return BMI_SUCCESS;
}
static int VarType(Bmi* self, const char* name, char* type) {
  BEGIN("get_var_type");
  if (name[0] == 'k') return BMI_FAILURE;
  strcpy(type, name[0] == 'u' ? "double" : Of(self)->type);
  return BMI_SUCCESS;
}
static int VarUnits(Bmi* self, const char* name, char* units) {
  BEGIN("get_var_units");
  (void)name;
  strcpy(units, Of(self)->units);
  return BMI_SUCCESS;
}
static int VarItemsize(Bmi* self, const char* name, int* bytes) {
  BEGIN("get_var_itemsize");
  if (name[0] == 'k') return BMI_FAILURE;
  *bytes = name[0] == 'u' ? 8 : Of(self)->itemsize;
  return BMI_SUCCESS;
}
static int VarNbytes(Bmi* self, const char* name, int* bytes) {
  BEGIN("get_var_nbytes");
  if (name[0] == 'k') return BMI_FAILURE;
  *bytes = name[0] == 'u' ? 8 : Of(self)->itemsize * (strcmp(name, "x0") == 0 ? Of(self)->count : 1);
  return BMI_SUCCESS;
}
static int VarLocation(Bmi* self, const char* name, char* location) {
  BEGIN("get_var_location");
  strcpy(location, name[0] == 'u' ? "none" : Of(self)->location);
  return BMI_SUCCESS;
}
static int CurrentTime(Bmi* self, double* time) {
  BEGIN("get_current_time");
  *time = Of(self)->time;
  return BMI_SUCCESS;
}
static int StartTime(Bmi* self, double* time) {
  BEGIN("get_start_time");
  *time = 0.0;
  return BMI_SUCCESS;
}
static int EndTime(Bmi* self, double* time) {
  BEGIN("get_end_time");
  *time = Of(self)->end;
  return BMI_SUCCESS;
}
static int TimeUnits(Bmi* self, char* units) {
  BEGIN("get_time_units");
  strcpy(units, Of(self)->time_units);
  return BMI_SUCCESS;
}
static int TimeStep(Bmi* self, double* step) {
  BEGIN("get_time_step");
  *step = Of(self)->step;
  return BMI_SUCCESS;
}
static int ValuePtr(Bmi* self, const char* name, void** to) {
  BEGIN("get_value_ptr");
  if (strcmp(name, "x0") != 0) return BMI_FAILURE;
  *to = Of(self)->values;
  return BMI_SUCCESS;
}
static int Value(Bmi* self, const char* name, void* to) {
  BEGIN("get_value");
  if (strcmp(name, "x0") == 0) {
    memcpy(to, Of(self)->values, (size_t)(Of(self)->count * Of(self)->itemsize));
  } else {
    *(double*)to = fmin(Of(self)->time + Of(self)->u + Of(self)->k + atoi(name + 1), 1e30);
    if (Of(self)->has_unset && !Of(self)->is_updated) *(double*)to = Of(self)->unset;
  }
  return BMI_SUCCESS;
}
static int SetValue(Bmi* self, const char* name, void* from) {
  BEGIN("set_value");
  if (strcmp(name, "k") == 0) {
    Of(self)->k = *(const double*)from;
    Fill(Of(self));
    return BMI_SUCCESS;
  }
  if (strcmp(name, "u") != 0) return BMI_FAILURE;
  Of(self)->u = *(const double*)from;
  return BMI_SUCCESS;
}
static int GridRank(Bmi* self, int grid, int* rank) {
  BEGIN("get_grid_rank");
  *rank = grid == 1 ? 0 : IsGrid(Of(self), "scalar") ? 1 : 2;
  return BMI_SUCCESS;
}
static int GridSize(Bmi* self, int grid, int* size) {
  BEGIN("get_grid_size");
  *size = grid == 1 ? 1 : Of(self)->count;
  return BMI_SUCCESS;
}
static int GridType(Bmi* self, int grid, char* type) {
  BEGIN("get_grid_type");
  strcpy(type, grid == 1 ? "scalar" : Of(self)->grid);
  if (strstr(type, "_corners") != NULL) *strstr(type, "_corners") = '\0';
  return BMI_SUCCESS;
}
static int GridShape(Bmi* self, int grid, int* shape) {
  BEGIN("get_grid_shape");
  (void)grid;
  memcpy(shape, kShape + 1, 2 * sizeof(int));
  return BMI_SUCCESS;
}
static int GridSpacing(Bmi* self, int grid, double* spacing) {
  BEGIN("get_grid_spacing");
  (void)grid;
  spacing[0] = 10.0;
  spacing[1] = 2.0;
  return BMI_SUCCESS;
}
static int GridOrigin(Bmi* self, int grid, double* origin) {
  BEGIN("get_grid_origin");
  (void)grid;
  origin[0] = 500.0;
  origin[1] = 100.0;
  return BMI_SUCCESS;
}
static int GridX(Bmi* self, int grid, double* x) {
  BEGIN("get_grid_x");
  (void)grid;
  if (IsGrid(Of(self), "structured")) {
    for (int i = 0; i < 12; ++i) x[i] = i % 4 + 0.5 * (i / 4);
  } else if (IsGrid(Of(self), "rectilinear")) {
    const int corners = strstr(Of(self)->grid, "corners") != NULL; /* as in MODFLOW 6 */
    for (int i = 0; i < 4 + corners; ++i) x[i] = i * i;
  } else {
    for (int i = 0; i < 6; ++i) x[i] = kX[i] + Of(self)->drift * Of(self)->time;
  }
  return BMI_SUCCESS;
}
static int GridY(Bmi* self, int grid, double* y) {
  BEGIN("get_grid_y");
  (void)grid;
  if (IsGrid(Of(self), "structured")) {
    for (int i = 0; i < 12; ++i) y[i] = i / 4;
  } else if (IsGrid(Of(self), "rectilinear")) {
    const int corners = strstr(Of(self)->grid, "corners") != NULL ? 2 : 0;
    for (int i = 0; i < 3 + corners; ++i) y[i] = -i;
  } else {
    memcpy(y, kY, sizeof kY);
  }
  return BMI_SUCCESS;
}
static int NodeCount(Bmi* self, int grid, int* count) {
  BEGIN("get_grid_node_count");
  (void)grid;
  *count = 6;
  return BMI_SUCCESS;
}
static int EdgeCount(Bmi* self, int grid, int* count) {
  BEGIN("get_grid_edge_count");
  (void)grid;
  *count = 3;
  return BMI_SUCCESS;
}
static int FaceCount(Bmi* self, int grid, int* count) {
  BEGIN("get_grid_face_count");
  (void)grid;
  *count = 2;
  return BMI_SUCCESS;
}
static int EdgeNodes(Bmi* self, int grid, int* nodes) {
  static const int kNodes[6] = {0, 1, 1, 4, 4, 3};
  BEGIN("get_grid_edge_nodes");
  (void)grid;
  memcpy(nodes, kNodes, sizeof kNodes);
  return BMI_SUCCESS;
}
static int FaceNodes(Bmi* self, int grid, int* nodes) {
  static const int kNodes[7] = {0, 1, 4, 3, 1, 2, 4};
  BEGIN("get_grid_face_nodes");
  (void)grid;
  memcpy(nodes, kNodes, sizeof kNodes);
  return BMI_SUCCESS;
}
static int NodesPerFace(Bmi* self, int grid, int* counts) {
  BEGIN("get_grid_nodes_per_face");
  (void)grid;
  counts[0] = 4;
  counts[1] = 3;
  return BMI_SUCCESS;
}

Bmi* register_bmi_odd(Bmi* model) {
  static const Bmi kFunctions = {
      NULL,        Initialize, Update,    UpdateUntil, Finalize,    Name,      OneInput,    Outputs,   InputNames,
      OutputNames, VarGrid,    VarType,   VarUnits,    VarItemsize, VarNbytes, VarLocation, CurrentTime, StartTime,
      EndTime,     TimeUnits,  TimeStep,  Value,       ValuePtr,    NULL,      SetValue,    NULL,      GridRank,
      GridSize,    GridType,   GridShape, GridSpacing, GridOrigin,  GridX,     GridY,       NULL,      NodeCount,
      EdgeCount,   FaceCount,  EdgeNodes, NULL,        FaceNodes,   NodesPerFace};
  Odd* odd = models;
  while (odd->is_taken && odd < models + 15) ++odd;
  memset(odd, 0, sizeof(Odd));
  odd->is_taken = 1;
  *model = kFunctions;
  model->data = odd;
  strcpy(odd->units, "m");
  strcpy(odd->time_units, "s");
  strcpy(odd->type, "double");
  strcpy(odd->grid, "scalar");
  strcpy(odd->location, "node");
  odd->itemsize = 8;
  odd->variables = 1;
  odd->step = 60.0;
  odd->end = 3.4028234663852886e38; /* none: the largest single-precision number */
  return model;
}
#ifdef TWO_ENTRIES
Bmi* register_bmi_other(Bmi* model) { return register_bmi_odd(model); }
#endif
