#pragma once

#include <memory>
#include <string>
#include <vector>

#include "composition/model/CompositionFile.hpp"
#include "composition/proxy/InputProxy.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"

namespace openmi {

class OutputProxy;

/// A link with its chain: the adaptors from the output onwards, and the end that serves the input.
class Link {
 public:
  explicit Link(const LinkSpec& spec) : spec_(&spec) {}
  Link(Link&& other) noexcept = default;
  Link& operator=(Link&& other) = delete;
  /// Takes the chain apart, from the input backwards.
  ~Link();

  const LinkSpec& Spec() const { return *spec_; }
  std::size_t FromInstance() const { return from_instance_; }
  std::size_t ToInstance() const { return to_instance_; }
  ITimeSpaceOutput* Source() const { return source_; }
  /// The source, if it is the engine's proxy of a component's output; null for a link without times and elements, and
  /// for values supplied from outside.
  OutputProxy* Proxy() const { return proxy_; }
  /// The input: the component's own while the chain is made, its proxy (InputProxy::Consumer) afterwards.
  ITimeSpaceInput* Target() const { return end_ != nullptr ? &end_->Consumer() : target_; }
  /// The end that serves the input; null for a link without times and elements, or one that could not be made.
  InputProxy* End() const { return end_.get(); }
  const std::vector<std::unique_ptr<IBaseAdaptedOutput>>& Adaptors() const { return adaptors_; }
  /// The last output of the chain so far.
  IBaseOutput* Last() const;
  bool IsMade() const { return end_ != nullptr || direct_output_ != nullptr; }

  void SetInstances(std::size_t from, std::size_t to) {
    from_instance_ = from;
    to_instance_ = to;
  }
  /// Starts the chain.
  /// \param source    the engine's proxy of the output, or an output of supplied values; borrowed
  /// \param target    the component's input; borrowed
  /// \param consumer  the engine's proxy of the component of `target`; borrowed
  void Begin(ITimeSpaceOutput& source, ITimeSpaceInput& target, IBaseLinkableComponent* consumer);
  /// Appends an adaptor to the chain.
  /// \param of_component  whether its code is the providing component's and not the engine's
  void AddAdaptor(std::unique_ptr<IBaseAdaptedOutput> adaptor, bool of_component = false) {
    adaptors_.push_back(std::move(adaptor));
    has_adaptors_of_component_ = has_adaptors_of_component_ || of_component;
  }
  /// Whether the code of an adaptor is unloaded with the code of the providing component.
  bool HasAdaptorsOfComponent() const { return has_adaptors_of_component_; }
  /// Ends the chain.
  /// \throws LinkError  output and input do not fit each other
  void Finish();
  /// Makes a link without times and elements: from item to item.
  /// \throws LinkError  the items do not fit each other
  void MakeDirect(IBaseOutput& output, IBaseInput& input);
  /// For a link without times and elements: replaces the output by its last values.
  /// \param values  the values that the output held
  void FreezeOutput(std::unique_ptr<IBaseValueSet> values);
  /// For a link without times and elements: removes the link from the input.
  void FreezeInput();
  /// Links the items of components that are back.
  /// \param output  null: unchanged
  /// \param input   null: unchanged
  /// \throws LinkError  the items do not fit each other
  void ThawDirect(IBaseOutput* output, IBaseInput* input);
  IBaseOutput* DirectOutput() const { return direct_output_; }

 private:
  const LinkSpec* spec_;
  std::size_t from_instance_ = 0;
  std::size_t to_instance_ = 0;
  ITimeSpaceOutput* source_ = nullptr;
  OutputProxy* proxy_ = nullptr;
  ITimeSpaceInput* target_ = nullptr;
  IBaseLinkableComponent* consumer_ = nullptr;
  std::vector<std::unique_ptr<IBaseAdaptedOutput>> adaptors_;
  std::unique_ptr<InputProxy> end_;
  IBaseOutput* direct_output_ = nullptr;
  IBaseInput* direct_input_ = nullptr;
  std::unique_ptr<BaseOutput> frozen_output_;  // of a link without times and elements
  bool has_adaptors_of_component_ = false;
};

}  // namespace openmi
