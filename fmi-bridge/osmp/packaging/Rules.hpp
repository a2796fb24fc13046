#pragma once

#include <cstdint>
#include <span>

namespace openmi::osmp {

/// The rules of the packaging, with the numbers of the table in docs/osmp.md.
///
/// Source: OSI Sensor Model Packaging 1.6.0, in the sections that `Rule::section` names.
enum class RuleId : std::uint8_t {
  Marker = 1,            // 1 to 9: basic conventions
  PackagingVersion,      // 2
  OsiVersion,            // 3
  CoSimulation,          // 4
  FmiVersion,            // 5
  StructuredNames,       // 6
  StepSize,              // 7
  OtherVariables,        // 8
  LegalName = 10,        // 10 to 24: binary variables
  NameTaken,             // 11
  OneOfEachRole,         // 12
  ScalarType,            // 13
  NamesOfTheThree,       // 14
  SameCausality,         // 15
  StartValue,            // 16
  Annotated,             // 17
  MimeTypeValid,         // 18
  MimeTypesAgree,        // 19
  MessageKnown,          // 20
  OsiVersionGiven,       // 21
  RoleKnown,             // 22
  KindCausality = 30,    // 30 to 39: kinds of variables
  KindMessage,           // 31
  Indices,               // 32
  ConfigExists,          // 33
  ConfigVariability,     // 34
  ConfigIndex,           // 35
  GroundTruthSingle,     // 36
  GroundTruthExact,      // 37
  KnownPrefix,           // 38
  NoDataIsHandled = 50,  // 50 to 64: found while the model runs
  SizeNotNegative,       // 51
  AddressWithSize,       // 52
  SizeBelowTwoGiB,       // 53
  MessageEncoded,        // 54
  InputLifetime,         // 55
  OutputLifetime,        // 56
  ConfigLifetime,        // 57
  RequestIsWish,         // 58
  RequestEchoesConfig,   // 59
  ConfigIsSet,           // 60
  GroundTruthLifetime,   // 61
  GroundTruthStatic,     // 62
  GroundTruthIds,        // 63
  GroundTruthSame,       // 64
};

/// The consequence of a broken rule.
enum class RuleWeight : std::uint8_t {
  Refuses,  ///< the model or the message cannot be used
  Warns,    ///< the model or the message can be used
  Runs      ///< cannot be found in a description; refused while the model runs
};

struct Rule {
  RuleId id;
  RuleWeight weight;
  const char* section;  ///< of the specification
  const char* text;     ///< what is required

  int Number() const { return static_cast<int>(id); }
};

/// All rules, in the order of their numbers.
std::span<const Rule> Rules();
const Rule& RuleOf(RuleId id);

}  // namespace openmi::osmp
