#pragma once

#include <string>
#include <vector>

#include "composition/report/SvgMap.hpp"
#include "composition/run/Composition.hpp"

namespace openmi {

/// What went through a link for a while: the rows of its source, and what arrived at its target.
struct LinkSample {
  struct Row {
    Stamp begin;                 ///< UTC
    Days duration;               ///< 0 for an instant
    std::vector<double> values;  ///< shape [elements]; NaN where missing
  };
  struct End {
    std::string item;  ///< "component.item"
    std::string unit;  ///< empty for what is no quantity
    std::vector<std::string> elements;
    std::vector<Row> rows;  ///< by time
    /// What the elements look like, without values; empty where they have no places. Shape [elements].
    std::vector<MapElement> places;
    bool is_geographic = false;  ///< places are longitudes and latitudes, degrees
  };
  End source;
  End target;
  std::vector<std::string> adaptors;  ///< ids, from the source onwards
  bool maps_places = false;           ///< one of them maps elements to others
};

/// Prepares a composition and lets it run until `link` has delivered `answers` answers, or the run is over; finishes
/// its components. Nothing is written.
/// \param composition  loaded, connected and validated without errors
/// \throws LinkError  the link has no times and places, or its values are no numbers
/// \throws Error      a component's own
LinkSample SampleLink(Composition& composition, Link& link, std::size_t answers);

}  // namespace openmi
