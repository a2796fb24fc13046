// Part of the plug-in openmi-fmi-bridge: an FMU that is an OSMP model gets items of bytes for its messages.
#include "fmi-bridge/osmp/component/OsmpLayer.hpp"

namespace {

const openmi::fmi::LayerRegistration kOsmp(openmi::osmp::MakeOsmpLayer);

}  // namespace
