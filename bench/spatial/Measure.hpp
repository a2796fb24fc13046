#pragma once

#include "bench/support/Measure.hpp"
