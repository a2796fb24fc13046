#pragma once

#include <span>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/outward/FmuForm.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"

namespace openmi::broker {

/// What a stream is as an FMU: the RabbitMQ FMU with the stream's settings as its parameters.
///
/// Secrets are not written, nor files that hold one; certificates of authorities and a recording come along. What is
/// set and has no parameter there is one by the name of the argument. \param items  outputs, then inputs; shape [fields
/// + health items + published]
outward::FmuForm FormOfStream(const ArgumentList& arguments, std::span<const Field> fields,
                              std::span<const Field> published, std::span<const IBaseExchangeItem* const> items,
                              double step_seconds);

}  // namespace openmi::broker
