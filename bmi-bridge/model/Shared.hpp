#pragma once

#include <memory>
#include <string>

#include "bmi-bridge/abi/bmi.h"

namespace openmi::bmi {

/// A text that all models of this process share which use it, so that thousands of them need it in the cache once.
std::shared_ptr<const std::string> SharedText(const std::string& text);

/// The functions of a model, shared with the models that have the same ones; without data.
std::shared_ptr<const ::Bmi> SharedFunctions(const ::Bmi& functions);

}  // namespace openmi::bmi
