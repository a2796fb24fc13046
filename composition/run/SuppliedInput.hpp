#pragma once

#include <string>

#include "composition/run/Link.hpp"
#include "composition/run/SuppliedOutput.hpp"

namespace openmi {

/// An input without a provider in the composition, fed by the program around the run: a SuppliedOutput with a link of
/// its own to the input, so that it can be overridden, leave with its family and come back as any other.
///
/// Made by Composition::SupplyInput.
class SuppliedInput {
 public:
  /// \param input     without a provider; borrowed until its family leaves
  /// \param number    of its instance
  /// \param consumer  the host's stand-in for its component
  /// \param item      of the composition
  /// \throws TypeError  it takes no numbers
  SuppliedInput(ITimeSpaceInput& input, std::size_t number, IBaseLinkableComponent* consumer, const ItemSpec& item,
                SuppliedBetween between);
  SuppliedInput(const SuppliedInput&) = delete;
  SuppliedInput& operator=(const SuppliedInput&) = delete;

  /// "component.item".
  const std::string& Name() const { return name_; }
  std::size_t ElementCount() const { return output_.ElementCount(); }
  /// Supplies a row; see SuppliedOutput::Supply. Before the run is begun, or between two passes.
  /// \throws RangeError
  void Supply(Stamp begin, Days duration, std::span<const double> row) { output_.Supply(begin, duration, row); }

  /// The link from what is supplied to the input.
  Link& TheLink() { return link_; }
  SuppliedOutput& Output() { return output_; }

 private:
  std::string name_;
  LinkSpec spec_;
  SuppliedOutput output_;
  Link link_;
};

}  // namespace openmi
