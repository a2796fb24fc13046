#pragma once

/// \file
/// All interfaces, enumerations and event arguments of the core of OpenMI 2.0 (OGC 11-014r3, clause 6).

#include "openmi/standard/DimensionBase.hpp"
#include "openmi/standard/ExchangeItemChangeEventArgs.hpp"
#include "openmi/standard/IAdaptedOutputFactory.hpp"
#include "openmi/standard/IArgument.hpp"
#include "openmi/standard/IBaseAdaptedOutput.hpp"
#include "openmi/standard/IBaseExchangeItem.hpp"
#include "openmi/standard/IBaseInput.hpp"
#include "openmi/standard/IBaseLinkableComponent.hpp"
#include "openmi/standard/IBaseOutput.hpp"
#include "openmi/standard/IBaseValueSet.hpp"
#include "openmi/standard/IByteStateConverter.hpp"
#include "openmi/standard/ICategory.hpp"
#include "openmi/standard/IDescribable.hpp"
#include "openmi/standard/IDimension.hpp"
#include "openmi/standard/IEvent.hpp"
#include "openmi/standard/IIdentifiable.hpp"
#include "openmi/standard/IManageState.hpp"
#include "openmi/standard/IQuality.hpp"
#include "openmi/standard/IQuantity.hpp"
#include "openmi/standard/IUnit.hpp"
#include "openmi/standard/IValueDefinition.hpp"
#include "openmi/standard/LinkableComponentStatus.hpp"
#include "openmi/standard/LinkableComponentStatusChangeEventArgs.hpp"
#include "openmi/standard/Value.hpp"
