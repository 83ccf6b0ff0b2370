#pragma once
// What the tests of core/model share.

#include <filesystem>

#include "test_program.h"

namespace casp::test {

/// Values of the oracle.
inline const std::filesystem::path golden = std::filesystem::path(CASP_SOURCE_DIR) / "tests/golden";

}  // namespace casp::test

using casp::test::golden;
