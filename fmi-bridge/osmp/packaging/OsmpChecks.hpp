#pragma once

#include <map>
#include <string>

#include "fmi-bridge/osmp/packaging/MimeType.hpp"
#include "fmi-bridge/osmp/packaging/OsmpModel.hpp"

namespace openmi::osmp {

/// Checks a model against the rules, and records breaches in it. Used by ReadOsmpModel.
class OsmpChecks {
 public:
  /// \param description  borrowed
  /// \param model  borrowed
  OsmpChecks(const fmi::ModelDescription& description, OsmpModel& model) : description_(description), model_(model) {}

  /// Records a breach.
  /// \param variable  its name; empty: the model as a whole
  void Break(RuleId rule, std::string variable, int line, std::string problem, std::string remedy);
  /// Records a breach of a variable. If the rule refuses, the variable is marked as unusable.
  void Break(BinaryVariable& variable, RuleId rule, int line, std::string problem, std::string remedy);

  /// Checks one scalar of a variable.
  void CheckPart(BinaryVariable& variable, const fmi::Variable& scalar, bool is_full, const std::string& role,
                 const std::string& mime_type);
  /// Checks a variable that has all its scalars, and sets its message and version.
  void CheckVariable(BinaryVariable& variable);
  /// Checks the rules that concern the model, and those between variables.
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
