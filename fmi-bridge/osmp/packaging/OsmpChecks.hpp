#pragma once

#include <map>
#include <string>

#include "fmi-bridge/osmp/packaging/MimeType.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"

namespace openmi::osmp {

/// Holds what a model says of itself against the rules, and writes breaches into it. Used by ReadOsmpModel.
class OsmpChecks {
 public:
  /// Both borrowed.
  OsmpChecks(const fmi::ModelDescription& description, OsmpModel& model) : description_(description), model_(model) {}

  void Break(RuleId rule, std::string variable, int line, std::string problem, std::string remedy);
  /// The same; a rule that refuses makes the variable useless.
  void Break(BinaryVariable& variable, RuleId rule, int line, std::string problem, std::string remedy);

  /// One scalar of a variable.
  void CheckPart(BinaryVariable& variable, const fmi::Variable& scalar, bool is_full, const std::string& role,
                 const std::string& mime_type);
  /// A variable that has all its scalars; finds its message and version.
  void CheckVariable(BinaryVariable& variable);
  /// What concerns the model, and variables among each other.
  void CheckModel();

 private:
  void CheckMimeType(BinaryVariable& variable);
  void CheckKind(BinaryVariable& variable);
  void CheckIndices();
  void CheckConfigs();

  const fmi::ModelDescription& description_;
  OsmpModel& model_;
};

}  // namespace openmi::osmp
