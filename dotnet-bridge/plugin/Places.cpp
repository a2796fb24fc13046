#include "dotnet-bridge/plugin/Places.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "dotnet-bridge/plugin/Described.hpp"
#include "openmi/sdk/Described.hpp"
#include "openmi/sdk/Error.hpp"
#include "timespace/standard/IElementSet.hpp"

namespace openmi::dotnet {
namespace {

template <class Interface>
class ManagedPlaces : public DescribedThing<Interface> {
 public:
  /// \param version  where a call of the component reports it
  ManagedPlaces(Thing thing, std::shared_ptr<const Reported<int>> version)
      : DescribedThing<Interface>(std::move(thing)), version_(std::move(version)) {}
  int ElementCount() const override { return TheBorder().ElementCount(this->Number()); }
  std::string SpatialReferenceSystemWkt() const override {
    return TheBorder().SpatialReferenceSystemWkt(this->Number());
  }
  int Version() const override {
    const int* const reported = version_->Get();
    return reported != nullptr ? *reported : TheBorder().Version(this->Number());
  }

 private:
  std::shared_ptr<const Reported<int>> version_;
};

/// What a component throws for an index becomes the error that the interface states.
/// \param elements  the set that was asked
template <class Ask>
auto Shaped(const IElementSet& elements, Ask&& ask) {
  try {
    return ask();
  } catch (const ModelError& error) {
    if (elements.ElementType() == ElementType::IdBased) {
      throw StateError(error.Place(), error.Problem(), error.Remedy());
    }
    throw RangeError(error.Place(), error.Problem(), error.Remedy());
  }
}

class ManagedElements final : public ManagedPlaces<IElementSet> {
 public:
  using ManagedPlaces::ManagedPlaces;
  openmi::ElementType ElementType() const override {
    return static_cast<openmi::ElementType>(TheBorder().ElementType(Number()));
  }
  const IIdentifiable* GetElementId(int index) const override {
    const Thing id(IdAt(index));
    if (!id) return nullptr;
    std::unique_ptr<Identifier>& known = ids_[index];
    const std::string text = TheBorder().Id(id.Number());
    if (!known || known->Id() != text) {
      known =
          std::make_unique<Identifier>(text, TheBorder().Caption(id.Number()), TheBorder().Description(id.Number()));
    }
    return known.get();
  }
  int GetElementIndex(const IIdentifiable& element_id) const override {
    return TheBorder().GetElementIndex(Number(), element_id.Id());
  }
  int GetFaceCount(int element_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetFaceCount(Number(), element_index); });
  }
  std::vector<int> GetFaceVertexIndices(int element_index, int face_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetFaceVertexIndices(Number(), element_index, face_index); });
  }
  int GetVertexCount(int element_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetVertexCount(Number(), element_index); });
  }
  double GetVertexMCoordinate(int element_index, int vertex_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetVertexMCoordinate(Number(), element_index, vertex_index); });
  }
  double GetVertexXCoordinate(int element_index, int vertex_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetVertexXCoordinate(Number(), element_index, vertex_index); });
  }
  double GetVertexYCoordinate(int element_index, int vertex_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetVertexYCoordinate(Number(), element_index, vertex_index); });
  }
  double GetVertexZCoordinate(int element_index, int vertex_index) const override {
    return Shaped(*this, [&] { return TheBorder().GetVertexZCoordinate(Number(), element_index, vertex_index); });
  }
  bool HasM() const override { return TheBorder().HasM(Number()) != 0; }
  bool HasZ() const override { return TheBorder().HasZ(Number()) != 0; }

 private:
  /// 0: none. Elements with vertices need no ids, and sets of the SDK in C# throw where they have none.
  int IdAt(int index) const {
    try {
      return TheBorder().GetElementId(Number(), index);
    } catch (const ModelError& error) {
      if (ElementType() != openmi::ElementType::IdBased && index >= 0 && index < ElementCount()) return 0;
      throw RangeError(error.Place(), error.Problem(), error.Remedy());
    }
  }
  mutable std::map<int, std::unique_ptr<Identifier>> ids_;
};

}  // namespace

MonoArray* ToMonoPlaces(const ISpatialDefinition& places) {
  const auto* elements = dynamic_cast<const IElementSet*>(&places);
  const ElementType type = elements != nullptr ? elements->ElementType() : ElementType::IdBased;
  const int count = places.ElementCount();
  std::vector<Value> ids;
  std::vector<Value> vertices;
  std::vector<Value> x, y, z;
  for (int i = 0; i < count; ++i) {
    const IIdentifiable* const id = elements != nullptr ? elements->GetElementId(i) : nullptr;
    ids.emplace_back(id != nullptr ? id->Id() : std::to_string(i + 1));
    const int size = type == ElementType::IdBased ? 0 : elements->GetVertexCount(i);
    vertices.emplace_back(size);
    for (int vertex = 0; vertex < size; ++vertex) {
      x.emplace_back(elements->GetVertexXCoordinate(i, vertex));
      y.emplace_back(elements->GetVertexYCoordinate(i, vertex));
      if (elements->HasZ()) z.emplace_back(elements->GetVertexZCoordinate(i, vertex));
    }
  }
  const std::vector<std::vector<Value>> parts = {
      {static_cast<int>(type), places.SpatialReferenceSystemWkt(), places.Caption()}, ids, vertices, x, y, z};
  return ToMono(std::span<const std::vector<Value>>(parts));
}

std::shared_ptr<const ISpatialDefinition> Places::Of(int item) const {
  if (is_present_.Get() == nullptr) Take(TheBorder().SpatialDefinition(item, number_));
  return present_;
}

void Places::Take(int number) const {
  if (number == number_) return;
  Thing places(number);
  number_ = number;
  version_ = std::make_shared<Reported<int>>();
  if (!places) {
    present_.reset();
  } else if (TheBorder().IsElementSet(places.Number()) != 0) {
    present_ = std::make_shared<ManagedElements>(std::move(places), version_);
  } else {
    present_ = std::make_shared<ManagedPlaces<ISpatialDefinition>>(std::move(places), version_);
  }
}

void Places::Report(int number, int version) {
  Take(number);
  is_present_.Set(true);
  if (number != 0) version_->Set(version);
}

}  // namespace openmi::dotnet
