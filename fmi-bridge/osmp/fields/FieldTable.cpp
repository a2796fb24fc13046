#include "fmi-bridge/osmp/fields/FieldTable.hpp"

#include "openmi/sdk/Missing.hpp"

namespace openmi::osi {

FieldTable::FieldTable(const Schema& schema, const std::string& message, const std::vector<FieldPath>& paths)
    : list_of_(paths.size(), kNoList), columns_(paths.size()) {
  schema.Require(message);
  for (std::size_t i = 0; i < paths.size(); ++i) AddPath(schema, paths[i], i);
}

void FieldTable::AddPath(const Schema& schema, const FieldPath& path, std::size_t column) {
  int node = 0;
  bool in_list = false;
  for (const auto& [field, index] : path.steps) {
    const bool is_leaf = &field == &path.steps.back().field;
    const int e = tree_.Add(node, *field, index, is_leaf);
    in_list = in_list || index == FieldPath::kAll;
    tree_[e].in_list = in_list;
    if (is_leaf) tree_[e].column = static_cast<int>(column);
    node = tree_[e].node;
    if (index != FieldPath::kAll) continue;
    int list = tree_[e].list;
    if (list < 0) {
      list = tree_[e].list = static_cast<int>(lists_.size());
      lists_.emplace_back().text = path.ListText();
      int inside = node;
      const auto id = is_leaf ? std::vector<const FieldInfo*>() : IdPath(schema, field->message);
      for (const FieldInfo* step : id) {
        const bool ends = step == id.back();
        FieldTree::Edge& to = tree_[tree_.Add(inside, *step, FieldPath::kOnly, ends)];
        to.in_list = true;
        if (ends) to.id_of = list;
        inside = to.node;
      }
      lists_.back().has_ids = !id.empty();
    }
    lists_[static_cast<std::size_t>(list)].columns.push_back(column);
    list_of_[column] = static_cast<std::size_t>(list);
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
  const FieldTree::Node& node = tree_.NodeAt(at);
  for (FieldReader field(message); field.Next();) {
    if constexpr (kLearns) learning_->Field(field);
    for (int e = tree_.First(node, field.Number()); e >= 0; e = tree_[e].next) {
      const Message whole = field.Whole();
      Follow<kLearns>(tree_[e], field.Type(), field.Bits(), field.Content(), whole.data() + whole.size());
    }
  }
}

template <bool kLearns>
void FieldTable::Follow(FieldTree::Edge& edge, WireType type, std::uint64_t bits, Message content,
                        const std::byte* end) {
  if (edge.node < 0) {
    if (edge.id_of >= 0) {
      if (type != WireType::Varint) return;
      lists_[static_cast<std::size_t>(edge.id_of)].ids[row_] = bits;
      if constexpr (kLearns) learning_->Number(FieldKind::Uint64, -1, type, end);
    } else if (edge.index != FieldPath::kOnly) {
      if constexpr (kLearns) learning_->GiveUp();
      TakeNumbers(edge, type, bits, content);
    } else if (type == edge.type) {
      Take(edge, NumberOf(edge.kind, bits));
      if constexpr (kLearns) learning_->Number(edge.kind, edge.column, type, end);
    }
    return;
  }
  if (type != WireType::Length) return;
  if (edge.list >= 0) return TakeObject(lists_[static_cast<std::size_t>(edge.list)], edge.node, content);
  if (edge.index >= 0) {
    if constexpr (kLearns) learning_->GiveUp();
    if (!IsWanted(edge)) return;
  }
  Walk<kLearns>(edge.node, content);
}

void FieldTable::BeginObject(List& list) {
  object_scope_ = ++scope_;
  row_ = list.count++;
  if (list.has_ids) list.ids.push_back(kNoId);
  for (const std::size_t c : list.columns) {
    std::vector<double>& column = columns_[c];
    if (column.size() <= row_) column.resize(2 * row_ + 16);
    column[row_] = kNotANumber;
  }
}

void FieldTable::TakeObject(List& list, int node, Message object) {
  BeginObject(list);
  if (list.shapes.Read(object, row_, columns_, list.ids)) return;
  if (!list.shapes.Begin(object)) return Walk<false>(node, object);
  learning_ = &list.shapes;
  Walk<true>(node, object);
  list.shapes.End(object);
}

bool FieldTable::IsWanted(FieldTree::Edge& edge) {
  const std::uint64_t scope = edge.in_list ? object_scope_ : message_scope_;
  if (edge.scope != scope) {
    edge.scope = scope;
    edge.seen = 0;
  }
  return edge.seen++ == edge.index;
}

// Takes a repeated number: one, or all that are packed.
void FieldTable::TakeNumbers(FieldTree::Edge& edge, WireType type, std::uint64_t bits, Message content) {
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
