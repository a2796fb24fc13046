#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fmi-bridge/description/DescriptionText.hpp"
#include "fmi-bridge/fmi/ModelDescription.hpp"
#include "fmi-bridge/fmi/TypeReader.hpp"

namespace openmi::fmi {

/// Which values of `initial` a variable may have. Source: FMI 2.0.4, 2.2.7; FMI 3.0, 2.4.7.5.
struct InitialRule {
  bool is_allowed = false;  ///< the pair of causality and variability
  Initial standard = Initial::None;
  bool may_be_approx = false;
  bool may_be_any = false;  ///< exact, approx and calculated
  bool Allows(Initial initial) const {
    return initial == standard || may_be_any || (may_be_approx && initial == Initial::Approx);
  }
};
InitialRule RuleOf(Causality causality, Variability variability);

/// Reads ModelVariables.
class VariableReader {
 public:
  /// All borrowed.
  VariableReader(ModelDescription& description, TypeReader& types, described::Report& report)
      : description_(description), types_(types), report_(report) {}

  /// ScalarVariable of 1.0 and 2.0.
  void BeginScalar(const XmlEventTag& tag);
  /// Real, Integer, ... inside it.
  void ReadScalarBody(const XmlEventTag& tag, VariableType type);
  void EndScalar();
  /// A variable of 3.0.
  void Begin(const XmlEventTag& tag, VariableType type);
  void ReadDimension(const XmlEventTag& tag);
  void ReadAlias(const XmlEventTag& tag);
  void ReadStart(const XmlEventTag& tag);
  void End();
  /// A name inside DirectDependency (1.0).
  void AddDirectDependency(std::string name);
  void BeginDirectDependency();

  /// Turns value references and positions into variables, once all are read.
  void Resolve();
  /// The variable with that value reference (3.0), after Resolve.
  Index Find(ValueReference reference) const;

 private:
  /// What refers to a variable that may stand further down.
  struct Pending {
    enum Kind : std::uint8_t { Derivative, Previous, Clock, Dimension } kind;
    Index variable;
    std::uint32_t reference;
    std::uint32_t slot;  // of the dimension
  };
  /// What a variable of 1.0 depends on.
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
  std::optional<Variability> variability_;                     // of the variable at hand, where it is given
  std::optional<Initial> initial_;
  bool has_body_ = false;
  bool is_fixed_ = true;  // 1.0
};

}  // namespace openmi::fmi
