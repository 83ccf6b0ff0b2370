#include "figures/style.h"
