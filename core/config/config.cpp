#include "config/config.h"

namespace casp::config {

Config::Config() = default;

}  // namespace casp::config
