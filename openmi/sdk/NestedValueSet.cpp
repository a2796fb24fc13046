#include "openmi/sdk/NestedValueSet.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "openmi/sdk/Error.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi {

namespace {

Value InitialOf(ValueKind kind) {
  switch (kind) {
    case ValueKind::Boolean:
      return false;
    case ValueKind::Integer:
      return 0;
    case ValueKind::Double:
      return kNotANumber;
    case ValueKind::String:
      return std::string();
    case ValueKind::Binary:
      return Bytes();
    case ValueKind::Empty:
    case ValueKind::Object:
      break;
  }
  return {};
}

std::string IndicesText(std::span<const std::size_t> indices) {
  return fmt::format("[{}]", fmt::join(indices, ", "));
}

}  // namespace

NestedValueSet::NestedValueSet(openmi::ValueType type, std::size_t number_of_indices, Value initial)
    : type_(type), number_of_indices_(number_of_indices), initial_(std::move(initial)) {
  if (number_of_indices == 0) {
    throw RangeError({}, "expected at least one index, found 0", "give the number of dimensions of the values");
  }
  if (type.kind == ValueKind::Empty) {
    throw TypeError({}, "expected a type for the values of a set, found 'empty'", "name the type of the values");
  }
  if (initial_.IsEmpty()) initial_ = InitialOf(type.kind);
  if (!initial_.IsEmpty() && initial_.Type() != type) {
    throw TypeError({},
                    fmt::format("expected an initial value of type {}, found {}", type.Name(), initial_.Type().Name()),
                    "give one of the set's own type");
  }
}

NestedValueSet::NestedValueSet(openmi::ValueType type, std::span<const std::size_t> counts, Value initial)
    : NestedValueSet(type, counts.size(), std::move(initial)) {
  Fill(root_, counts);
}

NestedValueSet::NestedValueSet(openmi::ValueType type, std::initializer_list<std::size_t> counts, Value initial)
    : NestedValueSet(type, std::span<const std::size_t>(counts.begin(), counts.size()), std::move(initial)) {}

void NestedValueSet::Fill(Node& node, std::span<const std::size_t> counts) {
  if (counts.size() == 1) {
    node.values.assign(counts.front(), initial_);
    return;
  }
  node.lists.resize(counts.front());
  for (Node& list : node.lists) Fill(list, counts.subspan(1));
}

void NestedValueSet::Resize(std::span<const std::size_t> indices, std::size_t count) {
  Node& node = const_cast<Node&>(Find(indices));  // a node of this object: this function is not const
  if (indices.size() + 1 == number_of_indices_) {
    node.values.resize(count, initial_);
  } else {
    node.lists.resize(count);
  }
}

void NestedValueSet::Resize(std::initializer_list<std::size_t> indices, std::size_t count) {
  Resize(std::span<const std::size_t>(indices.begin(), indices.size()), count);
}

std::size_t NestedValueSet::LengthOf(const Node& node, std::size_t level) const {
  return level + 1 == number_of_indices_ ? node.values.size() : node.lists.size();
}

const NestedValueSet::Node& NestedValueSet::Find(std::span<const std::size_t> indices) const {
  if (indices.size() >= number_of_indices_) {
    throw RangeError({},
                     fmt::format("expected at most {} leading indices in a set of {}, found {}: {}",
                                 number_of_indices_ - 1, number_of_indices_, indices.size(), IndicesText(indices)),
                     "leave the last index out");
  }
  const Node* node = &root_;
  for (std::size_t level = 0; level < indices.size(); ++level) {
    if (indices[level] >= node->lists.size()) {
      throw RangeError({},
                       fmt::format("expected index {} below its count {}, found {} in {}", level, node->lists.size(),
                                   indices[level], IndicesText(indices)),
                       "ask GetIndexCount for the length of each dimension");
    }
    node = &node->lists[indices[level]];
  }
  return *node;
}

const Value& NestedValueSet::At(std::span<const std::size_t> indices) const {
  if (indices.size() != number_of_indices_) {
    throw RangeError(
        {}, fmt::format("expected {} indices, found {}: {}", number_of_indices_, indices.size(), IndicesText(indices)),
        "give one index for each dimension");
  }
  const Node& node = Find(indices.first(indices.size() - 1));
  const std::size_t last = indices.back();
  if (last >= node.values.size()) {
    throw RangeError({},
                     fmt::format("expected index {} below its count {}, found {} in {}", indices.size() - 1,
                                 node.values.size(), last, IndicesText(indices)),
                     "ask GetIndexCount for the length of each dimension");
  }
  return node.values[last];
}

std::size_t NestedValueSet::GetIndexCount(std::span<const std::size_t> indices) const {
  return LengthOf(Find(indices), indices.size());
}

Value NestedValueSet::GetValue(std::span<const std::size_t> indices) const {
  return At(indices);
}

void NestedValueSet::SetValue(std::span<const std::size_t> indices, const Value& value) {
  Value& place = const_cast<Value&>(At(indices));  // a value of this object: this function is not const
  const bool no_object = value.IsEmpty() && type_.kind == ValueKind::Object;
  if (!no_object && value.Type() != type_) {
    throw TypeError({}, fmt::format("expected a value of type {}, found {}", type_.Name(), value.Type().Name()),
                    "convert the value to the type of the set");
  }
  place = value;
}

}  // namespace openmi
