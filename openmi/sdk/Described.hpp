#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "openmi/standard/IIdentifiable.hpp"

namespace openmi {

/// Implements caption and description for any interface that has them.
///
/// \tparam Interface  an interface derived from IDescribable
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

namespace detail {
/// A caption and a description that need only a pointer when neither is set.
class Words {
 public:
  Words() = default;
  Words(const Words& other) : said_(other.said_ ? std::make_unique<Said>(*other.said_) : nullptr) {}
  Words& operator=(const Words& other) {
    if (this != &other) said_ = other.said_ ? std::make_unique<Said>(*other.said_) : nullptr;
    return *this;
  }
  Words(Words&&) noexcept = default;
  Words& operator=(Words&&) noexcept = default;
  ~Words() = default;

  const std::string& CaptionOr(const std::string& id) const { return said_ && said_->caption ? *said_->caption : id; }
  std::string Description() const { return said_ ? said_->description : std::string(); }
  void SetCaption(const std::string& caption) { Say().caption = caption; }
  void SetDescription(const std::string& description) {
    if (said_ || !description.empty()) Say().description = description;
  }

 private:
  struct Said {
    std::optional<std::string> caption;
    std::string description;
  };
  Said& Say() {
    if (!said_) said_ = std::make_unique<Said>();
    return *said_;
  }
  std::unique_ptr<Said> said_;
};
}  // namespace detail

/// Implements id, caption and description for any interface that has them. The caption is the id until another is set.
///
/// \tparam Interface  an interface derived from IIdentifiable
template <class Interface>
class IdentifiedAs : public Interface {
 public:
  explicit IdentifiedAs(std::string id) : id_(std::move(id)) {}
  std::string Id() const override { return id_; }
  std::string Caption() const override { return words_.CaptionOr(id_); }
  void SetCaption(const std::string& caption) override { words_.SetCaption(caption); }
  std::string Description() const override { return words_.Description(); }
  void SetDescription(const std::string& description) override { words_.SetDescription(description); }
  /// The id, without a copy.
  const std::string& IdText() const { return id_; }

 protected:
  /// Replaces the id. Only before the object is visible to others.
  void SetId(std::string id) { id_ = std::move(id); }

 private:
  std::string id_;
  detail::Words words_;
};

/// An id with a caption: of an element, of a state, or of an adapted output that a factory can create.
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
