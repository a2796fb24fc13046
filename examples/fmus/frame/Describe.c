/* Prints the model description of kModel for the FMI version given: 1, 2 or 3. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Model.h"

static int version;

static const char* TypeName(Type type) {
  static const char* const three[] = {"Float32", "Float64", "Int8",   "UInt8",       "Int16",
                                      "UInt16",  "Int32",   "UInt32", "Int64",       "UInt64",
                                      "Boolean", "String",  "Binary", "Enumeration", "Clock"};
  if (version == 3) return three[type];
  return type == kFloat64 ? "Real" : type == kInt32 ? "Integer" : three[type];
}

static bool IsOffered(const Variable* variable) {
  if (variable->from > version) return false;
  if (version == 3) return true;
  if (version == 1 && variable->causality == kIndependent) return false;
  const Type type = variable->type;
  return (type == kFloat64 || type == kInt32 || type == kBoolean || type == kString || type == kEnumeration) &&
         variable->rows == 0 && variable->clock == 0 && variable->causality != kStructural;
}

/* The place in the list, from 1, of the variable of that value reference. */
static int Place(int reference) {
  int place = 0;
  for (int i = 0; i <= reference; ++i) place += IsOffered(&kModel.variables[i]) ? 1 : 0;
  return place;
}

static void Attributes(const Variable* variable) {
  static const char* const causalities[] = {
      "parameter", "input", "output", "local", "independent", "structuralParameter", "calculatedParameter"};
  static const char* const variabilities[] = {"constant", "fixed", "tunable", "discrete", "continuous"};
  printf(" name=\"%s\" valueReference=\"%d\" description=\"%s\"", variable->name, (int)(variable - kModel.variables),
         variable->description != NULL ? variable->description : variable->name);
  if (version == 1) {
    const bool set = variable->causality == kParameter;
    printf(" causality=\"%s\" variability=\"%s\"",
           variable->causality == kInput    ? "input"
           : variable->causality == kOutput ? "output"
                                            : "internal",
           set                                    ? "parameter"
           : variable->variability == kContinuous ? "continuous"
                                                  : "discrete");
    return;
  }
  printf(" causality=\"%s\" variability=\"%s\"", causalities[variable->causality],
         variabilities[variable->variability]);
  if ((variable->causality == kOutput || variable->causality == kLocal) && variable->start != NULL &&
      variable->variability != kConstant) {
    printf(" initial=\"exact\"");
  }
}

static void TypeAttributes(const Variable* variable) {
  if (variable->unit != NULL && version > 1) printf(" unit=\"%s\"", variable->unit);
  if (variable->type == kEnumeration) {
    char name[64];
    sscanf(kModel.types, "%63s", name);
    printf(" declaredType=\"%s\"", name);
  }
  if (variable->derivative_of != 0 && version > 1) {
    printf(" derivative=\"%d\"", version == 3 ? variable->derivative_of - 1 : Place(variable->derivative_of - 1));
  }
}

static void DescribeVariable(int i) {
  const Variable* variable = &kModel.variables[i];
  if (!IsOffered(variable)) return;
  const bool text = variable->type == kString || variable->type == kBinary;
  if (version < 3) {
    printf("    <ScalarVariable");
    Attributes(variable);
    printf(">\n      <%s", TypeName(variable->type));
    TypeAttributes(variable);
    if (variable->start != NULL) printf(" start=\"%s\"", variable->start);
    printf("/>\n    </ScalarVariable>\n");
    return;
  }
  printf("    <%s", TypeName(variable->type));
  Attributes(variable);
  TypeAttributes(variable);
  if (variable->start != NULL && !text && variable->type != kClock) printf(" start=\"%s\"", variable->start);
  if (variable->clock != 0) printf(" clocks=\"%d\"", variable->clock - 1);
  if (variable->intermediate) printf(" intermediateUpdate=\"true\"");
  if (variable->attributes != NULL) printf(" %s", variable->attributes);
  printf(">\n");
  if (text && variable->start != NULL) printf("      <Start value=\"%s\"/>\n", variable->start);
  const int sizes[2] = {variable->rows, variable->columns};
  for (int d = 0; d < 2; ++d) {
    if (sizes[d] != 0) printf("      <Dimension valueReference=\"%d\"/>\n", sizes[d] - 1);
  }
  printf("    </%s>\n", TypeName(variable->type));
}

static void DescribeTypes(void) {
  if (kModel.types == NULL) return;
  char copy[512];
  snprintf(copy, sizeof copy, "%s", kModel.types);
  const char* name = strtok(copy, " ");
  if (version == 3) {
    printf("  <TypeDefinitions>\n    <EnumerationType name=\"%s\">\n", name);
  } else {
    printf("  <TypeDefinitions>\n    <%s name=\"%s\">\n      <Enumeration%s>\n", version == 2 ? "SimpleType" : "Type",
           name, version == 2 ? "" : "Type");
  }
  int value = 1;
  for (const char* item = strtok(NULL, " "); item != NULL; item = strtok(NULL, " "), ++value) {
    if (version == 1) {
      printf("        <Item name=\"%s\"/>\n", item);
    } else {
      printf("        <Item name=\"%s\" value=\"%d\"/>\n", item, value);
    }
  }
  if (version == 3) {
    printf("    </EnumerationType>\n  </TypeDefinitions>\n");
  } else {
    printf("      </Enumeration%s>\n    </%s>\n  </TypeDefinitions>\n", version == 2 ? "" : "Type",
           version == 2 ? "SimpleType" : "Type");
  }
}

static const char* Flag(bool value) {
  return value ? "true" : "false";
}

static void DescribeInterfaces(void) {
  const char* State = version == 3 ? "State" : "state";
  for (int co = 0; co < 2; ++co) {
    if (co == 0 && kModel.no_model_exchange) continue;
    if (co == 1 && kModel.no_co_simulation) continue;
    printf(
        "  <%s modelIdentifier=\"%s\" canGetAndSetFMU%s=\"%s\" canSerializeFMU%s=\"%s\" "
        "providesDirectionalDerivative%s=\"%s\" canBeInstantiatedOnlyOncePerProcess=\"%s\"",
        co ? "CoSimulation" : "ModelExchange", kModel.identifier, State, Flag(!kModel.no_state), State,
        Flag(!kModel.no_state && !kModel.no_serialize), version == 3 ? "s" : "", Flag(kModel.directional),
        Flag(kModel.only_once));
    if (!co && version == 3 && kModel.completed_step) printf(" needsCompletedIntegratorStep=\"true\"");
    if (co) {
      printf(" canHandleVariableCommunicationStepSize=\"%s\" maxOutputDerivativeOrder=\"1\"",
             Flag(!kModel.whole_steps));
      if (version == 2) printf(" canInterpolateInputs=\"%s\"", Flag(kModel.interpolates));
      if (version == 3) {
        printf(
            " hasEventMode=\"%s\" mightReturnEarlyFromDoStep=\"%s\" providesIntermediateUpdate=\"%s\" "
            "canReturnEarlyAfterIntermediateUpdate=\"%s\"",
            Flag(kModel.event_mode), Flag(kModel.event_mode), Flag(kModel.intermediate), Flag(kModel.intermediate));
      }
    }
    printf("/>\n");
  }
  if (version < 3 || !kModel.scheduled) return;
  printf("  <ScheduledExecution modelIdentifier=\"%s\" canGetAndSetFMUState=\"%s\" canSerializeFMUState=\"%s\"/>\n",
         kModel.identifier, Flag(!kModel.no_state), Flag(!kModel.no_state && !kModel.no_serialize));
}

static void DescribeStructure(void) {
  printf("  <ModelStructure>\n");
  if (version == 2) {
    bool any = false;
    for (int i = 0; i < kModel.variable_count; ++i) {
      if (!IsOffered(&kModel.variables[i]) || kModel.variables[i].causality != kOutput) continue;
      if (!any) printf("    <Outputs>\n");
      any = true;
      printf("      <Unknown index=\"%d\"/>\n", Place(i));
    }
    if (any) printf("    </Outputs>\n");
    any = false;
    for (int i = 0; i < kModel.variable_count; ++i) {
      if (!IsOffered(&kModel.variables[i]) || kModel.variables[i].derivative_of == 0) continue;
      if (!any) printf("    <Derivatives>\n");
      any = true;
      printf("      <Unknown index=\"%d\"/>\n", Place(i));
    }
    if (any) printf("    </Derivatives>\n");
    any = false;
    for (int i = 0; i < kModel.variable_count; ++i) {
      const Variable* variable = &kModel.variables[i];
      if (!IsOffered(variable) ||
          (variable->derivative_of == 0 && (variable->causality != kOutput || variable->start != NULL)))
        continue;
      if (!any) printf("    <InitialUnknowns>\n");
      any = true;
      printf("      <Unknown index=\"%d\"/>\n", Place(i));
    }
    if (any) printf("    </InitialUnknowns>\n");
  } else {
    for (int i = 0; i < kModel.variable_count; ++i) {
      if (kModel.variables[i].causality == kOutput) printf("    <Output valueReference=\"%d\"/>\n", i);
    }
    for (int i = 0; i < kModel.variable_count; ++i) {
      if (kModel.variables[i].derivative_of != 0) printf("    <ContinuousStateDerivative valueReference=\"%d\"/>\n", i);
    }
    for (int i = 0; i < kModel.variable_count; ++i) {
      const Variable* variable = &kModel.variables[i];
      if (variable->derivative_of != 0 ||
          (variable->causality == kOutput && variable->start == NULL && variable->type != kClock))
        printf("    <InitialUnknown valueReference=\"%d\"/>\n", i);
    }
    for (int i = 0; i < kModel.indicator_count; ++i)
      printf("    <EventIndicator valueReference=\"%d\"/>\n", kModel.indicator_references[i]);
  }
  printf("  </ModelStructure>\n");
}

int main(int argc, char** argv) {
  version = argc > 1 ? atoi(argv[1]) : 3;
  printf(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription fmiVersion=\"%d.0\" modelName=\"%s\"\n"
      "  %s=\"%s\" description=\"%s\" generationTool=\"OpenMI examples\"",
      version, kModel.identifier, version == 3 ? "instantiationToken" : "guid", kToken, kModel.description);
  if (version == 1) printf(" modelIdentifier=\"%s\" numberOfContinuousStates=\"0\"", kModel.identifier);
  if (version == 2 || version == 1)
    printf(" numberOfEventIndicators=\"%d\"", version == 2 ? kModel.indicator_count : 0);
  printf(">\n");
  if (version > 1) DescribeInterfaces();
  if (version > 1 && kModel.units != NULL) printf("  <UnitDefinitions>\n%s  </UnitDefinitions>\n", kModel.units);
  DescribeTypes();
  if (version > 1) {
    printf(
        "  <LogCategories>\n    <Category name=\"logEvents\"/>\n    <Category name=\"logStatusError\"/>\n"
        "  </LogCategories>\n");
  }
  printf("  <DefaultExperiment startTime=\"0\"");
  if (!kModel.no_step) printf(" stopTime=\"%g\"", kModel.stop_time);
  if (version > 1 && !kModel.no_step) printf(" stepSize=\"%g\"", kModel.step);
  printf("/>\n  <ModelVariables>\n");
  for (int i = 0; i < kModel.variable_count; ++i) DescribeVariable(i);
  printf("  </ModelVariables>\n");
  if (version > 1) {
    DescribeStructure();
  } else {
    printf(
        "  <Implementation>\n    <CoSimulation_StandAlone>\n      <Capabilities "
        "canHandleVariableCommunicationStepSize=\"%s\" canHandleEvents=\"true\" canInterpolateInputs=\"%s\"/>\n"
        "    </CoSimulation_StandAlone>\n  </Implementation>\n",
        Flag(!kModel.whole_steps), Flag(kModel.interpolates));
  }
  printf("</fmiModelDescription>\n");
  return 0;
}
