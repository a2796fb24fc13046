#pragma once

namespace openmi::sample {

/// The one thing that is wrong with a sample component.
enum class Fault {
  None,
  CaptionIsFixed,              // 2.1
  TwoOutputsOfOneId,           // 2.2
  DefinitionIsBare,            // 3.1
  MissingValueIsAText,         // 3.1
  FactorIsZero,                // 3.2
  QuantityOfTexts,             // 3.3
  CategoriesChangeOrder,       // 3.4
  CategoryWithoutValue,        // 3.5
  DimensionOfAnotherUnit,      // 3.6
  VersionStays,                // 4.1
  NoReferenceSystem,           // 4.1
  UnknownIdIsTheFirst,         // 4.2
  ElementsBeyondTheLast,       // 4.2
  PolygonsRunClockwise,        // 4.2
  SixthElementType,            // 4.3
  DurationIsNegative,          // 5.1
  StampsAreSaidToBeSpans,      // 5.2
  TooManyIndicesAccepted,      // 6.1
  Values2DLacksARow,           // 6.2
  TextIsNotReadBack,           // 7.1
  ImpossibleValueAccepted,     // 7.1
  ReadOnlyIsWritten,           // 7.1
  FifteenthStatus,             // 8.1
  SkipsPreparing,              // 8.2
  UpdatesWithoutUpdating,      // 8.2
  SilentValidating,            // 8.3
  EventOfNobody,               // 8.3
  ItemsOfAnother,              // 9.1
  ProviderForgotten,           // 9.2
  ProviderStays,               // 9.3
  RefreshForgotten,            // 9.3
  StrangersRefused,            // 9.3
  MoreValuesThanElements,      // 9.4
  AnswersWithOtherValues,      // 9.5
  AsksBeforeItsHorizon,        // 9.6
  SilentValues,                // 9.7
  RefreshEndsHere,             // 10.1
  RefreshBeforeInitialize,     // 10.1
  AdaptedOutputLosesTimes,     // 10.2
  AdaptedOutputIsNotOnList,    // 10.3
  FactoryTakesAnyId,           // 10.3
  UnknownStateAccepted,        // 11.1
  StateIsIncomplete,           // 11.1
  BytesBecomeCurrent,          // 11.2
  BytesAreIncomplete,          // 11.2
  InputsWhileCreated,          // 12.1
  UpdateBeforePrepare,         // 12.1
  SecondInitialize,            // 12.1
  SecondPrepare,               // 12.1
  InitializeFails,             // 12.1
  UpdateFails,                 // 12.1
  FinishFails,                 // 12.1
  InvalidWithoutMessage,       // 12.1
  NoAdaptedOutputInitialized,  // 12.1
  StandsStill,                 // 12.1
  WaitsForEver,                // 12.1
  GoesOnWhenDone,              // 12.1
  UpdateWhenFinished,          // 12.1
  OtherwiseTheSecondTime,      // 12.1
  ExtentEndsTooEarly,          // 12.3
};

}  // namespace openmi::sample
