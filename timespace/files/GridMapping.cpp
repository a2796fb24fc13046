#include "timespace/files/GridMapping.hpp"

#include <proj.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <string_view>

namespace openmi {
namespace {

using Context = std::unique_ptr<PJ_CONTEXT, decltype(&proj_context_destroy)>;
using Object = std::unique_ptr<PJ, decltype(&proj_destroy)>;

Object Owned(PJ* object) {
  return Object(object, &proj_destroy);
}

struct Parameter {
  const char* name;       // in well-known text
  const char* attribute;  // of the conventions; two parameters may have the same
};

struct Projection {
  const char* method;
  const char* name;
  std::vector<Parameter> parameters;
};

const std::vector<Projection>& Projections() {
  static const std::vector<Parameter> kCone = {{"Latitude of false origin", "latitude_of_projection_origin"},
                                               {"Longitude of false origin", "longitude_of_central_meridian"},
                                               {"Latitude of 1st standard parallel", "standard_parallel"},
                                               {"Latitude of 2nd standard parallel", "standard_parallel"},
                                               {"Easting at false origin", "false_easting"},
                                               {"Northing at false origin", "false_northing"}};
  static const std::vector<Projection> kAll = {{"Transverse Mercator",
                                                "transverse_mercator",
                                                {{"Latitude of natural origin", "latitude_of_projection_origin"},
                                                 {"Longitude of natural origin", "longitude_of_central_meridian"},
                                                 {"Scale factor at natural origin", "scale_factor_at_central_meridian"},
                                                 {"False easting", "false_easting"},
                                                 {"False northing", "false_northing"}}},
                                               {"Lambert Conic Conformal (2SP)", "lambert_conformal_conic", kCone},
                                               {"Albers Equal Area", "albers_conical_equal_area", kCone},
                                               {"Lambert Azimuthal Equal Area",
                                                "lambert_azimuthal_equal_area",
                                                {{"Latitude of natural origin", "latitude_of_projection_origin"},
                                                 {"Longitude of natural origin", "longitude_of_projection_origin"},
                                                 {"False easting", "false_easting"},
                                                 {"False northing", "false_northing"}}}};
  return kAll;
}

constexpr double kDegree = std::numbers::pi / 180.0;

/// Converts factors such as 0.017453292519943295 exactly where it can: 3 degrees stay 3.
double InDegrees(double value, double factor) {
  return std::abs(factor - kDegree) < 1e-12 ? value : value * factor / kDegree;
}

void PutEllipsoid(PJ_CONTEXT* context, const PJ* system, GridMapping& mapping) {
  const Object ellipsoid = Owned(proj_get_ellipsoid(context, system));
  const Object meridian = Owned(proj_get_prime_meridian(context, system));
  double axis = 0.0, flattening = 0.0, longitude = 0.0, factor = 0.0;
  if (!ellipsoid || !meridian ||
      proj_ellipsoid_get_parameters(context, ellipsoid.get(), &axis, nullptr, nullptr, &flattening) == 0 ||
      proj_prime_meridian_get_parameters(context, meridian.get(), &longitude, &factor, nullptr) == 0) {
    return;
  }
  mapping.numbers.push_back({"semi_major_axis", {axis}});
  mapping.numbers.push_back({"inverse_flattening", {flattening}});
  mapping.numbers.push_back({"longitude_of_prime_meridian", {InDegrees(longitude, factor)}});
}

/// Names the projection if the conventions have it and every parameter is there.
void PutProjection(PJ_CONTEXT* context, const PJ* system, double unit_factor, GridMapping& mapping) {
  const Object operation = Owned(proj_crs_get_coordoperation(context, system));
  const char* method = nullptr;
  if (!operation || proj_coordoperation_get_method_info(context, operation.get(), &method, nullptr, nullptr) == 0) {
    return;
  }
  for (const Projection& projection : Projections()) {
    if (method == nullptr || std::string_view(projection.method) != method) continue;
    auto numbers = mapping.numbers;
    for (const Parameter& parameter : projection.parameters) {
      const int index = proj_coordoperation_get_param_index(context, operation.get(), parameter.name);
      double value = 0.0, factor = 1.0;
      const char* category = nullptr;
      if (index < 0 || proj_coordoperation_get_param(context, operation.get(), index, nullptr, nullptr, nullptr, &value,
                                                     nullptr, &factor, nullptr, nullptr, nullptr, &category) == 0) {
        return;
      }
      const std::string_view kind = category != nullptr ? category : "";
      if (kind == "angular") value = InDegrees(value, factor);
      if (kind == "linear") value *= factor / unit_factor;
      if (numbers.back().first == parameter.attribute) {
        numbers.back().second.push_back(value);
      } else {
        numbers.push_back({parameter.attribute, {value}});
      }
    }
    mapping.name = projection.name;
    mapping.numbers = std::move(numbers);
  }
}

}  // namespace

std::optional<GridMapping> GridMappingOf(const std::string& wkt) {
  const Context context(proj_context_create(), &proj_context_destroy);
  proj_log_level(context.get(), PJ_LOG_NONE);
  Object system = Owned(proj_create(context.get(), wkt.c_str()));
  if (!system || proj_is_crs(system.get()) == 0) return std::nullopt;
  if (proj_get_type(system.get()) == PJ_TYPE_COMPOUND_CRS) {
    system = Owned(proj_crs_get_sub_crs(context.get(), system.get(), 0));
  }
  if (system && proj_get_type(system.get()) == PJ_TYPE_BOUND_CRS) {
    system = Owned(proj_get_source_crs(context.get(), system.get()));
  }
  if (!system) return std::nullopt;
  GridMapping mapping;
  double unit_factor = 1.0;
  const Object axes = Owned(proj_crs_get_coordinate_system(context.get(), system.get()));
  const PJ_TYPE type = proj_get_type(system.get());
  const bool is_geographic = type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
  const char* unit = nullptr;
  if (!is_geographic && axes &&
      proj_cs_get_axis_info(context.get(), axes.get(), 0, nullptr, nullptr, nullptr, &unit_factor, &unit, nullptr,
                            nullptr) != 0 &&
      unit != nullptr) {
    const std::string_view name = unit;
    mapping.unit = name == "metre" || name == "meter" ? "m"
                   : name == "foot"                   ? "foot"
                   : name == "US survey foot"         ? "US_survey_foot"
                                                      : "";
  }
  PutEllipsoid(context.get(), system.get(), mapping);
  if (is_geographic && !mapping.numbers.empty()) mapping.name = "latitude_longitude";
  if (type == PJ_TYPE_PROJECTED_CRS && !mapping.numbers.empty()) {
    PutProjection(context.get(), system.get(), unit_factor, mapping);
  }
  return mapping;
}

}  // namespace openmi
