#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/run/LinkEnd.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi {

/// A link as it stands: adaptors from the output onwards, and the end that serves the input.
class Link {
 public:
  explicit Link(const LinkSpec& spec) : spec_(&spec) {}
  Link(Link&& other) noexcept = default;
  Link& operator=(Link&& other) = delete;
  /// Takes itself apart from the input backwards.
  ~Link();

  const LinkSpec& Spec() const { return *spec_; }
  std::size_t FromInstance() const { return from_instance_; }
  std::size_t ToInstance() const { return to_instance_; }
  ITimeSpaceOutput* Source() const { return source_; }
  /// The input: the component's own while the chain is made, what stands for it (LinkEnd::Consumer) afterwards.
  ITimeSpaceInput* Target() const { return end_ != nullptr ? &end_->Consumer() : target_; }
  /// The end that serves the input; null on a link without times and places, or one that could not be made.
  LinkEnd* End() const { return end_.get(); }
  const std::vector<std::unique_ptr<IBaseAdaptedOutput>>& Adaptors() const { return adaptors_; }
  /// The last output of the chain so far.
  IBaseOutput* Last() const;
  bool IsMade() const { return end_ != nullptr || direct_output_ != nullptr; }

  void SetInstances(std::size_t from, std::size_t to) {
    from_instance_ = from;
    to_instance_ = to;
  }
  /// Begins the chain at the host's stand-in.
  /// \param consumer  the host's own stand-in for the component of `target`
  void Begin(ITimeSpaceOutput& source, ITimeSpaceInput& target, IBaseLinkableComponent* consumer) {
    source_ = &source;
    target_ = &target;
    consumer_ = consumer;
  }
  /// \param of_component  whether its code is the providing component's and not the host's
  void AddAdaptor(std::unique_ptr<IBaseAdaptedOutput> adaptor, bool of_component = false) {
    adaptors_.push_back(std::move(adaptor));
    has_adaptors_of_component_ = has_adaptors_of_component_ || of_component;
  }
  /// Whether the code of an adaptor goes when the providing component's does.
  bool HasAdaptorsOfComponent() const { return has_adaptors_of_component_; }
  /// Ends the chain. \throws LinkError  the two do not fit
  void Finish();
  /// A link without times and places: from item to item. \throws LinkError
  void MakeDirect(IBaseOutput& output, IBaseInput& input);
  /// Whether it is a link without times and places.
  bool IsDirect() const { return direct_output_ != nullptr; }
  /// Puts, on a link without times and places, the last values in the place of the output.
  /// \param values  what it held
  void FreezeOutput(std::unique_ptr<IBaseValueSet> values);
  /// Lets, on a link without times and places, the input go.
  void FreezeInput();
  /// Links the items of components that are back. \param output, input  null: as it is
  /// \throws LinkError
  void ThawDirect(IBaseOutput* output, IBaseInput* input);
  IBaseOutput* DirectOutput() const { return direct_output_; }

 private:
  const LinkSpec* spec_;
  std::size_t from_instance_ = 0;
  std::size_t to_instance_ = 0;
  ITimeSpaceOutput* source_ = nullptr;
  ITimeSpaceInput* target_ = nullptr;
  IBaseLinkableComponent* consumer_ = nullptr;
  std::vector<std::unique_ptr<IBaseAdaptedOutput>> adaptors_;
  std::unique_ptr<LinkEnd> end_;
  IBaseOutput* direct_output_ = nullptr;
  IBaseInput* direct_input_ = nullptr;
  std::unique_ptr<BaseOutput> frozen_output_;  // on a link without times and places
  bool has_adaptors_of_component_ = false;
};

}  // namespace openmi
