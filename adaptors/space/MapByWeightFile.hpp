#pragma once

#include "adaptors/space/SpatialAdaptor.hpp"

namespace openmi {

/// Takes the weights from a NetCDF file of SCRIP, CDO or ESMF. Its elements are those of the two sets, in their order.
class MapByWeightFile final : public SpatialAdaptor {
 public:
  MapByWeightFile(std::string id, IBaseOutput& adaptee, const IBaseInput* target);

 protected:
  /// \throws LinkError  no file is given, or the file is for other numbers of elements
  /// \throws FileError  as `ReadWeightFile`
  /// \throws FormatError  as `ReadWeightFile`
  SpatialMapping MakeMapping(const IElementSet& source, const IElementSet& target) const override;
  bool UsesPlaces() const override { return false; }

 private:
  Argument<std::string> file_;
};

}  // namespace openmi
