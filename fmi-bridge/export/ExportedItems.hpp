#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "composition/run/CompositionRun.hpp"
#include "fmi-bridge/export/ExportInterface.hpp"
#include "fmi-bridge/export/OutputTap.hpp"

namespace openmi::exported {

/// The items of a composition behind the variables of an exported model: gives values to the inputs, and takes those of
/// the outputs.
class ExportedItems {
 public:
  /// \param interface  borrowed
  explicit ExportedItems(const ExportInterface& interface) : interface_(interface) {}
  ~ExportedItems() { Drop(); }
  ExportedItems(const ExportedItems&) = delete;
  ExportedItems& operator=(const ExportedItems&) = delete;

  /// Supplies the inputs of a composition from now on.
  /// \param composition  borrowed until Drop
  /// \throws Error  an item is not as the interface states
  void UseInputs(Composition& composition);
  /// Taps the outputs of a composition.
  /// \param composition  borrowed until Drop
  /// \throws Error  an item is not as the interface states
  void UseOutputs(Composition& composition);
  /// Lets go of the composition.
  void Drop();

  /// Supplies the inputs whose values differ from those supplied last, or all.
  /// \param values  shape [slots]
  void Supply(const double* values, Stamp time, bool all);
  /// Writes the outputs at a time.
  /// \param values  shape [slots]
  void PutOutputs(Stamp time, double* values);
  /// See ExportedModel::TakeChangedTexts.
  std::vector<std::pair<std::uint32_t, std::string>> TakeChangedTexts();
  /// The importer knows the start texts only.
  void ForgetTexts() { shown_texts_.clear(); }

  /// The rows that outputs published, as bytes.
  Bytes TappedRows() const;
  /// As supplied last; shape [slots].
  const std::vector<double>& Supplied() const { return supplied_; }
  /// \param rows  as TappedRows returned them
  void Restore(ByteView rows, const std::vector<double>& supplied);

 private:
  const ExportInterface& interface_;
  std::vector<SuppliedInput*> inputs_;                                     // in the order of the inputs
  std::vector<std::pair<OutputProxy*, std::unique_ptr<OutputTap>>> taps_;  // in the order of the outputs
  std::vector<const ITimeSpaceOutput*> text_outputs_;                      // in the order of the text outputs
  std::vector<std::string> shown_texts_;  // texts of those outputs, as the importer knows them
  std::vector<double> supplied_;
};

}  // namespace openmi::exported
