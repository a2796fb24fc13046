#pragma once

#include <string>
#include <string_view>

namespace openmi {

/// WGS 84 with longitude before latitude, in degrees (OGC:CRS84), as well-known text 2.
inline constexpr const char* kWgs84Wkt =
    R"wkt(GEOGCRS["WGS 84 (CRS84)",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563,LENGTHUNIT["metre",1]]],
  PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]],
  CS[ellipsoidal,2],
  AXIS["geodetic longitude (Lon)",east,ORDER[1],ANGLEUNIT["degree",0.0174532925199433]],
  AXIS["geodetic latitude (Lat)",north,ORDER[2],ANGLEUNIT["degree",0.0174532925199433]],
  ID["OGC","CRS84"]])wkt";

/// A plane with x to the east and y to the north, in metres, without a geographic position: for laboratory flumes,
/// generated basins and tests.
inline constexpr const char* kLocalMetresWkt =
    R"wkt(ENGCRS["Local metres",EDATUM["Unknown engineering datum"],
  CS[Cartesian,2],
  AXIS["easting (X)",east,ORDER[1],LENGTHUNIT["metre",1]],
  AXIS["northing (Y)",north,ORDER[2],LENGTHUNIT["metre",1]]])wkt";

/// Whether a well-known text describes longitudes and latitudes, so that planar lengths and areas have no meaning.
///
/// This is so when its outermost system is geographic (GEOGCS, GEOGCRS, GEODCRS with an ellipsoidal system). False for
/// a text that is not well-known text.
bool IsGeographic(std::string_view wkt);

/// The well-known text of a reference system.
///
/// `kLocalMetresWkt` for "local-metres", `kWgs84Wkt` for "WGS84", well-known text unchanged, otherwise the text that
/// PROJ gives for the name, with longitude or easting first.
/// \throws ArgumentError  PROJ does not know the system
std::string ReferenceSystemNamed(const std::string& name);

}  // namespace openmi
