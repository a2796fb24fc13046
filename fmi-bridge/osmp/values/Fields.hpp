#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "fmi-bridge/osmp/fields/FieldTable.hpp"
#include "fmi-bridge/osmp/fields/ObjectElements.hpp"
#include "fmi-bridge/osmp/values/OsiArguments.hpp"
#include "timespace/StatefulComponent.hpp"
#include "timespace/optional/IRemarks.hpp"

namespace openmi::osi {

/// A component that extracts fields of OSI messages as numbers: `openmi.osi.Fields` of the assembly
/// `openmi-osmp-bridge`.
///
/// The input `message` takes the bytes; each field that the argument `fields` names is an output. A path with [*] gives
/// one number for each object, and the elements are the objects by id. Without the argument `objects` they are those of
/// the newest message, and the version of the element set changes with them. With it they are always the objects it
/// names, and the values of an absent object are missing; one that no message has is reported in the remarks. This
/// component steps to each message, also when the component that gives them is already further.
class Fields final : public StatefulSteppingComponent, public IRemarks {
 public:
  Fields();
  Problems Remarks() const override;

 protected:
  void Setup() override;
  void Start(Stamp begin) override;
  void Step(Stamp from, Stamp to) override;
  Stamp StepEnd(Stamp now) const override;
  void SaveState(StateWriter& writer) const override;
  void LoadState(StateReader& reader) override;

 private:
  struct List {
    std::shared_ptr<ObjectElements> elements;
    std::vector<std::size_t> rows;  // of the table, for each fixed element
    std::vector<std::uint64_t> places;
    std::vector<bool> seen;         // of each fixed element: whether a message had it
    std::set<std::uint64_t> there;  // some ids of the messages, while an element was not seen
  };

  void ShowMissing();
  void Show();
  void FindRows(std::size_t list);
  void NoteIds(List& list, std::span<const std::uint64_t> found);

  FieldArguments arguments_;
  std::shared_ptr<const Schema> schema_;
  std::vector<NamedField> fields_;
  std::vector<std::uint64_t> ids_;
  std::optional<FieldTable> table_;
  std::vector<List> lists_;
  std::vector<NumericOutput*> outputs_;
  ValueInput* input_ = nullptr;
  const ISteps* source_ = nullptr;
  bool is_resumed_ = false;
};

}  // namespace openmi::osi
