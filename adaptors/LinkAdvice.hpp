#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "openmi/standard/IBaseInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"

namespace openmi {

// Texts for messages about a link: which adaptors of the SDK to use, and why one cannot be used where it stands.

/// Advice for a link whose ends have the same elements in another order.
inline constexpr char kOrderAdvice[] = "put the adaptor 'by-id' on the link";
/// Advice for a link from many elements to a value without a place.
inline constexpr char kOneValueAdvice[] =
    "put the adaptor 'one-value' on the link: it takes one element, or the sum, mean or extreme of all";

/// Advice for a link whose ends have different elements: the names of the spatial adaptors that suit both ends.
std::string SpatialAdvice(const ITimeSpaceOutput& from, const IBaseInput& to);

/// Advice for a link whose input asks for another kind of times than it gets.
/// \param spans  whether the input asks for spans, and not for stamps
std::string TimeAdvice(bool spans);

/// Explains why an adaptor that exists does not fit between two ends: what it needs, and what it found at the end that
/// does not provide that.
/// \param adaptor_id  id of an adaptor of the SDK
std::string MisfitOf(const std::string& adaptor_id, const ITimeSpaceOutput& from, const IBaseInput& to);

/// An adaptor in a place of a chain where amounts are averaged or rates are summed.
struct OrderWarning {
  std::size_t adaptor;  ///< index in the chain
  std::string problem;
  std::string remedy;
};

/// The warnings about the order of a chain of adaptors, as their offers state what each gives for a span.
/// \param adaptor_ids  from provider to consumer; ids of other factories are passed over
std::vector<OrderWarning> OrderWarnings(std::span<const std::string> adaptor_ids);

}  // namespace openmi
