/* A conceptual catchment behind BMI 2.0, for the benchmark of populations: the cost and the size of the models that
 * water services run by the hundred thousand. Soil with infiltration by a curve number, evaporation, percolation to a
 * groundwater store with exponential outflow, a unit hydrograph, and a cascade of two reservoirs. All values are in m
 * and per step of an hour. Re-entrant: nothing is global. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bmi-bridge/abi/bmi.h"

static const double kTimeStep = 3600.0;
#include "tests/bmi-bridge/libraries/seconds_clock.h"

enum { kOrdinates = 8, kReservoirs = 2, kSpare = 760 };

typedef struct {
  double time;                                         /* s */
  double rain, pet;                                    /* inputs, m per step */
  double runoff, soil, ground;                         /* outputs */
  double capacity, exponent, rate, release, expansion; /* parameters */
  double queue[kOrdinates];
  double ordinates[kOrdinates];
  double nash[kReservoirs];
  double fluxes[12];
  double spare[kSpare]; /* what such models keep beside: tables, names, options */
} Catchment;

static Catchment* Of(Bmi* self) {
  return (Catchment*)self->data;
}

static int Initialize(Bmi* self, const char* config) {
  Catchment* me = calloc(1, sizeof *me);
  if (me == NULL) return BMI_FAILURE;
  self->data = me;
  me->capacity = 0.4;
  me->exponent = 2.5;
  me->rate = 0.002;
  me->release = 0.01;
  me->expansion = 6.0;
  FILE* file = config != NULL ? fopen(config, "r") : NULL;
  if (file == NULL) return BMI_FAILURE;
  char name[64];
  double value = 0.0;
  while (fscanf(file, " %63[^= ] = %lf", name, &value) == 2) {
    if (strcmp(name, "capacity") == 0) me->capacity = value;
    if (strcmp(name, "exponent") == 0) me->exponent = value;
    if (strcmp(name, "rate") == 0) me->rate = value;
  }
  fclose(file);
  me->soil = 0.5 * me->capacity;
  me->ground = 0.05;
  const double shares[kOrdinates] = {0.06, 0.2, 0.26, 0.2, 0.13, 0.08, 0.05, 0.02};
  memcpy(me->ordinates, shares, sizeof shares);
  return BMI_SUCCESS;
}

static int Update(Bmi* self) {
  Catchment* me = Of(self);
  const double wet = me->soil / me->capacity;
  const double direct = me->rain * pow(wet, me->exponent);
  const double evaporation = fmin(me->soil, me->pet * (1.0 - exp(-me->expansion * wet)));
  const double percolation = me->rate * pow(wet, 4.0) * me->soil;
  me->soil = fmin(me->capacity, fmax(0.0, me->soil + me->rain - direct - evaporation - percolation));
  me->ground += percolation;
  const double base = fmin(me->ground, me->release * (exp(me->expansion * me->ground) - 1.0) * 0.1);
  me->ground -= base;
  for (int i = 0; i < kOrdinates; ++i) me->queue[i] += direct * me->ordinates[i];
  double through = me->queue[0];
  memmove(me->queue, me->queue + 1, sizeof me->queue - sizeof me->queue[0]);
  me->queue[kOrdinates - 1] = 0.0;
  for (int i = 0; i < kReservoirs; ++i) {
    const double out = (me->nash[i] + through) * (1.0 - exp(-0.3));
    me->nash[i] += through - out;
    through = out;
  }
  me->runoff = through + base;
  me->fluxes[0] = direct;
  me->fluxes[1] = evaporation;
  me->fluxes[2] = percolation;
  me->fluxes[3] = base;
  me->time += kTimeStep;
  return BMI_SUCCESS;
}

static int Finalize(Bmi* self) {
  free(self->data);
  self->data = NULL;
  return BMI_SUCCESS;
}

static double* Find(Bmi* self, const char* name) {
  Catchment* me = Of(self);
  if (strcmp(name, "rain") == 0) return &me->rain;
  if (strcmp(name, "pet") == 0) return &me->pet;
  if (strcmp(name, "runoff") == 0) return &me->runoff;
  if (strcmp(name, "soil") == 0) return &me->soil;
  if (strcmp(name, "ground") == 0) return &me->ground;
  return NULL;
}

static int ValuePtr(Bmi* self, const char* name, void** pointer) {
  *pointer = Find(self, name);
  return *pointer != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int GetValue(Bmi* self, const char* name, void* to) {
  const double* from = Find(self, name);
  if (from == NULL) return BMI_FAILURE;
  memcpy(to, from, sizeof *from);
  return BMI_SUCCESS;
}
static int SetValue(Bmi* self, const char* name, void* from) {
  double* to = Find(self, name);
  if (to == NULL) return BMI_FAILURE;
  memcpy(to, from, sizeof *to);
  return BMI_SUCCESS;
}

static int Put(char* to, const char* text) {
  strcpy(to, text);
  return BMI_SUCCESS;
}
static int Name(Bmi* self, char* name) {
  (void)self;
  return Put(name, "catchment");
}
static int InputCount(Bmi* self, int* count) {
  (void)self;
  *count = 2;
  return BMI_SUCCESS;
}
static int OutputCount(Bmi* self, int* count) {
  (void)self;
  *count = 3;
  return BMI_SUCCESS;
}
static int InputNames(Bmi* self, char** names) {
  (void)self;
  Put(names[0], "rain");
  return Put(names[1], "pet");
}
static int OutputNames(Bmi* self, char** names) {
  (void)self;
  Put(names[0], "runoff");
  Put(names[1], "soil");
  return Put(names[2], "ground");
}
static int VarGrid(Bmi* self, const char* name, int* grid) {
  *grid = 0;
  return Find(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarType(Bmi* self, const char* name, char* type) {
  return Find(self, name) != NULL ? Put(type, "double") : BMI_FAILURE;
}
static int VarUnits(Bmi* self, const char* name, char* units) {
  return Find(self, name) != NULL ? Put(units, "m") : BMI_FAILURE;
}
static int VarSize(Bmi* self, const char* name, int* size) {
  *size = sizeof(double);
  return Find(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarLocation(Bmi* self, const char* name, char* location) {
  return Find(self, name) != NULL ? Put(location, "node") : BMI_FAILURE;
}

static int GridRank(Bmi* self, int grid, int* rank) {
  (void)self;
  *rank = 0;
  return grid == 0 ? BMI_SUCCESS : BMI_FAILURE;
}
static int GridSize(Bmi* self, int grid, int* size) {
  (void)self;
  *size = 1;
  return grid == 0 ? BMI_SUCCESS : BMI_FAILURE;
}
static int GridType(Bmi* self, int grid, char* type) {
  (void)self;
  return grid == 0 ? Put(type, "scalar") : BMI_FAILURE;
}

Bmi* register_bmi_catchment(Bmi* model) {
  memset(model, 0, sizeof *model);
  model->initialize = Initialize;
  model->update = Update;
  model->finalize = Finalize;
  model->get_component_name = Name;
  model->get_input_item_count = InputCount;
  model->get_output_item_count = OutputCount;
  model->get_input_var_names = InputNames;
  model->get_output_var_names = OutputNames;
  model->get_var_grid = VarGrid;
  model->get_var_type = VarType;
  model->get_var_units = VarUnits;
  model->get_var_itemsize = VarSize;
  model->get_var_nbytes = VarSize;
  model->get_var_location = VarLocation;
  model->get_current_time = CurrentTime;
  model->get_start_time = StartTime;
  model->get_end_time = EndTime;
  model->get_time_step = TimeStep;
  model->get_time_units = TimeUnits;
  model->get_value = GetValue;
  model->get_value_ptr = ValuePtr;
  model->set_value = SetValue;
  model->get_grid_rank = GridRank;
  model->get_grid_size = GridSize;
  model->get_grid_type = GridType;
  return model;
}
