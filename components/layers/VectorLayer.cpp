#include "components/layers/VectorLayer.hpp"

#include <fmt/format.h>

#include <memory>

#include "openmi/omi/LibrarySearch.hpp"
#include "openmi/omi/SharedLibrary.hpp"
#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/ReadableFile.hpp"

namespace openmi {
namespace {

/// The library stays in memory: GDAL cannot be unloaded.
ReadVectorLayerFunction* Reader(const std::string& path) {
  std::shared_ptr<SharedLibrary> library;
  try {
    library = SharedLibrary::Open(LibrarySearch().Find("openmi-gdal"));
  } catch (const LoadError& error) {
    throw FileError({.file = path},
                    fmt::format("expected something installed that reads GeoPackages and shapefiles, found none ({})",
                                error.Problem()),
                    "install the package openmi2-gdal (or build with libgdal-dev), or convert the layer with "
                    "'ogr2ogr -f GeoJSON' or to CSV");
  }
  auto* const reader = library->FunctionNamed<ReadVectorLayerFunction>(kReadVectorLayer);
  if (reader == nullptr) {
    throw FileError({.file = path},
                    fmt::format("expected a function that reads layers in '{}', found none", library->Path()),
                    "install the package openmi2-gdal of this version");
  }
  static_cast<void>(new std::shared_ptr<SharedLibrary>(std::move(library)));
  return reader;
}

}  // namespace

VectorLayer ReadVectorLayer(const std::string& path, const std::string& layer) {
  ExpectReadable(path, path, "a GeoPackage, a shapefile or another file with layers");
  static ReadVectorLayerFunction* const reader = Reader(path);
  VectorLayer read;
  reader(path, layer, read);
  return read;
}

}  // namespace openmi
