#include "timespace/elements/ReferenceSystems.hpp"

#include <fmt/format.h>
#include <proj.h>

#include <cctype>
#include <memory>
#include <string>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Lists.hpp"

namespace openmi {

namespace {

/// The keyword at the start of `wkt`, in capitals; shortens `wkt` to the text after its bracket.
std::string Keyword(std::string_view& wkt) {
  std::string keyword;
  std::size_t i = 0;
  while (i < wkt.size() && IsBlank(wkt[i])) ++i;
  while (i < wkt.size() && (std::isalnum(static_cast<unsigned char>(wkt[i])) || wkt[i] == '_')) {
    keyword += static_cast<char>(std::toupper(static_cast<unsigned char>(wkt[i++])));
  }
  while (i < wkt.size() && IsBlank(wkt[i])) ++i;
  if (i == wkt.size() || (wkt[i] != '[' && wkt[i] != '(')) return {};
  wkt.remove_prefix(i + 1);
  return keyword;
}

}  // namespace

bool IsGeographic(std::string_view wkt) {
  std::string keyword = Keyword(wkt);
  // A compound system is a name, a comma and the horizontal system; a bound one starts with the keyword of its source.
  if (keyword == "COMPD_CS" || keyword == "COMPOUNDCRS") {
    const std::size_t quote = wkt.find('"', wkt.find('"') == std::string_view::npos ? wkt.size() : wkt.find('"') + 1);
    const std::size_t comma = quote == std::string_view::npos ? quote : wkt.find(',', quote);
    if (comma == std::string_view::npos) return false;
    wkt.remove_prefix(comma + 1);
    keyword = Keyword(wkt);
  }
  if (keyword == "BOUNDCRS") {
    keyword = Keyword(wkt);
    if (keyword == "SOURCECRS") keyword = Keyword(wkt);
  }
  if (keyword == "GEOGCS" || keyword == "GEOGCRS" || keyword == "GEOGRAPHICCRS") return true;
  if (keyword != "GEODCRS" && keyword != "GEODETICCRS") return false;
  return wkt.find("CS[ellipsoidal") != std::string_view::npos;
}

std::string ReferenceSystemNamed(const std::string& name) {
  if (name == "local-metres") return kLocalMetresWkt;
  if (name == "WGS84" || name == "OGC:CRS84") return kWgs84Wkt;
  const std::unique_ptr<PJ_CONTEXT, decltype(&proj_context_destroy)> context(proj_context_create(),
                                                                             &proj_context_destroy);
  proj_log_level(context.get(), PJ_LOG_NONE);
  using System = std::unique_ptr<PJ, decltype(&proj_destroy)>;
  const System system(proj_create(context.get(), name.c_str()), &proj_destroy);
  const bool sound = system && proj_is_crs(system.get()) != 0;
  if (sound && name.find('[') != std::string::npos) return name;
  const System ordered(sound ? proj_normalize_for_visualization(context.get(), system.get()) : nullptr, &proj_destroy);
  const char* wkt = ordered ? proj_as_wkt(context.get(), ordered.get(), PJ_WKT2_2019, nullptr) : nullptr;
  if (wkt == nullptr) {
    throw ArgumentError({}, fmt::format("expected a reference system, found '{}'", name),
                        "write WGS84, local-metres, a code such as EPSG:32617, or well-known text");
  }
  return wkt;
}

}  // namespace openmi
