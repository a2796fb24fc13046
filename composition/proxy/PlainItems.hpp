#pragma once

#include <string>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

/// A spatial definition that is no element set: it has a number of elements and a reference system only.
class PlainPlaces final : public DescribedAs<ISpatialDefinition> {
 public:
  PlainPlaces(int count, std::string wkt, int version) : count_(count), wkt_(std::move(wkt)), version_(version) {}
  int ElementCount() const override { return count_; }
  std::string SpatialReferenceSystemWkt() const override { return wkt_; }
  int Version() const override { return version_; }

 private:
  int count_;
  std::string wkt_;
  int version_;
};

}  // namespace openmi
