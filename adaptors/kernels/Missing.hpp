#pragma once

#include "openmi/sdk/Missing.hpp"
