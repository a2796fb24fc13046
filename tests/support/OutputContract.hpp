#pragma once

#include <algorithm>
#include <vector>

#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "tests/support/ValueSetContract.hpp"
#include "timespace/testing/ProbeInput.hpp"

/// \file
/// What the interfaces of outputs and adapted outputs promise, for any implementation of them.

namespace openmi::test {

template <class List, class Item>
bool IsListed(const List& list, const Item& item) {
  return std::ranges::find(list, &item) != list.end();
}

/// Consumers come and go, each with one provider. To be called where consumers may be added: before Prepare.
/// Source: OGC 11-014r3, requirements 9.2 and 9.3.
inline void ExpectRegisters(IBaseOutput& output) {
  ProbeInput one("one"), two("two");
  const std::size_t before = output.Consumers().size();
  EXPECT_THROW(output.RemoveConsumer(one), LinkError) << "never added";
  output.AddConsumer(one);
  EXPECT_EQ(one.Provider(), &output);
  EXPECT_TRUE(IsListed(output.Consumers(), one));
  output.AddConsumer(two);
  EXPECT_EQ(output.Consumers().size(), before + 2);
  output.RemoveConsumer(one);
  EXPECT_EQ(one.Provider(), nullptr);
  EXPECT_FALSE(IsListed(output.Consumers(), one));
  EXPECT_TRUE(IsListed(output.Consumers(), two));
  EXPECT_THROW(output.RemoveConsumer(one), LinkError) << "removed before";
  output.RemoveConsumer(two);
  EXPECT_EQ(output.Consumers().size(), before);
  if (auto* adapted = dynamic_cast<IBaseAdaptedOutput*>(&output)) {
    IBaseOutput& adaptee = adapted->Adaptee();
    EXPECT_TRUE(IsListed(adaptee.AdaptedOutputs(), *adapted)) << "its adaptee does not know it";
    EXPECT_NE(&adaptee, &output);
    // A consumer of the adaptee is none of ours, and may not have two providers.
    adaptee.AddConsumer(one);
    EXPECT_THROW(output.AddConsumer(one), LinkError);
    EXPECT_EQ(one.Provider(), &adaptee) << "refused, and yet taken";
    EXPECT_THROW(output.RemoveConsumer(one), LinkError);
    adaptee.RemoveConsumer(one);
    EXPECT_THROW(output.RemoveAdaptedOutput(*adapted), LinkError) << "it is not registered with itself";
  }
}

/// All values of a set, as they are now.
inline std::vector<Value> CopyAll(const IBaseValueSet& set) {
  std::vector<Value> values;
  EachPlace(set, [&](const Indices& place) { values.push_back(set.GetValue(place)); });
  return values;
}

/// Whether two copies hold the same.
inline bool SameValues(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::ranges::equal(a, b, SameValue);
}

/// A question is answered the same again, by a set that keeps its own contract, and leaves the answers of others alone.
/// To be called where the output can answer.
/// \param question  whose times the output can answer; registered with it, or not
/// Source: OGC 11-014r3, requirement 9.3.
inline void ExpectAnswers(IBaseOutput& output, const IBaseExchangeItem& question) {
  ExpectKeepsTheReadingContract(output.Values());
  const IBaseValueSet& answer = output.GetValues(question);
  ExpectKeepsTheReadingContract(answer);
  const std::vector<Value> first = CopyAll(answer);
  EXPECT_FALSE(first.empty());
  EXPECT_TRUE(SameValues(CopyAll(output.GetValues(question)), first)) << "the same question, another answer";
  for (const IBaseInput* consumer : output.Consumers()) EXPECT_EQ(consumer->Provider(), &output);
  for (const IBaseAdaptedOutput* adapted : output.AdaptedOutputs()) EXPECT_EQ(&adapted->Adaptee(), &output);
}

}  // namespace openmi::test
