#pragma once
// The stream of the pretend device, as libraries get it that queue their own work (Stream::native_handle()).

#include <deque>
#include <functional>

namespace casp::pretend {

/// Work that has not ended. Each entry tries to end and returns whether it has; the first one's turn comes
/// with each query of the stream. LibTorch's own operators do not wait for it. One thread.
struct Stream {
    std::deque<std::function<bool()>> work;
};

}  // namespace casp::pretend
