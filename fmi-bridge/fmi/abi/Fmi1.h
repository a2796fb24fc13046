#pragma once
/* The C interface of FMI 1.0 for co-simulation: names, types and signatures as the standard gives them. Exported
   functions have the prefix "<modelIdentifier>_"; a source that defines them must define FMI1_PREFIX first. */
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void* fmiComponent;
typedef unsigned int fmiValueReference;
typedef double fmiReal;
typedef int fmiInteger;
typedef char fmiBoolean;
typedef const char* fmiString;

enum { fmiFalse = 0, fmiTrue = 1 };

typedef enum { fmiOK, fmiWarning, fmiDiscard, fmiError, fmiFatal, fmiPending } fmiStatus;
typedef enum { fmiDoStepStatus, fmiPendingStatus, fmiLastSuccessfulTime } fmiStatusKind;

typedef void (*fmiCallbackLogger)(fmiComponent, fmiString instanceName, fmiStatus, fmiString category,
                                  fmiString message, ...);
typedef void* (*fmiCallbackAllocateMemory)(size_t count, size_t size);
typedef void (*fmiCallbackFreeMemory)(void*);
typedef void (*fmiStepFinished)(fmiComponent, fmiStatus);

/* Passed by value. */
typedef struct {
  fmiCallbackLogger logger;
  fmiCallbackAllocateMemory allocateMemory;
  fmiCallbackFreeMemory freeMemory;
  fmiStepFinished stepFinished;
} fmiCallbackFunctions;

typedef const char* fmiGetTypesPlatformTYPE(void);
typedef const char* fmiGetVersionTYPE(void);
typedef fmiStatus fmiSetDebugLoggingTYPE(fmiComponent, fmiBoolean on);
typedef fmiComponent fmiInstantiateSlaveTYPE(fmiString instanceName, fmiString fmuGUID, fmiString fmuLocation,
                                             fmiString mimeType, fmiReal timeout, fmiBoolean visible,
                                             fmiBoolean interactive, fmiCallbackFunctions, fmiBoolean loggingOn);
typedef fmiStatus fmiInitializeSlaveTYPE(fmiComponent, fmiReal tStart, fmiBoolean stopTimeDefined, fmiReal tStop);
typedef fmiStatus fmiTerminateSlaveTYPE(fmiComponent);
typedef fmiStatus fmiResetSlaveTYPE(fmiComponent);
typedef void fmiFreeSlaveInstanceTYPE(fmiComponent);
typedef fmiStatus fmiGetRealTYPE(fmiComponent, const fmiValueReference[], size_t, fmiReal[]);
typedef fmiStatus fmiGetIntegerTYPE(fmiComponent, const fmiValueReference[], size_t, fmiInteger[]);
typedef fmiStatus fmiGetBooleanTYPE(fmiComponent, const fmiValueReference[], size_t, fmiBoolean[]);
typedef fmiStatus fmiGetStringTYPE(fmiComponent, const fmiValueReference[], size_t, fmiString[]);
typedef fmiStatus fmiSetRealTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiReal[]);
typedef fmiStatus fmiSetIntegerTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiInteger[]);
typedef fmiStatus fmiSetBooleanTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiBoolean[]);
typedef fmiStatus fmiSetStringTYPE(fmiComponent, const fmiValueReference[], size_t, const fmiString[]);
typedef fmiStatus fmiSetRealInputDerivativesTYPE(fmiComponent, const fmiValueReference[], size_t,
                                                 const fmiInteger order[], const fmiReal[]);
typedef fmiStatus fmiGetRealOutputDerivativesTYPE(fmiComponent, const fmiValueReference[], size_t,
                                                  const fmiInteger order[], fmiReal[]);
typedef fmiStatus fmiDoStepTYPE(fmiComponent, fmiReal currentCommunicationPoint, fmiReal communicationStepSize,
                                fmiBoolean newStep);
typedef fmiStatus fmiCancelStepTYPE(fmiComponent);
typedef fmiStatus fmiGetStatusTYPE(fmiComponent, fmiStatusKind, fmiStatus*);
typedef fmiStatus fmiGetRealStatusTYPE(fmiComponent, fmiStatusKind, fmiReal*);
typedef fmiStatus fmiGetIntegerStatusTYPE(fmiComponent, fmiStatusKind, fmiInteger*);
typedef fmiStatus fmiGetBooleanStatusTYPE(fmiComponent, fmiStatusKind, fmiBoolean*);
typedef fmiStatus fmiGetStringStatusTYPE(fmiComponent, fmiStatusKind, fmiString*);

#ifdef __cplusplus
}
#endif
