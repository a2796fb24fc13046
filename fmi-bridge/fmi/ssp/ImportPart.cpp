#include "fmi-bridge/fmi/ssp/ImportByPart.hpp"

extern "C" {
extern const openmi::ssp::ImportPart openmi_import_part;
const openmi::ssp::ImportPart openmi_import_part = {openmi::kSdkVersion, &openmi::ssp::ImportSystemStructure};
}
