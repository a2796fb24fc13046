#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "openmi/sdk/Described.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi::osi {

/// The objects of a list of a message as elements, identified by their ids.
///
/// The elements change with the messages, and each change raises the version. Pointers to ids stay valid as long as the
/// set lives. The elements have no geometry: functions for faces and vertices throw StateError.
class ObjectElements final : public DescribedAs<IElementSet> {
 public:
  explicit ObjectElements(const std::string& caption) { SetCaption(caption); }

  /// Sets the present objects. Allocates only for an id that is new to this set.
  /// \returns whether anything changed
  bool Set(std::span<const std::uint64_t> ids);
  std::span<const std::uint64_t> Ids() const { return ids_; }

  int ElementCount() const override { return static_cast<int>(ids_.size()); }
  std::string SpatialReferenceSystemWkt() const override { return {}; }
  int Version() const override { return version_; }
  openmi::ElementType ElementType() const override { return openmi::ElementType::IdBased; }
  const IIdentifiable* GetElementId(int index) const override;
  int GetElementIndex(const IIdentifiable& element_id) const override;
  int GetFaceCount(int index) const override;
  std::vector<int> GetFaceVertexIndices(int index, int face) const override;
  int GetVertexCount(int index) const override;
  double GetVertexMCoordinate(int index, int vertex) const override { return Refuse(index, vertex); }
  double GetVertexXCoordinate(int index, int vertex) const override { return Refuse(index, vertex); }
  double GetVertexYCoordinate(int index, int vertex) const override { return Refuse(index, vertex); }
  double GetVertexZCoordinate(int index, int vertex) const override { return Refuse(index, vertex); }
  bool HasM() const override { return false; }
  bool HasZ() const override { return false; }

 private:
  std::size_t Checked(int index) const;
  double Refuse(int index, int vertex) const;

  std::vector<std::uint64_t> ids_;
  std::vector<const Identifier*> names_;
  std::unordered_map<std::uint64_t, std::size_t> known_;
  std::deque<Identifier> all_names_;
  int version_ = 0;
};

}  // namespace openmi::osi
