#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Model.h"

static size_t SizeOf(Type type) {
  static const size_t sizes[] = {4, 8,           1, 1, 2, 2, 4, 4, 8, 8, sizeof(bool), sizeof(Text), sizeof(Blob),
                                 8, sizeof(bool)};
  return sizes[type];
}

static char* Copy(const char* text) {
  const size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy != NULL) memcpy(copy, text, size);
  return copy;
}

static void ReadStart(const Variable* variable, const char* text, char* at) {
  switch (variable->type) {
    case kFloat32:
      *(float*)at = (float)strtod(text, NULL);
      break;
    case kFloat64:
      *(double*)at = strtod(text, NULL);
      break;
    case kInt8:
      *(int8_t*)at = (int8_t)strtoll(text, NULL, 10);
      break;
    case kUInt8:
      *(uint8_t*)at = (uint8_t)strtoull(text, NULL, 10);
      break;
    case kInt16:
      *(int16_t*)at = (int16_t)strtoll(text, NULL, 10);
      break;
    case kUInt16:
      *(uint16_t*)at = (uint16_t)strtoull(text, NULL, 10);
      break;
    case kInt32:
      *(int32_t*)at = (int32_t)strtoll(text, NULL, 10);
      break;
    case kUInt32:
      *(uint32_t*)at = (uint32_t)strtoull(text, NULL, 10);
      break;
    case kEnumeration:
    case kInt64:
      *(int64_t*)at = strtoll(text, NULL, 10);
      break;
    case kUInt64:
      *(uint64_t*)at = strtoull(text, NULL, 10);
      break;
    case kBoolean:
    case kClock:
      *(bool*)at = strcmp(text, "true") == 0;
      break;
    case kString:
      snprintf(at, sizeof(Text), "%s", text);
      break;
    case kBinary: {
      Blob* blob = (Blob*)at;
      for (blob->size = 0; text[0] != '\0' && text[1] != '\0' && blob->size < kTextSize; text += 2) {
        const char pair[3] = {text[0], text[1], '\0'};
        blob->bytes[blob->size++] = (uint8_t)strtoul(pair, NULL, 16);
      }
      break;
    }
  }
}

void LoadStartValues(Instance* instance) {
  for (int i = 0; i < kModel.variable_count; ++i) {
    const Variable* variable = &kModel.variables[i];
    if (variable->start == NULL) continue;
    char* at = (char*)instance->data + variable->offset;
    if (variable->rows == 0) {
      ReadStart(variable, variable->start, at);
      continue;
    }
    /* One value for all elements, or one each. Room is for the largest array. */
    const char* text = variable->start;
    const bool single = strchr(text, ' ') == NULL;
    for (int element = 0; element < kMaxElements; ++element) {
      ReadStart(variable, text, at + (size_t)element * SizeOf(variable->type));
      const char* next = strchr(text, ' ');
      if (!single && next == NULL) break;
      if (!single) text = next + 1;
    }
  }
}

void ResetInstance(Instance* instance) {
  const int version = instance->core->version;
  const bool exchange = instance->core->exchange;
  const bool scheduled = instance->core->scheduled;
  const bool event_mode = instance->core->event_mode;
  const bool early_return = instance->core->early_return;
  memset(instance->core, 0, instance->block_size);
  instance->core->version = version;
  instance->no_way_back = -HUGE_VAL;
  instance->core->exchange = exchange;
  instance->core->scheduled = scheduled;
  instance->core->event_mode = event_mode;
  instance->core->early_return = early_return;
  instance->core->dirty = true;
  for (int i = 0; i < kMaxClocks; ++i) instance->core->activated[i] = -HUGE_VAL;
  LoadStartValues(instance);
}

Instance* MakeInstance(int version, const char* name, const char* token, const char* resources, bool logging) {
  if (name == NULL || name[0] == '\0' || token == NULL || strcmp(token, kToken) != 0) return NULL;
  Instance* instance = calloc(1, sizeof(Instance));
  if (instance == NULL) return NULL;
  const size_t core = (sizeof(Core) + 15u) / 16u * 16u;
  instance->block_size = core + kModel.data_size;
  instance->core = calloc(1, instance->block_size);
  instance->name = Copy(name);
  instance->resources = Copy(resources != NULL ? resources : "");
  if (instance->core == NULL || instance->name == NULL || instance->resources == NULL) {
    FreeInstance(instance);
    return NULL;
  }
  instance->data = (char*)instance->core + core;
  instance->logging = logging;
  instance->core->version = version;
  ResetInstance(instance);
  return instance;
}

void FreeInstance(Instance* instance) {
  if (instance == NULL) return;
  free(instance->core);
  free(instance->name);
  free(instance->resources);
  free((void*)instance->required);
  free(instance);
}

/* As Describe.c lists them; 0 for another. */
static unsigned CategoryBit(const char* category) {
  return strcmp(category, "logEvents") == 0 ? 1u : strcmp(category, "logStatusError") == 0 ? 2u : 0u;
}

Status SetLogging(Instance* instance, bool on, size_t count, const char* const categories[]) {
  unsigned bits = 0;
  for (size_t i = 0; i < count; ++i) {
    if (CategoryBit(categories[i]) == 0) return kError;
    bits |= CategoryBit(categories[i]);
  }
  instance->logging = on;
  instance->categories = bits;
  return kOK;
}

void Log(Instance* instance, Status status, const char* category, const char* format, ...) {
  if (instance->log == NULL || (status < kError && !instance->logging)) return;
  if (status < kError && instance->categories != 0 && (instance->categories & CategoryBit(category)) == 0) return;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  instance->log(instance, status, category, message);
}

Status Enter(Instance* instance, const char* call, unsigned modes) {
  if (instance == NULL) return kError;
  if ((MODE(instance->core->mode) & modes) == 0) {
    Log(instance, kError, "logStatusError", "%s is not allowed in mode %d", call, (int)instance->core->mode);
    return kError;
  }
  return kModel.before != NULL ? kModel.before(instance, call) : kOK;
}

size_t Elements(const Instance* instance, const Variable* variable) {
  size_t count = 1;
  const int sizes[2] = {variable->rows, variable->columns};
  for (int i = 0; i < 2; ++i) {
    if (sizes[i] != 0) {
      count *= (size_t) * (const uint64_t*)((const char*)instance->data + kModel.variables[sizes[i] - 1].offset);
    }
  }
  return count;
}

void* ValueAt(Instance* instance, uint32_t reference) {
  return (char*)instance->data + kModel.variables[reference].offset;
}

/* Whether what belongs to a clock is there. */
static bool IsActive(Instance* instance, const Variable* variable) {
  return variable->clock == 0 || *(const bool*)ValueAt(instance, (uint32_t)variable->clock - 1);
}

/* Whether the importer may use the variable in intermediate update. */
static bool IsRequired(const Instance* instance, const Variable* variable) {
  for (size_t i = 0; i < instance->required_count; ++i) {
    if (instance->required[i] == (uint32_t)(variable - kModel.variables)) return variable->intermediate;
  }
  return false;
}

static bool CanBeRead(Instance* instance, const Variable* variable) {
  const Core* core = instance->core;
  switch (core->mode) {
    case kInstantiated:
      return core->version == 3 && variable->start != NULL;
    case kConfiguration:
      return variable->causality == kStructural;
    case kInitialization:
      return true;
    case kEventMode:
      return IsActive(instance, variable);
    case kStepMode:
      return variable->clock == 0 && !core->set_since_step;
    case kIntermediate:
      return IsRequired(instance, variable) && !core->set_since_step;
    case kClockActivation:
      return IsActive(instance, variable) && !core->set_since_step;
    case kClockUpdate:
      return false;
    default:
      return variable->clock == 0;
  }
}

static bool CanBeSet(Instance* instance, const Variable* variable) {
  const Core* core = instance->core;
  const bool is_input = variable->causality == kInput;
  const bool is_tunable = variable->causality == kParameter && variable->variability == kTunable;
  switch (core->mode) {
    case kInstantiated:
    case kInitialization:
      return variable->start != NULL && variable->variability != kConstant && variable->causality != kStructural &&
             variable->causality != kIndependent && variable->causality != kCalculated;
    case kConfiguration:
      return variable->causality == kStructural;
    case kEventMode:
      return (is_input || is_tunable) && IsActive(instance, variable);
    case kContinuousTime:
      return is_input && variable->variability == kContinuous;
    case kStepMode:
      if (variable->clock != 0) return false;
      if (core->event_mode) return is_input && variable->variability == kContinuous;
      return is_input || (is_tunable && core->version > 1);
    case kIntermediate:
      return is_input && variable->variability == kContinuous && IsRequired(instance, variable);
    case kClockActivation:
      return is_input || is_tunable;
    default:
      return false;
  }
}

static const Variable* Find(Instance* instance, uint32_t reference, Type type, const char* call) {
  if (reference < (uint32_t)kModel.variable_count && kModel.variables[reference].type == type) {
    return &kModel.variables[reference];
  }
  Log(instance, kError, "logStatusError", "%s: there is no variable %u of that type", call, reference);
  return NULL;
}

Status MayGet(Instance* instance, uint32_t reference, Type type, const char* call) {
  const Variable* variable = Find(instance, reference, type, call);
  if (variable == NULL) return kError;
  if (!CanBeRead(instance, variable)) {
    Log(instance, kError, "logStatusError", "%s: %s cannot be read in mode %d%s", call, variable->name,
        (int)instance->core->mode,
        variable->clock != 0             ? ", where its clock is not active"
        : instance->core->set_since_step ? ", after something was set"
                                         : "");
    return kError;
  }
  if (instance->core->dirty) return Evaluate(instance);
  return kOK;
}

Status MaySet(Instance* instance, uint32_t reference, Type type, const char* call) {
  const Variable* variable = Find(instance, reference, type, call);
  if (variable == NULL) return kError;
  if (!CanBeSet(instance, variable)) {
    Log(instance, kError, "logStatusError", "%s: %s cannot be set in mode %d%s", call, variable->name,
        (int)instance->core->mode, variable->clock != 0 ? ", where its clock is not active" : "");
    return kError;
  }
  instance->core->dirty = true;
  const Mode mode = instance->core->mode;
  instance->core->set_since_step |= mode == kStepMode || mode == kIntermediate || mode == kClockActivation;
  return kOK;
}

static bool Says(const Variable* clock, const char* what) {
  return clock->attributes != NULL && strstr(clock->attributes, what) != NULL;
}

Status MayUseClock(Instance* instance, uint32_t reference, ClockUse use, bool fraction, const char* call) {
  const Variable* clock = Find(instance, reference, kClock, call);
  if (clock == NULL) return kError;
  const Mode mode = instance->core->mode;
  const bool in_event = mode == kEventMode;
  const bool is_input = clock->causality == kInput;
  const bool tunable = Says(clock, "\"tunable\"");
  const bool periodic = tunable || Says(clock, "\"fixed\"");
  const bool given = Says(clock, "intervalDecimal") || Says(clock, "intervalCounter");
  const bool is_open = (periodic && !given) || Says(clock, "\"changing\"") || Says(clock, "\"countdown\"");
  bool allowed = false;
  switch (use) {
    case kSetClock:
      allowed = is_input && in_event;
      break;
    case kGetClock:
      allowed = !is_input && (in_event || mode == kClockUpdate);
      break;
    case kAskInterval:
      allowed = is_input && is_open &&
                (mode == kInitialization || in_event || mode == kClockUpdate ||
                 (mode == kClockActivation && Says(clock, "\"changing\"")));
      break;
    case kAskShift:
      allowed = is_input && periodic && !given && (mode == kInitialization || in_event);
      break;
    case kGiveInterval:
      allowed = is_input && periodic && given && (mode == kInitialization || (tunable && in_event));
      break;
  }
  if (fraction && !Says(clock, "supportsFraction=\"true\"")) allowed = false;
  if (allowed) return kOK;
  Log(instance, kError, "logStatusError", "%s: not allowed for the clock %s in mode %d", call, clock->name, (int)mode);
  return kError;
}

/* The states are the variables that others are derivatives of, array elements one after another. */
static double* State(Instance* instance, int index, bool derivative) {
  for (int i = 0; i < kModel.variable_count; ++i) {
    const Variable* variable = &kModel.variables[i];
    if (variable->derivative_of == 0) continue;
    const int count = (int)Elements(instance, variable);
    if (index < count) {
      const Variable* of = derivative ? variable : &kModel.variables[variable->derivative_of - 1];
      return (double*)((char*)instance->data + of->offset) + index;
    }
    index -= count;
  }
  return NULL;
}

int StateCount(const Instance* instance) {
  int count = 0;
  for (int i = 0; i < kModel.variable_count; ++i) {
    if (kModel.variables[i].derivative_of != 0) count += (int)Elements(instance, &kModel.variables[i]);
  }
  return count;
}

double* StateAt(Instance* instance, int index) {
  return State(instance, index, false);
}

double* DerivativeAt(Instance* instance, int index) {
  return State(instance, index, true);
}

Status Evaluate(Instance* instance) {
  instance->core->dirty = false;
  return kModel.evaluate != NULL ? kModel.evaluate(instance) : kOK;
}

void Indicators(Instance* instance, double values[]) {
  if (kModel.indicators != NULL) kModel.indicators(instance, values);
}

Status StartInitialization(Instance* instance, double start, bool stop_defined, double stop) {
  Core* core = instance->core;
  if (stop_defined && stop < start) return kError;
  core->time = core->start_time = core->last_successful = start;
  core->stop_defined = stop_defined;
  core->stop_time = stop;
  core->mode = kInitialization;
  core->dirty = true;
  core->set_since_step = false;
  return kOK;
}

Status EndInitialization(Instance* instance) {
  Core* core = instance->core;
  Status status = kModel.initialize != NULL ? kModel.initialize(instance) : kOK;
  if (status >= kError) return status;
  core->dirty = true;
  status = Evaluate(instance);
  if (core->scheduled) {
    core->mode = kClockActivation;
  } else if (core->exchange || core->event_mode) {
    core->mode = kEventMode;
  } else {
    EventResult result;
    core->mode = kStepMode;
    const Status event = HandleEvent(instance, &result);
    if (event > status) status = event;
  }
  Indicators(instance, core->indicator);
  return status;
}

Status HandleEvent(Instance* instance, EventResult* result) {
  Core* core = instance->core;
  memset(result, 0, sizeof *result);
  Status status = core->dirty ? Evaluate(instance) : kOK;
  if (status >= kError) return status;
  if (kModel.event != NULL) kModel.event(instance, result);
  for (int i = 0; i < kModel.variable_count; ++i) {
    if (kModel.variables[i].type == kClock) *(bool*)ValueAt(instance, (uint32_t)i) = false;
  }
  core->has_next_time = result->has_next_time;
  core->next_time = result->next_time;
  core->terminate = result->terminate;
  status = Evaluate(instance);
  Indicators(instance, core->indicator);
  return status;
}

static double* SlopeOf(Instance* instance, uint32_t reference) {
  int number = 0;
  for (uint32_t i = 0; i < (uint32_t)kModel.variable_count && number < kMaxInputs; ++i) {
    const Variable* variable = &kModel.variables[i];
    if (variable->causality != kInput || variable->type != kFloat64 || variable->rows != 0) continue;
    if (i == reference) return &instance->core->input_slope[number];
    ++number;
  }
  return NULL;
}

Status SetInputSlope(Instance* instance, uint32_t reference, int order, double value) {
  double* slope = kModel.interpolates && !kModel.refuses_slopes && order == 1 ? SlopeOf(instance, reference) : NULL;
  if (slope == NULL) {
    Log(instance, kError, "logStatusError", "variable %u takes no derivative of order %d", reference, order);
    return kError;
  }
  *slope = value;
  return kOK;
}

Status OutputSlope(Instance* instance, uint32_t reference, int order, double* value) {
  *value = 0.0;
  if (order < 1) return kError;
  for (int i = 0; i < kModel.variable_count && order == 1; ++i) {
    if (kModel.variables[i].derivative_of == (int)reference + 1) *value = *(double*)ValueAt(instance, (uint32_t)i);
  }
  return kOK;
}

static void MoveInputs(Instance* instance, double seconds) {
  if (!kModel.interpolates) return;
  for (uint32_t i = 0; i < (uint32_t)kModel.variable_count; ++i) {
    const double* slope = SlopeOf(instance, i);
    if (slope != NULL) *(double*)ValueAt(instance, i) += *slope * seconds;
  }
}

static bool CrossedIndicator(Instance* instance) {
  double now[kMaxIndicators] = {0};
  Indicators(instance, now);
  bool crossed = false;
  for (int i = 0; i < kModel.indicator_count; ++i) {
    crossed |= (now[i] > 0.0) != (instance->core->indicator[i] > 0.0);
    instance->core->indicator[i] = now[i];
  }
  return crossed;
}

Status Step(Instance* instance, double current, double step, bool* event_needed, bool* early) {
  Core* core = instance->core;
  *event_needed = *early = false;
  core->set_since_step = false;
  const double tolerance = 1e-6 * step + 8.0 * (nextafter(fabs(current), HUGE_VAL) - fabs(current)); /* of sums */
  if (step <= 0.0 || fabs(current - core->time) > tolerance) {
    Log(instance, kError, "logStatusError", "expected a step from %.17g, found one of %.17g from %.17g", core->time,
        step, current);
    return kError;
  }
  if (core->stop_defined && current + step > core->stop_time + (kModel.exact_stop ? 0.0 : tolerance)) {
    Log(instance, kError, "logStatusError", "expected no step beyond the stop time %.17g", core->stop_time);
    return kError;
  }
  if (core->discarded) {
    Log(instance, kError, "logStatusError", "a step was discarded, and the state of before was not set");
    return kError;
  }
  if (kModel.longest_step != NULL && step > kModel.longest_step(instance)) {
    core->discarded = core->version < 3;
    return kDiscard;
  }
  const double parts = kModel.internal_step > 0.0 ? fmax(1.0, ceil(step / kModel.internal_step - 1e-6)) : 1.0;
  const int states = StateCount(instance);
  Status worst = kOK;
  for (double part = 0.0; part < parts; part += 1.0) {
    if (core->dirty) {
      const Status status = Evaluate(instance);
      if (status >= kDiscard) return status;
      if (status > worst) worst = status;
    }
    const double end = part + 1.0 < parts ? current + step * ((part + 1.0) / parts) : current + step;
    const double seconds = end - core->time;
    for (int i = 0; i < states; ++i) *StateAt(instance, i) += seconds * *DerivativeAt(instance, i);
    MoveInputs(instance, seconds);
    core->time = core->last_successful = end;
    const Status status = Evaluate(instance);
    if (status >= kDiscard) return status;
    if (status > worst) worst = status;
    const bool due = core->has_next_time && core->time >= core->next_time - 1e-9;
    const bool crossed = kModel.indicator_count > 0 && CrossedIndicator(instance);
    if (due || crossed) {
      if (core->event_mode) {
        *event_needed = true;
        *early = part + 1.0 < parts;
        if (!*early || core->early_return) break;
        *early = false;
      } else {
        EventResult result;
        HandleEvent(instance, &result);
        if (result.terminate) {
          *early = part + 1.0 < parts;
          break;
        }
      }
    }
    if (instance->intermediate != NULL) {
      bool wanted = false;
      double until = core->time;
      const Mode mode = core->mode;
      core->mode = kIntermediate;
      const bool can = core->early_return && part + 1.0 < parts;
      instance->intermediate(instance, core->time, can, &wanted, &until);
      core->mode = mode;
      core->set_since_step = false;
      if (can && wanted && until <= core->time) {
        *early = true;
        break;
      }
    }
  }
  memset(core->input_slope, 0, sizeof core->input_slope);
  ++core->step_count;
  return worst;
}

Status Directional(Instance* instance, const uint32_t unknown[], size_t n, const uint32_t known[], size_t m,
                   const double seed[], double sensitivity[]) {
  if (kModel.jacobian == NULL) return kError;
  for (size_t i = 0; i < n; ++i) {
    sensitivity[i] = 0.0;
    for (size_t j = 0; j < m; ++j)
      sensitivity[i] += kModel.jacobian(instance, (int)unknown[i], (int)known[j]) * seed[j];
  }
  return kOK;
}

static Status FillState(const Instance* instance, const void* from, void** state) {
  if (*state == NULL) *state = malloc(instance->block_size);
  if (*state == NULL) return kError;
  memcpy(*state, from, instance->block_size);
  return kOK;
}

Status GetState(Instance* instance, void** state) {
  return kModel.no_state ? kError : FillState(instance, instance->core, state);
}

Status SetState(Instance* instance, const void* state) {
  if (kModel.no_state || state == NULL) return kError;
  const Core* kept = state;
  if (kept->time < instance->no_way_back - 1e-9 * fmax(1.0, fabs(kept->time))) {
    Log(instance, kError, "logStatusError", "the state of %g lies before %g, to where the way back was given up",
        kept->time, instance->no_way_back);
    return kError;
  }
  memcpy(instance->core, state, instance->block_size);
  return kOK;
}

void GiveUpReturn(Instance* instance, bool no_return) {
  instance->core->no_return = no_return;
  instance->core->stepped = instance->core->dirty = true;
  if (no_return) instance->no_way_back = instance->core->time;
}

Status FreeState(void** state) {
  if (state != NULL) {
    free(*state);
    *state = NULL;
  }
  return kOK;
}

Status StateSize(const Instance* instance, const void* state, size_t* size) {
  if (kModel.no_serialize || state == NULL) return kError;
  *size = instance->block_size;
  return kOK;
}

Status StateToBytes(const Instance* instance, const void* state, void* bytes, size_t size) {
  if (kModel.no_serialize || state == NULL || size < instance->block_size) return kError;
  memcpy(bytes, state, instance->block_size);
  return kOK;
}

Status BytesToState(const Instance* instance, const void* bytes, size_t size, void** state) {
  if (kModel.no_serialize || size != instance->block_size) return kError;
  return FillState(instance, bytes, state);
}

void AnnounceClocks(Instance* instance) {
  typedef void (*Update)(void*);
  const Mode before = instance->core->mode;
  instance->core->mode = kClockUpdate;
  ((Update)instance->update)(instance->environment);
  instance->core->mode = before;
}

void LockPreemption(Instance* instance) {
  if (instance->lock != NULL) instance->lock();
}

void UnlockPreemption(Instance* instance) {
  if (instance->unlock != NULL) instance->unlock();
}

Status ActivatePartition(Instance* instance, uint32_t clock, double time) {
  Core* core = instance->core;
  const Variable* variable = Find(instance, clock, kClock, "ActivateModelPartition");
  if (variable == NULL || clock >= kMaxClocks) return kError;
  if (variable->causality != kInput || !(time > core->activated[clock])) {
    Log(instance, kError, "logStatusError", "ActivateModelPartition: %s is no input clock, or was activated at %.17g",
        variable->name, core->activated[clock]);
    return kError;
  }
  for (int i = 0; i < kModel.variable_count; ++i) {
    if (kModel.variables[i].type == kClock) *(bool*)ValueAt(instance, (uint32_t)i) = i == (int)clock;
  }
  core->activated[clock] = core->time = time;
  core->told = 0;
  core->set_since_step = false;
  return kModel.partition(instance, clock, time);
}
