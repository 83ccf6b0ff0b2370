#pragma once
// Gloo, as LibTorch's ProcessGroupGloo.hpp sees it: LibTorch contains Gloo but not its headers. Declarations
// only; every object behind them is made and used inside LibTorch.

#include <chrono>

namespace gloo {

class Context {
public:
    void setTimeout(std::chrono::milliseconds timeout);
};

}  // namespace gloo
