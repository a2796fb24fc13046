#pragma once

/// \file
/// All interfaces and enumerations of the TimeSpace extension of OpenMI 2.0 (OGC 11-014r3, clause 6).

#include "timespace/standard/ElementType.hpp"
#include "timespace/standard/IElementSet.hpp"
#include "timespace/standard/ISpatialDefinition.hpp"
#include "timespace/standard/ITime.hpp"
#include "timespace/standard/ITimeExtension.hpp"
#include "timespace/standard/ITimeSet.hpp"
#include "timespace/standard/ITimeSpaceAdaptedOutput.hpp"
#include "timespace/standard/ITimeSpaceComponent.hpp"
#include "timespace/standard/ITimeSpaceExchangeItem.hpp"
#include "timespace/standard/ITimeSpaceInput.hpp"
#include "timespace/standard/ITimeSpaceOutput.hpp"
#include "timespace/standard/ITimeSpaceValueSet.hpp"
