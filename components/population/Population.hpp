#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "components/population/MemberMaker.hpp"
#include "components/population/MemberRows.hpp"
#include "components/population/RowTable.hpp"
#include "openmi/sdk/IFamily.hpp"
#include "openmi/sdk/IStateAbility.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/items/StepMemory.hpp"
#include "timespace/optional/IBalance.hpp"
#include "timespace/optional/IElementBalances.hpp"
#include "timespace/optional/IUsesThreads.hpp"

namespace openmi {

/// A component for each row of a table, as one component whose items have an element for each row. Type
/// `openmi.Population`; in a composition it is written as the element Population.
///
/// The argument `member-omi` names the OMI file of the members. Setting it makes their arguments appear as arguments of
/// the population: texts that may contain `{{column}}`. The members are components of the SDK (IMember) with the same
/// items and the same steps. They are made, initialized and stepped in the order of the rows, or along the networks.
///
/// The values are those of a composition in which each row is a component with links of its own, to the last bit.
class Population final : public StatefulSteppingComponent,
                         public IFamilyKey,
                         public IBalance,
                         public IElementBalances,
                         public IStateAbility,
                         public IUsesThreads {
 public:
  Population();
  ~Population() override;

  /// That of the members.
  std::string FamilyKey() const override;
  BalanceTerms Balance() const override;
  /// That of the members; empty if they state no storage.
  std::string BalanceUnit() const override;
  double BalanceArea() const override;
  /// The keys, if the members state their storage.
  const std::vector<std::string>& BalanceIds() const override;
  void BalanceOfEach(std::span<BalanceTerms> each) const override;
  void SetThreads(std::size_t threads) override { threads_ = threads; }
  void ShortenNextStep(Stamp end) override;
  /// Whether the members keep states.
  const StateAbility& AbilityOfStates() override;
  const IIdentifiable& KeepCurrentState() override;
  const IIdentifiable& ConvertFromByteArray(ByteView bytes) override;

 protected:
  void Setup() override;
  bool OnValidate(std::vector<std::string>& messages) override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Stamp StepEnd(Stamp now) const override;
  void End() override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  struct Feeder;
  void ShowMemberArguments();
  void ReadTables();
  void MakeMembers();
  void MakeItems();
  void ReadNetworks();
  std::vector<population::Edge> EdgesOf(const std::vector<std::string>& network) const;
  std::shared_ptr<const ISpatialDefinition> PlacesFor(const ITimeSpaceExchangeItem& item);

  Argument<std::string> omi_, table_file_, layer_, key_, further_tables_, networks_, parts_, parts_by_, part_,
      part_rows_;
  std::unique_ptr<population::MemberMaker> maker_;
  LoadedComponent prototype_;       // shows the arguments, and keeps the library open
  std::vector<std::string> shown_;  // ids of the arguments that are those of the members
  std::optional<population::RowTable> table_;
  std::shared_ptr<const ElementSet> whole_;  // of a part: all rows of the table; null: this is no part
  std::vector<std::size_t> part_of_;         // of the whole: the part of each row; empty: it has no parts
  std::unique_ptr<StepMemory> memory_;       // of the members
  std::vector<LoadedComponent> members_;
  std::map<std::size_t, std::shared_ptr<const ISpatialDefinition>> wide_places_;  // by number of values of a member
  std::vector<NumericInput*> inputs_;
  std::vector<NumericOutput*> outputs_;
  std::vector<std::unique_ptr<NumericOutput>> feeders_;  // what members see as the providers of their inputs
  population::MemberRows rows_;
  std::size_t threads_ = 1;
  std::optional<StateAbility> ability_;  // once it was asked for
};

}  // namespace openmi
