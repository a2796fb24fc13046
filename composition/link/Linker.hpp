#pragma once

#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

/// The remedy in messages where something that needs fixed elements meets an item whose elements change during the run.
inline constexpr char kNameElements[] =
    "name its elements beforehand, in an argument of the component (of openmi.osi.Fields: objects=\"10 11\")";

/// Makes the links of a composition, and finds its items by name.
class Linker {
 public:
  Linker(Composition& composition, Problems& problems) : composition_(composition), problems_(problems) {}

  /// Makes every link of the composition; adds a problem for each that cannot be made.
  void MakeAll();
  /// The output of that name; null if there is none, with a problem unless its component is missing anyway.
  /// \param line  of the composition file, for the problem
  ITimeSpaceOutput* FindTimeSpaceOutput(const ItemSpec& item, int line);
  ITimeSpaceInput* FindTimeSpaceInput(const ItemSpec& item, int line);

 private:
  void Make(const LinkSpec& spec);
  /// \returns whether the chain is whole
  bool AddAdaptors(Link& link, Instance& from);
  /// Checks adaptors between places again that others follow, also inserted ones.
  /// \returns whether they can stand where they do
  bool CheckPlaces(const Link& link);
  /// Makes an adaptor of the link.
  /// \param of_component  receives whether the factory belongs to the providing component
  std::unique_ptr<IBaseAdaptedOutput> CreateAdaptor(const AdaptorSpec& spec, Link& link, Instance& from,
                                                    bool& of_component);
  /// Inserts, before a time adaptor that is set to extrapolate, an adaptor that hides the missing rows outside the
  /// data.
  void HideRowsOutsideData(const AdaptorSpec& spec, Link& link, const Instance& from);
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
  bool is_link_ = false;  // items are ends of links
};

}  // namespace openmi
