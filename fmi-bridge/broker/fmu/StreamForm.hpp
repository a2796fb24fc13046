#pragma once

#include <span>
#include <vector>

#include "fmi-bridge/broker/stream/Field.hpp"
#include "fmi-bridge/export/FmuForm.hpp"
#include "openmi/sdk/ArgumentList.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"

namespace openmi::broker {

/// A stream in the form of an FMU: the RabbitMQ FMU with the stream's settings as its parameters.
///
/// Secrets and files that hold one are not written. Certificates of authorities and a recording are included. An
/// argument that is set and has no parameter in the RabbitMQ FMU becomes a parameter with the argument's name.
/// \param items  outputs, then inputs; shape [fields + health items + published]
exported::FmuForm FormOfStream(const ArgumentList& arguments, std::span<const Field> fields,
                               std::span<const Field> published, std::span<const IBaseExchangeItem* const> items,
                               double step_seconds);

}  // namespace openmi::broker
