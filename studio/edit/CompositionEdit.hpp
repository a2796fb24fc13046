#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "studio/edit/XmlSource.hpp"

namespace openmi {

/// A key and a value, as an argument or an attribute has them.
using NamedValue = std::pair<std::string, std::string>;

/// An adaptor that is put on a link.
struct NewAdaptor {
  std::string id;
  std::vector<NamedValue> arguments;
};

/// An element below the composition: the name of each step, and its number among the siblings of that name, from 0, as
/// in {{"Iterate", 0}, {"Tolerance", 1}}.
using ElementPath = std::vector<std::pair<std::string, std::size_t>>;

/// Changes the text of a composition and keeps everything else as it was written: comments, order, spelling, blank
/// lines, line ends.
///
/// New elements get the indentation of their neighbours. Comments inside of what is removed stay. Each function leaves
/// a text that can be read; whether it makes sense is for a check to say. After a throw the text is unchanged.
class CompositionEdit {
 public:
  /// \param text  a composition in UTF-8 that ReadCompositionText can read
  explicit CompositionEdit(std::string text) : text_(std::move(text)) {}

  const std::string& Text() const { return text_; }

  /// Sets an attribute of the composition itself, or removes it where `value` is nothing.
  void SetComposition(std::string_view attribute, const std::optional<std::string>& value);

  /// Adds a component after the last one.
  /// \param attributes  Caption, Omi, Type, ... in the order in which they are written after the id
  /// \throws ArgumentError  there is a component of that id
  void AddComponent(const std::string& id, const std::vector<NamedValue>& attributes,
                    const std::vector<NamedValue>& arguments);
  /// Removes a component, and what names it: links, observers, comparisons, its place in Trigger and Iterate.
  /// \throws ArgumentError  there is no such component
  void RemoveComponent(const std::string& id);
  /// Gives a component another id, wherever the composition names it.
  /// \throws ArgumentError  there is no such component, or there is one of the new id
  void RenameComponent(const std::string& id, const std::string& to);
  void SetComponent(const std::string& id, std::string_view attribute, const std::optional<std::string>& value);
  /// Sets an argument of a component, or removes it where `value` is nothing.
  void SetArgument(const std::string& id, const std::string& key, const std::optional<std::string>& value);

  /// Adds a link after the last one. Items are "component.item".
  /// \throws ArgumentError  there is such a link
  void AddLink(const std::string& from, const std::string& to, const std::vector<NewAdaptor>& adaptors);
  /// \throws ArgumentError  there is no such link; so do the next five
  void RemoveLink(const std::string& from, const std::string& to);
  void SetLink(const std::string& from, const std::string& to, std::string_view attribute,
               const std::optional<std::string>& value);
  /// Puts an adaptor on a link.
  /// \param at  its index after that; at most the number of adaptors
  void AddAdaptor(const std::string& from, const std::string& to, std::size_t at, const NewAdaptor& adaptor);
  void RemoveAdaptor(const std::string& from, const std::string& to, std::size_t at);
  void SetAdaptorArgument(const std::string& from, const std::string& to, std::size_t at, const std::string& key,
                          const std::optional<std::string>& value);

  /// Records an item in the results.
  /// \param attributes  Id, Every, As, ... in the order in which they are written after the item
  void AddObserve(const std::string& item, const std::vector<NamedValue>& attributes);
  /// Removes the first observer of an item.
  /// \throws ArgumentError  there is none; so does the next
  void RemoveObserve(const std::string& item);
  void SetObserve(const std::string& item, std::string_view attribute, const std::optional<std::string>& value);

  /// Adds an element after the last one of its name: Iterate, Compare, Checkpoints or Results in the composition,
  /// Tolerance in an Iterate, Window in a Compare, Table or Network in a Population.
  /// \param parent  empty: the composition
  /// \throws ArgumentError  there is no such parent, or it has no such elements; so do the next two
  void AddElement(const ElementPath& parent, const std::string& name, const std::vector<NamedValue>& attributes);
  void RemoveElement(const ElementPath& path);
  void SetElement(const ElementPath& path, std::string_view attribute, const std::optional<std::string>& value);
  /// Makes a population of a component: it gets a member for each row of the table `of`.
  /// \throws ArgumentError  there is no such component, or it is one already
  void MakePopulation(const std::string& id, const std::string& of);
  /// Makes a single component of a population: tables and networks are removed.
  /// \throws ArgumentError  there is no such population
  void MakeComponent(const std::string& id);

  /// Sets attributes of the run, all in one step; adds a Run element if there is none.
  void SetRun(const std::vector<std::pair<std::string, std::optional<std::string>>>& attributes);

 private:
  using Element = const SourceElement&;
  /// Finds an element below the root.
  const SourceElement* Find(const SourceElement& root, const std::function<bool(const SourceElement&)>& is_it) const;
  const SourceElement& Component(const SourceElement& root, const std::string& id) const;
  const SourceElement& Link(const SourceElement& root, const std::string& from, const std::string& to) const;
  const SourceElement& Adaptor(const SourceElement& link, std::size_t at) const;
  const SourceElement& At(const SourceElement& root, const ElementPath& path) const;

  void Replace(std::size_t begin, std::size_t end, std::string_view with);
  void SetAttribute(const SourceElement& element, std::string_view name, const std::optional<std::string>& value);
  /// Replaces the name of an element in its tags.
  void Rename(const SourceElement& element, const std::string& name);
  void SetArgumentOf(const SourceElement& owner, const std::string& key, const std::optional<std::string>& value);
  /// Removes an element, and its line if nothing else stands there; its comments stay.
  void Remove(const SourceElement& element);
  /// Adds a child to `parent`.
  /// \param after   the element before it; null: in front of all
  /// \param lines   the lines of the new element, without indentation of the whole
  void Insert(const SourceElement& parent, const SourceElement* after, const std::vector<std::string>& lines);
  /// Adds a child of the root after the last of `names` that there is.
  void Append(const SourceElement& root, const std::vector<std::string_view>& names,
              const std::vector<std::string>& lines);
  std::string IndentOf(std::size_t begin) const;
  std::string LineEnd() const;
  std::vector<std::string> Lines(const std::string& prefix, std::string_view name,
                                 const std::vector<NamedValue>& attributes,
                                 const std::vector<std::vector<std::string>>& children) const;
  std::vector<std::vector<std::string>> ArgumentLines(const std::string& prefix,
                                                      const std::vector<NamedValue>& arguments) const;
  void DropFromList(const std::function<bool(const SourceElement&)>& is_it, std::string_view attribute,
                    const std::string& id);

  std::string text_;
};

}  // namespace openmi
