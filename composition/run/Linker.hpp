#pragma once

#include <string>
#include <vector>

#include "composition/run/Composition.hpp"

namespace openmi {

/// Makes the links of a composition, and finds its items by name.
class Linker {
 public:
  Linker(Composition& composition, Problems& problems) : composition_(composition), problems_(problems) {}

  void MakeAll();
  /// Null, with a problem unless its component is missing anyway.
  ITimeSpaceOutput* FindTimeSpaceOutput(const ItemSpec& item, int line);
  ITimeSpaceInput* FindTimeSpaceInput(const ItemSpec& item, int line);

 private:
  void Make(const LinkSpec& spec);
  /// \returns whether the chain is whole
  bool AddAdaptors(Link& link, Instance& from);
  /// \param of_component  set: whether the factory is one of the providing component's
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptor(const AdaptorSpec& spec, Link& link, Instance& from,
                                                    bool& of_component);
  /// Puts, before a time adaptor that is set to extrapolate, one that hides the missing rows outside the data.
  void HideRowsOutsideData(const AdaptorSpec& spec, Link& link, const Instance& from);
  /// Of chains in which amounts are averaged or rates summed.
  void WarnOfOrder(const LinkSpec& link);
  bool SetAdaptorArguments(IBaseAdaptedOutput& adaptor, const AdaptorSpec& spec, const LinkSpec& link);
  bool FitUnits(Link& link);
  bool FitTimes(const Link& link);
  bool FitElements(const Link& link);
  template <class Item>
  Item* FindItem(const ItemSpec& spec, int line, const char* kind,
                 std::span<Item* const> (IBaseLinkableComponent::*list)() const);
  Where Place(const LinkSpec& link, int line = 0) const;

  Composition& composition_;
  Problems& problems_;
};

}  // namespace openmi
