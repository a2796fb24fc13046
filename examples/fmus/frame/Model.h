#pragma once
/* What a model says about itself, and what the frame keeps for an instance of it. One source of a model gives FMUs of
   FMI 1.0 (co-simulation), 2.0 and 3.0 (co-simulation and model exchange, 3.0 also scheduled execution): Fmi1.c, Fmi2.c
   and Fmi3.c put the interface of their version over Instance.c, and Describe.c prints the description. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  kFloat32,
  kFloat64,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kBoolean,
  kString,
  kBinary,
  kEnumeration,
  kClock
} Type;

typedef enum { kParameter, kInput, kOutput, kLocal, kIndependent, kStructural, kCalculated } Causality;
typedef enum { kConstant, kFixed, kTunable, kDiscrete, kContinuous } Variability;
/* As the status of all versions counts. */
typedef enum { kOK, kWarning, kDiscard, kError, kFatal } Status;

enum { kTextSize = 128, kMaxElements = 64, kMaxStates = 64, kMaxIndicators = 4, kMaxInputs = 8, kMaxClocks = 32,
       kNone = -1 };

typedef char Text[kTextSize];
typedef struct {
  size_t size;
  uint8_t bytes[kTextSize];
} Blob;

/* A variable; its position in the table is its value reference. */
typedef struct {
  const char* name;
  Type type;
  Causality causality;
  Variability variability;
  size_t offset;     /* of the value in the model's data */
  const char* start; /* as the description writes it; NULL: calculated */
  const char* unit;
  const char* description;
  const char* attributes; /* more attributes of the description of 3.0, as they stand */
  int derivative_of;      /* 1 + value reference of the state; 0: no derivative */
  int rows, columns;      /* 1 + value references of the structural parameters; 0: no such dimension */
  int clock;              /* 1 + value reference of the clock; 0: not clocked */
  bool intermediate;      /* may be read or set in intermediate update */
  int from;               /* first version of FMI that has it; 0: all */
} Variable;

typedef struct {
  bool states_changed;
  bool terminate;
  bool again;
  bool has_next_time;
  double next_time;
} EventResult;

struct Instance;

typedef struct {
  const char* identifier;
  const char* description;
  const Variable* variables;
  int variable_count;
  size_t data_size;
  const char* units; /* elements of UnitDefinitions, as 2.0 and 3.0 write them */
  const char* types; /* name of the enumeration, then its items, between blanks; NULL: none */
  int indicator_count;
  int indicator_references[kMaxIndicators]; /* the variables that 3.0 names as event indicators */
  double stop_time, step, internal_step;
  double clock_interval; /* of clocks whose interval the description leaves open; 0: that to the next event */
  uint64_t clock_resolution; /* of clocks that give their interval as a fraction: it is 1 / clock_resolution */
  bool no_state;         /* state cannot be kept */
  bool no_serialize;     /* state can be kept, but not written */
  bool directional;      /* provides directional derivatives: jacobian is there */
  bool event_mode;       /* 3.0 co-simulation offers event mode and early return */
  bool intermediate;     /* 3.0 co-simulation offers intermediate update */
  bool interpolates;     /* takes derivatives of inputs */
  bool completed_step;   /* 3.0 model exchange wants to hear of each step of the solver; 2.0 always does */
  bool only_once;
  bool whole_steps; /* no variable communication step */
  bool refuses_slopes; /* says that it takes derivatives of inputs, and refuses them */
  bool exact_stop;     /* refuses a step that ends after the stop time by a last bit, too */
  bool no_step;        /* the description gives neither a step nor a stop time */
  bool no_model_exchange;
  bool no_co_simulation; /* of 3.0 */
  bool scheduled; /* 3.0 offers scheduled execution: partition is there */
  Status (*initialize)(struct Instance*); /* at the end of initialization; may be NULL */
  Status (*evaluate)(struct Instance*);   /* derivatives and outputs from time, states and inputs; may be NULL */
  void (*indicators)(struct Instance*, double[]);
  void (*event)(struct Instance*, EventResult*);                /* the discrete part; may be NULL */
  void (*ticked)(struct Instance*, uint32_t clock);             /* the importer activates a clock; may be NULL */
  double (*interval)(struct Instance*, uint32_t clock);         /* of a clock; 0: not known. May be NULL */
  double (*longest_step)(struct Instance*);                     /* above which a step is discarded; may be NULL */
  void (*pace)(struct Instance*, uint32_t clock, double interval); /* the importer sets an interval; may be NULL */
  Status (*partition)(struct Instance*, uint32_t clock, double time); /* of an input clock */
  Status (*before)(struct Instance*, const char* call);            /* asked at each call, to misbehave; may be NULL */
  double (*jacobian)(struct Instance*, int unknown, int known); /* partial derivative by value references */
} Model;

/* Defined by each model. */
extern const Model kModel;
extern const char kToken[]; /* made from the identifier by the build */

typedef enum {
  kInstantiated,
  kConfiguration,
  kInitialization,
  kEventMode,
  kContinuousTime,
  kStepMode,
  kIntermediate,
  kTerminated,
  kClockActivation,
  kClockUpdate
} Mode;

/* Everything that a kept state holds: plain memory. */
typedef struct {
  int version; /* of FMI */
  Mode mode;
  bool dirty;
  bool has_experiment; /* 2.0: SetupExperiment was called */
  bool set_since_step; /* co-simulation: nothing may be read until the next step */
  bool stepped;        /* there was a step */
  bool discarded;      /* before 3.0 a step was discarded: only the state of before helps */
  bool no_return;      /* the last step was said to need no way back before its start */
  bool exchange;   /* model exchange */
  bool scheduled;  /* scheduled execution */
  bool event_mode; /* co-simulation with event mode */
  bool early_return;
  bool stop_defined;
  bool has_next_time;
  bool terminate;
  double time, start_time, stop_time, next_time, last_successful;
  double input_slope[kMaxInputs]; /* of the continuous inputs, in their order */
  double indicator[kMaxIndicators];
  long step_count;
  double activated[kMaxClocks]; /* when the partition of each clock, by value reference, was activated last */
  unsigned told;                /* bits of the output clocks whose tick the importer has read, by value reference */
} Core;

typedef struct Instance {
  Core* core;
  void* data; /* behind the core, in one block */
  size_t block_size;
  bool logging;
  unsigned categories;  /* bits of those that are logged; 0: all */
  char* name;
  char* resources; /* folder, without separator at the end */
  void* environment;
  double no_way_back;       /* the importer has said that it sets no state of a time before */
  const uint32_t* required; /* the variables of intermediate update that it has named */
  size_t required_count;
  void (*log)(struct Instance*, Status, const char* category, const char* message);
  void (*callback)(void); /* what the version was given: logger */
  void (*update)(void);   /* intermediate update, or clock update */
  void (*lock)(void);
  void (*unlock)(void);
  Status (*intermediate)(struct Instance*, double time, bool can_return, bool* return_early, double* return_time);
} Instance;

Instance* MakeInstance(int version, const char* name, const char* token, const char* resources, bool logging);
void FreeInstance(Instance*);
void ResetInstance(Instance*);
/* Gives all variables their start values. */
void LoadStartValues(Instance*);
void Log(Instance*, Status, const char* category, const char* format, ...);
/* Which messages of calls that went well are logged; an unknown category is an error. */
Status SetLogging(Instance*, bool on, size_t count, const char* const categories[]);
/* Whether the call may be made now, by the mode; logs where not. */
Status Enter(Instance*, const char* call, unsigned modes);
#define MODE(m) (1u << (m))
enum { kAnyMode = 0xffff };

Status StartInitialization(Instance*, double start, bool stop_defined, double stop);
Status EndInitialization(Instance*);
Status Evaluate(Instance*);
Status HandleEvent(Instance*, EventResult*);
void Indicators(Instance*, double[]);
int StateCount(const Instance*);
double* StateAt(Instance*, int index);
double* DerivativeAt(Instance*, int index);
size_t Elements(const Instance*, const Variable*);
void* ValueAt(Instance*, uint32_t reference);
/* Whether a variable may be set now, by the mode tables of the version: what an FMU may refuse is refused. */
Status MaySet(Instance*, uint32_t reference, Type type, const char* call);
Status MayGet(Instance*, uint32_t reference, Type type, const char* call);
/* Whether a clock may be set, read, asked for its interval or given one now. */
typedef enum { kSetClock, kGetClock, kAskInterval, kAskShift, kGiveInterval } ClockUse;
Status MayUseClock(Instance*, uint32_t reference, ClockUse use, bool fraction, const char* call);
Status SetInputSlope(Instance*, uint32_t reference, int order, double value);
Status OutputSlope(Instance*, uint32_t reference, int order, double* value);
/* A state is a copy of the core and the data behind it. */
Status GetState(Instance*, void** state);
/* Refused where it lies before a time to which the importer has given up the way back. */
Status SetState(Instance*, const void* state);
/* The importer gives up the way back to states before the present time. */
void GiveUpReturn(Instance*, bool no_return);
Status FreeState(void** state);
Status StateSize(const Instance*, const void* state, size_t* size);
Status StateToBytes(const Instance*, const void* state, void* bytes, size_t size);
Status BytesToState(const Instance*, const void* bytes, size_t size, void** state);
/* Scheduled execution: what a partition calls to announce clocks, and to guard what other partitions use too. */
void AnnounceClocks(Instance*);
void LockPreemption(Instance*);
void UnlockPreemption(Instance*);
Status ActivatePartition(Instance*, uint32_t clock, double time);
/* A communication step. */
Status Step(Instance*, double current, double step, bool* event_needed, bool* early);
Status Directional(Instance*, const uint32_t unknown[], size_t n, const uint32_t known[], size_t m, const double seed[],
                   double sensitivity[]);

#define DATA(instance, type) ((type*)(instance)->data)
