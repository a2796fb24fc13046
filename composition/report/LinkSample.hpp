#pragma once

#include <string>
#include <vector>

#include "composition/link/Composition.hpp"
#include "composition/report/SvgMap.hpp"

namespace openmi {

/// A sample of what went through a link: the rows of its source, and what arrived at its target.
struct LinkSample {
  struct Row {
    Stamp begin;                 ///< UTC
    Days duration;               ///< 0 for an instant
    std::vector<double> values;  ///< shape [elements]; NaN where missing
  };
  struct End {
    std::string item;  ///< "component.item"
    std::string unit;  ///< empty for values that are no quantity
    std::vector<std::string> elements;
    std::vector<Row> rows;  ///< by time
    /// The shapes of the elements, without values; empty if they have no coordinates. Shape [elements].
    std::vector<MapElement> places;
    bool is_geographic = false;  ///< coordinates are longitudes and latitudes, degrees
  };
  End source;
  End target;
  std::vector<std::string> adaptors;  ///< ids, from the source onwards
  bool maps_places = false;           ///< whether one of the adaptors maps elements to others
};

/// Prepares a composition and runs it until `link` has delivered `answers` answers, or the run is over; then finishes
/// its components. Writes nothing.
/// \param composition  loaded, connected and validated without errors
/// \throws LinkError  the link has no times and elements, or its values are no numbers
/// \throws Error      the component's own
LinkSample SampleLink(Composition& composition, Link& link, std::size_t answers);

}  // namespace openmi
