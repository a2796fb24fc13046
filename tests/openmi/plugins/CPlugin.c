/* A component in C, good or with one of the faults that the loader refuses. */
#include "openmi/c/openmi_component.h"

enum { kGood, kNoStep, kShort, kNoName, kNoSave, kNoTable, kNoList, kTwice };
#ifndef OPENMI_TEST_FAULT
#define OPENMI_TEST_FAULT kGood
#endif

static int Create(openmi_instance* me) {
  const openmi_item item = {.size = sizeof item, .id = "y"};
  return me->host->add_output(me, &item) == 1 ? 0 : -1;
}
static int Step(openmi_instance* me, const openmi_times* times) {
  openmi_put(me, 1, times->to_seconds);
  return 0;
}
static int Load(openmi_instance* me, const void* bytes, size_t size) {
  (void)me, (void)bytes, (void)size;
  return 0;
}

static const openmi_component pond = {.size = OPENMI_TEST_FAULT == kShort ? 40 : sizeof pond,
                                      .type = OPENMI_TEST_FAULT == kNoName ? NULL : "Pond",
                                      .create = Create,
                                      .step = OPENMI_TEST_FAULT == kNoStep ? NULL : Step,
                                      .load = OPENMI_TEST_FAULT == kNoSave ? Load : NULL};
static const openmi_component lake = {.size = sizeof lake,
                                      .type = OPENMI_TEST_FAULT == kTwice ? "Pond" : "org.example.Lake",
                                      .create = Create,
                                      .step = Step};
static const openmi_component* const types[] = {&pond, &lake, NULL};
static const openmi_component_library library = {.size = sizeof library,
                                                 .types = OPENMI_TEST_FAULT == kNoList ? NULL : types};

static const openmi_component_library* Library(void) {
  return OPENMI_TEST_FAULT == kNoTable ? NULL : &library;
}

#ifdef OPENMI_TEST_OTHER_VERSION
OPENMI_C_EXPORT const openmi_component_library* openmi_c_component_2(void);
const openmi_component_library* openmi_c_component_2(void) {
  return Library();
}
#else
const openmi_component_library* openmi_c_component_1(void) {
  return Library();
}
#endif
