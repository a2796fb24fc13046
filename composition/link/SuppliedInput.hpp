#pragma once

#include <optional>
#include <string>

#include "composition/link/Link.hpp"
#include "composition/link/SuppliedOutput.hpp"

namespace openmi {

/// An input without a provider in the composition, whose values the program around the run supplies. It is a
/// SuppliedOutput with its own link to the input, so that it can be overridden, leave with its family and come back
/// like any other input.
///
/// Composition::SupplyInput makes it.
class SuppliedInput {
 public:
  /// \param input     has no provider; borrowed until its family leaves
  /// \param number    index of its instance
  /// \param consumer  the engine's proxy of its component; borrowed
  /// \param item      name of the input in the composition
  /// \param between   what holds between two supplied rows
  /// \throws TypeError  the input takes no numbers
  SuppliedInput(ITimeSpaceInput& input, std::size_t number, IBaseLinkableComponent* consumer, const ItemSpec& item,
                SuppliedBetween between);
  SuppliedInput(const SuppliedInput&) = delete;
  SuppliedInput& operator=(const SuppliedInput&) = delete;

  /// "component.item".
  const std::string& Name() const { return name_; }
  std::size_t ElementCount() const { return output_.ElementCount(); }
  /// Supplies a row; see SuppliedOutput::Supply. To be called before the run starts, or between two passes.
  /// \throws RangeError  see SuppliedOutput::Supply
  void Supply(Stamp begin, Days duration, std::span<const double> row) { output_.Supply(begin, duration, row); }

  /// Notes the value that the input is held at from the start of the run, so that it counts as an argument of the run.
  void SetHeld(double value) { held_ = value; }
  std::optional<double> Held() const { return held_; }

  /// The link from the supplied output to the input.
  Link& TheLink() { return link_; }
  SuppliedOutput& Output() { return output_; }

 private:
  std::string name_;
  LinkSpec spec_;
  SuppliedOutput output_;
  Link link_;
  std::optional<double> held_;
};

}  // namespace openmi
