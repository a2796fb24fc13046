/* A store with a slow inlet, in every way to keep states. Its configuration file has lines of a word and a number:
 *
 *   protocol <n>   the reserved variables for states: 0 none, 1 as in version 0.1, 2 as in 0.2
 *   forgets 1      the state lacks what the inlet remembers
 *   points 1       the state holds an address instead of it
 *   hotstart 1     the state has no time
 *   season 1       the outlet depends on the time
 *   limit <s>      a longer step fails, and spoils the store
 *   random 1       every model of the process starts with another number
 *   crash 1        setting a state writes to nowhere
 *   exit <n>       a step with an inflow of 0 ends the process with that status
 *   rows <n>       numbers of the output `level`
 *
 * Variables: input `inflow`; outputs `outflow` and `level`; `store` and `inlet` are in no list. */
#include <bmi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef TAKES_COMMUNICATOR
#include <mpi.h>
static MPI_Comm world = MPI_COMM_NULL; /* which shares the inflow */
#endif

static const double kTimeStep = 60.0;
#include "seconds_clock.h"

typedef struct {
  double time, inflow, store, inlet, outflow;
  int protocol, forgets, points, hotstart, season, random, crash, exit, rows;
  double limit;
  double level[4096];
  char* copy;
  int64_t size;
} Store;

typedef struct {
  double time, inflow, store, inlet, outflow;
  double* where;
} State;

static Store* Of(Bmi* self) {
  return (Store*)self->data;
}

static void Show(Store* store) {
  for (int i = 0; i < store->rows; ++i) store->level[i] = store->store * (1.0 + 0.01 * i);
}

static int Initialize(Bmi* self, const char* config) {
  static int models = 0;
  Store* const store = Of(self);
  FILE* const file = config != NULL ? fopen(config, "r") : NULL;
  char word[40];
  double number;
  if (file == NULL) return BMI_FAILURE;
  store->limit = 1e30;
  store->rows = 1;
  while (fscanf(file, " %39s %lf", word, &number) == 2) {
    if (strcmp(word, "protocol") == 0) store->protocol = (int)number;
    if (strcmp(word, "forgets") == 0) store->forgets = (int)number;
    if (strcmp(word, "points") == 0) store->points = (int)number;
    if (strcmp(word, "hotstart") == 0) store->hotstart = (int)number;
    if (strcmp(word, "season") == 0) store->season = (int)number;
    if (strcmp(word, "random") == 0) store->random = (int)number;
    if (strcmp(word, "crash") == 0) store->crash = (int)number;
    if (strcmp(word, "exit") == 0) store->exit = (int)number;
    if (strcmp(word, "rows") == 0) store->rows = (int)number;
    if (strcmp(word, "limit") == 0) store->limit = number;
  }
  fclose(file);
  store->store = 100.0;
#ifdef TAKES_COMMUNICATOR
  {
    double sum = 0.0;
    MPI_Allreduce(&store->store, &sum, 1, MPI_DOUBLE, MPI_SUM, world);
    store->store = sum;
  }
#endif
  if (store->random) store->store += ++models;
  Show(store);
  return BMI_SUCCESS;
}
static int UpdateUntil(Bmi* self, double then) {
  Store* const store = Of(self);
  const double step = then - store->time;
  if (store->exit != 0 && store->inflow == 0.0) exit(store->exit);
  if (step > store->limit) {
    store->store = -1e9;
    return BMI_FAILURE;
  }
  const double k = 1e-4 * (store->season ? 1.0 + store->time / 86400.0 : 1.0);
  store->inlet += 0.1 * (store->inflow - store->inlet);
  store->outflow = k * store->store;
  store->store += step * (store->inlet - store->outflow);
  store->time = then;
  Show(store);
  return BMI_SUCCESS;
}
static int Update(Bmi* self) {
  return UpdateUntil(self, Of(self)->time + kTimeStep);
}
static int Finalize(Bmi* self) {
  free(Of(self)->copy);
  free(self->data);
  self->data = NULL;
  return BMI_SUCCESS;
}

static int Name(Bmi* self, char* name) {
  (void)self;
  strcpy(name, "store");
  return BMI_SUCCESS;
}
static int OneItem(Bmi* self, int* count) {
  (void)self;
  *count = 1;
  return BMI_SUCCESS;
}
static int TwoItems(Bmi* self, int* count) {
  (void)self;
  *count = 2;
  return BMI_SUCCESS;
}
static int InputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], "inflow");
  return BMI_SUCCESS;
}
static int OutputNames(Bmi* self, char** names) {
  (void)self;
  strcpy(names[0], "outflow");
  strcpy(names[1], "level");
  return BMI_SUCCESS;
}

static const char kCreate[] = "ngen::serialization_create", kSize[] = "ngen::serialization_size",
                  kState[] = "ngen::serialization_state", kFree[] = "ngen::serialization_free";

static int IsReserved(Bmi* self, const char* name) {
  return Of(self)->protocol > 0 && strncmp(name, "ngen::", 6) == 0;
}
static double* Number(Bmi* self, const char* name) {
  Store* const store = Of(self);
  if (strcmp(name, "inflow") == 0) return &store->inflow;
  if (strcmp(name, "outflow") == 0) return &store->outflow;
  if (strcmp(name, "store") == 0) return &store->store;
  if (strcmp(name, "inlet") == 0) return &store->inlet;
  if (strcmp(name, "level") == 0) return store->level;
  return NULL;
}

static int VarGrid(Bmi* self, const char* name, int* grid) {
  *grid = strcmp(name, "level") == 0 ? 1 : 0;
  return Number(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarType(Bmi* self, const char* name, char* type) {
  if (IsReserved(self, name)) {
    strcpy(type, strcmp(name, kState) == 0 ? "char" : Of(self)->protocol == 2 ? "int64" : "int");
    return BMI_SUCCESS;
  }
  strcpy(type, "double");
  return Number(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarUnits(Bmi* self, const char* name, char* units) {
  if (IsReserved(self, name)) {
    strcpy(units, strcmp(name, kState) == 0 ? "ngen::opaque" : strcmp(name, kSize) == 0 ? "bytes" : "ngen::trigger");
    return BMI_SUCCESS;
  }
  strcpy(units, strcmp(name, "level") == 0 ? "unitless" : "m3 s-1");
  return Number(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarItemsize(Bmi* self, const char* name, int* bytes) {
  if (IsReserved(self, name)) {
    *bytes = strcmp(name, kState) == 0 ? 1 : strcmp(name, kSize) == 0 && Of(self)->protocol == 2 ? 8 : 4;
    return BMI_SUCCESS;
  }
  *bytes = 8;
  return Number(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarNbytes(Bmi* self, const char* name, int* bytes) {
  if (IsReserved(self, name)) {
    if (strcmp(name, kState) != 0) return VarItemsize(self, name, bytes);
    *bytes = (int)Of(self)->size;
    return BMI_SUCCESS;
  }
  *bytes = strcmp(name, "level") == 0 ? 8 * Of(self)->rows : 8;
  return Number(self, name) != NULL ? BMI_SUCCESS : BMI_FAILURE;
}
static int VarLocation(Bmi* self, const char* name, char* location) {
  (void)self;
  (void)name;
  strcpy(location, "node");
  return BMI_SUCCESS;
}

static int Value(Bmi* self, const char* name, void* to) {
  Store* const store = Of(self);
  if (IsReserved(self, name)) {
    if (strcmp(name, kSize) == 0) {
      const int small = (int)store->size;
      if (store->protocol == 2) memcpy(to, &store->size, 8);
      if (store->protocol == 1) memcpy(to, &small, 4);
      return BMI_SUCCESS;
    }
    if (strcmp(name, kState) != 0 || store->copy == NULL) return BMI_FAILURE;
    memcpy(to, store->copy, (size_t)store->size);
    return BMI_SUCCESS;
  }
  if (Number(self, name) == NULL) return BMI_FAILURE;
  memcpy(to, Number(self, name), strcmp(name, "level") == 0 ? 8 * (size_t)store->rows : 8);
  return BMI_SUCCESS;
}
static int ValuePtr(Bmi* self, const char* name, void** to) {
  if (strcmp(name, "level") != 0) return BMI_FAILURE;
  *to = Of(self)->level;
  return BMI_SUCCESS;
}

static int SetReserved(Store* store, const char* name, const void* from) {
  if (strcmp(name, kCreate) == 0) {
    const State state = {store->time,  store->inflow,  store->store,
                         store->inlet, store->outflow, store->points ? &store->inlet : NULL};
    free(store->copy);
    store->copy = malloc(sizeof state);
    memcpy(store->copy, &state, sizeof state);
    store->size = sizeof state;
    return BMI_SUCCESS;
  }
  if (strcmp(name, kFree) == 0) {
    free(store->copy);
    store->copy = NULL;
    store->size = 0;
    return BMI_SUCCESS;
  }
  if (strcmp(name, kSize) == 0) {
    if (store->protocol == 1) return BMI_FAILURE; /* version 0.1 only gives it */
    memcpy(&store->size, from, 8);
    return BMI_SUCCESS;
  }
  if (store->crash) *(volatile int*)8 = 1;
  State state;
  if (store->protocol == 2 && store->size != sizeof state) return BMI_FAILURE; /* not announced */
  memcpy(&state, from, sizeof state);
  if (!store->hotstart) store->time = state.time;
  store->inflow = state.inflow;
  store->store = state.store;
  store->outflow = state.outflow;
  if (store->points) store->inlet = *state.where;
  if (!store->points && !store->forgets) store->inlet = state.inlet;
  Show(store);
  return BMI_SUCCESS;
}
static int SetValue(Bmi* self, const char* name, void* from) {
#ifdef TAKES_COMMUNICATOR
  if (strcmp(name, "bmi_mpi_comm_handle") == 0) {
    world = MPI_Comm_f2c(*(int*)from);
    return BMI_SUCCESS;
  }
#endif
  if (IsReserved(self, name)) return SetReserved(Of(self), name, from);
  if (Number(self, name) == NULL || strcmp(name, "level") == 0) return BMI_FAILURE;
  memcpy(Number(self, name), from, 8);
  Show(Of(self));
  return BMI_SUCCESS;
}
static int GridRank(Bmi* self, int grid, int* rank) {
  (void)self;
  *rank = grid;
  return BMI_SUCCESS;
}
static int GridSize(Bmi* self, int grid, int* size) {
  *size = grid == 1 ? Of(self)->rows : 1;
  return BMI_SUCCESS;
}
static int GridType(Bmi* self, int grid, char* type) {
  (void)self;
  (void)grid;
  strcpy(type, "scalar");
  return BMI_SUCCESS;
}

Bmi* register_bmi_store(Bmi* model) {
  static const Bmi kFunctions = {NULL,      Initialize,  Update,      UpdateUntil, Finalize, Name,      OneItem,
                                 TwoItems,  InputNames,  OutputNames, VarGrid,     VarType,  VarUnits,  VarItemsize,
                                 VarNbytes, VarLocation, CurrentTime, StartTime,   EndTime,  TimeUnits, TimeStep,
                                 Value,     ValuePtr,    NULL,        SetValue,    NULL,     GridRank,  GridSize,
                                 GridType,  NULL,        NULL,        NULL,        NULL,     NULL,      NULL,
                                 NULL,      NULL,        NULL,        NULL,        NULL,     NULL,      NULL};
  *model = kFunctions;
  model->data = calloc(1, sizeof(Store));
  return model;
}
