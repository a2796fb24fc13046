#include "fmi-bridge/osmp/fields/FieldTable.hpp"

#include <algorithm>
#include <cstring>

#include "fmi-bridge/osmp/schema/MessageFit.hpp"
#include "openmi/sdk/Missing.hpp"

namespace openmi::osi {
namespace {

std::int64_t ZigZag(std::uint64_t bits) {
  return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1);
}

/// The value of the bits of a number.
double NumberOf(FieldKind kind, std::uint64_t bits) {
  switch (kind) {
    case FieldKind::Double:
      return std::bit_cast<double>(bits);
    case FieldKind::Float:
      return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case FieldKind::Bool:
      return bits != 0 ? 1.0 : 0.0;
    case FieldKind::Uint64:
    case FieldKind::Fixed64:
      return static_cast<double>(bits);
    case FieldKind::Uint32:
    case FieldKind::Fixed32:
      return static_cast<double>(static_cast<std::uint32_t>(bits));
    case FieldKind::Int64:
    case FieldKind::Sfixed64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case FieldKind::Sint32:
    case FieldKind::Sint64:
      return static_cast<double>(ZigZag(bits));
    default:
      return static_cast<double>(static_cast<std::int32_t>(bits));
  }
}

/// Reads the bits of a number at a known address.
std::uint64_t BitsAt(const std::byte* at, WireType type) {
  std::uint64_t bits = 0;
  if (type == WireType::Varint) {
    for (int shift = 0;; shift += 7, ++at) {
      bits |= (static_cast<std::uint64_t>(*at) & 0x7F) << shift;
      if ((*at & std::byte{0x80}) == std::byte{0}) return bits;
    }
  }
  std::memcpy(&bits, at, type == WireType::Fixed64 ? 8 : 4);
  return bits;
}

}  // namespace

FieldTable::FieldTable(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths)
    : list_of_(paths.size(), kNoList), columns_(paths.size()) {
  schema.Require(message);
  AddNode();
  for (std::size_t i = 0; i < paths.size(); ++i) AddPath(schema, paths[i], static_cast<int>(i));
}

int FieldTable::AddNode() {
  nodes_.emplace_back().low.fill(-1);
  return static_cast<int>(nodes_.size() - 1);
}

int FieldTable::FirstEdge(const Node& node, std::uint32_t number) const {
  if (number < node.low.size()) return node.low[number];
  for (const int edge : node.high) {
    if (edges_[static_cast<std::size_t>(edge)].number == number) return edge;
  }
  return -1;
}

/// \param share  whether an existing edge may be used
int FieldTable::AddEdge(int at, std::uint32_t number, int index, FieldKind kind, bool share) {
  int last = -1;
  for (int e = FirstEdge(nodes_[static_cast<std::size_t>(at)], number); e >= 0;
       e = edges_[static_cast<std::size_t>(e)].next) {
    const Edge& edge = edges_[static_cast<std::size_t>(e)];
    if (share && edge.index == index && edge.node >= 0) return e;
    last = e;
  }
  const int added = static_cast<int>(edges_.size());
  Edge edge;
  edge.number = number;
  edge.index = index;
  edge.kind = kind;
  edge.type = WireTypeOf(kind);
  edges_.push_back(edge);
  Node& node = nodes_[static_cast<std::size_t>(at)];
  if (last >= 0) {
    edges_[static_cast<std::size_t>(last)].next = added;
  } else if (number < node.low.size()) {
    node.low[number] = static_cast<std::int16_t>(added);
  } else {
    node.high.push_back(added);
  }
  return added;
}

void FieldTable::AddPath(const Schema& schema, const FieldPath& path, int column) {
  int node = 0;
  int list = -1;
  for (std::size_t s = 0; s < path.steps.size(); ++s) {
    const auto& [field, index] = path.steps[s];
    const bool is_leaf = s + 1 == path.steps.size();
    const int e = AddEdge(node, field->number, index, field->kind, !is_leaf);
    if (!is_leaf && edges_[static_cast<std::size_t>(e)].node < 0) {
      const int inside = AddNode();
      edges_[static_cast<std::size_t>(e)].node = inside;
    }
    Edge& edge = edges_[static_cast<std::size_t>(e)];
    edge.in_list = list >= 0 || index == FieldPath::kAll;
    if (is_leaf) edge.column = column;
    if (index == FieldPath::kAll) {
      if (edge.list < 0) {
        edge.list = static_cast<int>(lists_.size());
        lists_.emplace_back().text = path.ListText();
        const int first = edge.list;
        int inside = edge.node;
        const auto id = is_leaf ? std::vector<const FieldInfo*>() : IdPath(schema, field->message);
        for (std::size_t i = 0; i < id.size(); ++i) {
          const bool ends = i + 1 == id.size();
          const int to = AddEdge(inside, id[i]->number, FieldPath::kOnly, id[i]->kind, !ends);
          if (ends) {
            edges_[static_cast<std::size_t>(to)].id_of = first;
            lists_.back().has_ids = true;
            continue;
          }
          if (edges_[static_cast<std::size_t>(to)].node < 0) {
            const int next = AddNode();
            edges_[static_cast<std::size_t>(to)].node = next;
          }
          edges_[static_cast<std::size_t>(to)].in_list = true;
          inside = edges_[static_cast<std::size_t>(to)].node;
        }
        list = first;
      } else {
        list = edge.list;
      }
      lists_[static_cast<std::size_t>(list)].columns.push_back(column);
      list_of_[static_cast<std::size_t>(column)] = static_cast<std::size_t>(list);
    }
    node = edges_[static_cast<std::size_t>(e)].node;
  }
}

void FieldTable::Read(Message message) {
  message_scope_ = object_scope_ = ++scope_;
  for (List& list : lists_) {
    list.count = 0;
    list.ids.clear();
  }
  row_ = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (list_of_[i] == kNoList) columns_[i].assign(1, kNotANumber);
  }
  Walk<false>(0, message);
}

template <bool kLearns>
void FieldTable::Walk(int at, Message message) {
  const Node& node = nodes_[static_cast<std::size_t>(at)];
  for (FieldReader field(message); field.Next();) {
    if constexpr (kLearns) LearnField(field);
    for (int e = FirstEdge(node, field.Number()); e >= 0; e = edges_[static_cast<std::size_t>(e)].next) {
      const Message whole = field.Whole();
      Follow<kLearns>(edges_[static_cast<std::size_t>(e)], field.Type(), field.Bits(), field.Content(),
                      whole.data() + whole.size());
    }
  }
}

template <bool kLearns>
void FieldTable::Follow(Edge& edge, WireType type, std::uint64_t bits, Message content, const std::byte* end) {
  if (edge.node < 0) {
    if (edge.id_of >= 0) {
      if (type != WireType::Varint) return;
      lists_[static_cast<std::size_t>(edge.id_of)].ids[row_] = bits;
      if constexpr (kLearns) LearnNumber(FieldKind::Uint64, -1, type, end);
    } else if (edge.index != FieldPath::kOnly) {
      is_learnable_ = false;
      TakeNumbers(edge, type, bits, content);
    } else if (type == edge.type) {
      Take(edge, NumberOf(edge.kind, bits));
      if constexpr (kLearns) LearnNumber(edge.kind, edge.column, type, end);
    }
    return;
  }
  if (type != WireType::Length) return;
  if (edge.list >= 0) return TakeObject(lists_[static_cast<std::size_t>(edge.list)], edge.node, content);
  if (edge.index >= 0) {
    is_learnable_ = false;
    if (!IsWanted(edge)) return;
  }
  Walk<kLearns>(edge.node, content);
}

void FieldTable::BeginObject(List& list) {
  object_scope_ = ++scope_;
  row_ = list.count++;
  if (list.has_ids) list.ids.push_back(kNoId);
  for (const int c : list.columns) {
    std::vector<double>& column = columns_[static_cast<std::size_t>(c)];
    if (column.size() <= row_) column.resize(2 * row_ + 16);
    column[row_] = kNotANumber;
  }
}

void FieldTable::TakeObject(List& list, int node, Message object) {
  constexpr std::size_t kLargest = 4096;  // above this size layouts seldom repeat
  constexpr int kPatience = 32;
  BeginObject(list);
  if (TakeByShape(list, object)) return;
  if (list.patience > 0 || object.size() > kLargest) {
    if (list.patience > 0) --list.patience;
    return Walk<false>(node, object);
  }
  learned_ = &list.shapes[list.next_shape];
  object_begin_ = object.data();
  is_learnable_ = true;
  learned_->bytes.assign(object.begin(), object.end());
  learned_->mask.assign(object.size(), std::byte{0});
  learned_->doubles.clear();
  learned_->others.clear();
  try {
    Walk<true>(node, object);
  } catch (...) {
    learned_->bytes.clear();
    throw;
  }
  if (!is_learnable_) learned_->bytes.clear();
  list.next_shape = (list.next_shape + 1) % list.shapes.size();
  // Where no two objects are alike, learning pauses for a while.
  if (list.next_shape == 0) list.patience = kPatience;
}

bool FieldTable::TakeByShape(List& list, Message object) {
  for (const Shape& shape : list.shapes) {
    if (shape.bytes.size() != object.size() || object.empty()) continue;
    std::byte differs{0};
    const std::byte* known = shape.bytes.data();
    const std::byte* mask = shape.mask.data();
    const std::byte* now = object.data();
    for (std::size_t i = 0; i < object.size(); ++i) differs |= (known[i] ^ now[i]) & mask[i];
    if (differs != std::byte{0}) continue;
    for (const Load& load : shape.doubles) {
      double value;
      std::memcpy(&value, now + load.offset, sizeof value);
      Put(load.column, row_, value);
    }
    for (const Load& load : shape.others) {
      const std::uint64_t bits = BitsAt(now + load.offset, WireTypeOf(load.kind));
      if (load.column >= 0) {
        Put(load.column, row_, NumberOf(load.kind, bits));
      } else {
        list.ids[row_] = bits;
      }
    }
    return true;
  }
  return false;
}

// Marks the bits of a field that define what and where it is: its tag, the length of its content, the end of a number.
void FieldTable::LearnField(const FieldReader& field) {
  const Message whole = field.Whole();
  std::byte* mask = learned_->mask.data() + (whole.data() - object_begin_);
  std::size_t head = whole.size();  // of a group: all of it
  if (field.Type() == WireType::Length) head -= field.Content().size();
  if (field.Type() == WireType::Fixed64) head -= 8;
  if (field.Type() == WireType::Fixed32) head -= 4;
  if (field.Type() == WireType::Varint) {
    head = 1;
    while ((whole[head - 1] & std::byte{0x80}) != std::byte{0}) ++head;
  }
  std::fill_n(mask, head, std::byte{0xFF});
  if (field.Type() == WireType::Varint) std::fill_n(mask + head, whole.size() - head, std::byte{0x80});
}

void FieldTable::LearnNumber(FieldKind kind, int column, WireType type, const std::byte* end) {
  const std::byte* begin = end - (type == WireType::Fixed64 ? 8 : type == WireType::Fixed32 ? 4 : 1);
  while (type == WireType::Varint && begin > object_begin_ && (begin[-1] & std::byte{0x80}) != std::byte{0}) --begin;
  auto& loads = kind == FieldKind::Double ? learned_->doubles : learned_->others;
  loads.push_back({static_cast<std::uint32_t>(begin - object_begin_), kind, column});
}

bool FieldTable::IsWanted(Edge& edge) {
  const std::uint64_t scope = edge.in_list ? object_scope_ : message_scope_;
  if (edge.scope != scope) {
    edge.scope = scope;
    edge.seen = 0;
  }
  return edge.seen++ == edge.index;
}

// Takes a repeated number: one, or all that are packed.
void FieldTable::TakeNumbers(Edge& edge, WireType type, std::uint64_t bits, Message content) {
  const auto take = [&](std::uint64_t one) {
    if (edge.list >= 0) {
      BeginObject(lists_[static_cast<std::size_t>(edge.list)]);
    } else if (!IsWanted(edge)) {
      return;
    }
    Take(edge, NumberOf(edge.kind, one));
  };
  if (type == edge.type) return take(bits);
  if (type == WireType::Length) FieldReader::EachPacked(content, edge.type, take);
}

}  // namespace openmi::osi
