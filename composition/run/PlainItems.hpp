#pragma once

#include <string>
#include <utility>

#include "openmi/sdk/Described.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"

namespace openmi {

/// A definition that is neither quantity nor quality, as far as it can be taken along: what every definition says.
class PlainDefinition final : public DescribedAs<IValueDefinition> {
 public:
  PlainDefinition(Value missing, openmi::ValueType type) : missing_(std::move(missing)), type_(type) {}
  Value MissingDataValue() const override { return missing_; }
  openmi::ValueType ValueType() const override { return type_; }

 private:
  Value missing_;
  openmi::ValueType type_;
};

/// A place that is no element set: how many elements, and where the reference system is.
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
