#pragma once

#include <string>
#include <utility>

#include "openmi/standard/IIdentifiable.hpp"

namespace openmi {

/// Caption and description for any interface that asks for them.
template <class Interface>
class DescribedAs : public Interface {
 public:
  std::string Caption() const override { return caption_; }
  void SetCaption(const std::string& caption) override { caption_ = caption; }
  std::string Description() const override { return description_; }
  void SetDescription(const std::string& description) override { description_ = description; }

 private:
  std::string caption_;
  std::string description_;
};

/// Id, caption and description for any interface that asks for them.
template <class Interface>
class IdentifiedAs : public DescribedAs<Interface> {
 public:
  explicit IdentifiedAs(std::string id) : id_(std::move(id)) { this->SetCaption(id_); }
  std::string Id() const override { return id_; }
  /// The id without a copy.
  const std::string& IdText() const { return id_; }

 protected:
  void SetId(std::string id) { id_ = std::move(id); }

 private:
  std::string id_;
};

/// A bare id with a caption: of an element, a state, an adapted output that could be made.
class Identifier final : public IdentifiedAs<IIdentifiable> {
 public:
  using IdentifiedAs::IdentifiedAs;
  Identifier(std::string id, const std::string& caption, const std::string& description = {})
      : IdentifiedAs(std::move(id)) {
    SetCaption(caption);
    SetDescription(description);
  }
};

}  // namespace openmi
