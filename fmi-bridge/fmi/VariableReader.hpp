#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/common/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/TypeReader.hpp"

namespace openmi::fmi {

/// The values of `initial` that a variable may have.
///
/// Source: FMI 2.0.4, 2.2.7; FMI 3.0, 2.4.7.5.
struct InitialRule {
  bool is_allowed = false;  ///< whether this pair of causality and variability is allowed
  Initial standard = Initial::None;
  bool may_be_approx = false;
  bool may_be_any = false;  ///< exact, approx and calculated are allowed
  bool Allows(Initial initial) const {
    return initial == standard || may_be_any || (may_be_approx && initial == Initial::Approx);
  }
};
/// The rule for this pair of causality and variability.
InitialRule RuleOf(Causality causality, Variability variability);

/// Reads ModelVariables.
class VariableReader {
 public:
  /// All arguments are borrowed.
  VariableReader(ModelDescription& description, TypeReader& types, described::Report& report)
      : description_(description), types_(types), report_(report) {}

  /// Starts a ScalarVariable of 1.0 and 2.0.
  void BeginScalar(const XmlEventTag& tag);
  /// Reads the element inside it: Real, Integer, ...
  void ReadScalarBody(const XmlEventTag& tag, VariableType type);
  void EndScalar();
  /// Starts a variable of 3.0.
  void Begin(const XmlEventTag& tag, VariableType type);
  void ReadDimension(const XmlEventTag& tag);
  void ReadAlias(const XmlEventTag& tag);
  void ReadStart(const XmlEventTag& tag);
  void End();
  /// Reads a name inside DirectDependency (1.0).
  void AddDirectDependency(std::string name);
  void BeginDirectDependency();

  /// Replaces value references and positions by variables, after all have been read.
  void Resolve();
  /// The variable with that value reference (3.0). Call it after Resolve.
  Index Find(ValueReference reference) const;

 private:
  /// A reference to a variable that may come later in the file.
  struct Pending {
    enum Kind : std::uint8_t { Derivative, Previous, Clock, Dimension } kind;
    Index variable;
    std::uint32_t reference;
    std::uint32_t slot;  // of the dimension
  };
  /// The variables that a variable of 1.0 depends on.
  struct Direct {
    Index output;
    std::vector<std::string> names;
  };

  Variable& Last() { return description_.variables.back(); }
  void ReadCommon(described::Attributes& attributes);
  void ReadTyped(described::Attributes& attributes);
  void ReadCausality(described::Attributes& attributes);
  void ReadFirstCausality(described::Attributes& attributes);
  void FinishCausality();
  void FinishFirst();
  void ReadStartAttribute(described::Attributes& attributes);
  void StoreStarts(std::string_view text, bool is_list);
  bool StoreStart(std::string_view word);
  void CheckStart();
  void ResolveOne(const Pending& pending);
  void ResolveDirect();
  void ResolveDimensions(const std::vector<Pending>& dimensions);
  void IndexReferences();
  void FindAliases();
  std::string Describe(Index variable) const;

  ModelDescription& description_;
  TypeReader& types_;
  described::Report& report_;
  std::vector<Pending> pending_;
  std::vector<Direct> direct_;
  std::vector<std::pair<std::uint32_t, Index>> by_reference_;  // sorted, for 3.0
  std::optional<Variability> variability_;                     // of the current variable, if it is given
  std::optional<Initial> initial_;
  bool has_body_ = false;
  bool is_fixed_ = true;  // 1.0
};

}  // namespace openmi::fmi
