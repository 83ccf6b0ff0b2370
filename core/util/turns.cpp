#include "util/turns.h"

namespace casp {

void Turns::take() {
    std::unique_lock lock(mutex_);
    const auto place = asked_++;
    next_.wait(lock, [&] { return place < given_back_ + at_once_; });
}

void Turns::give_back() {
    {
        const std::scoped_lock lock(mutex_);
        ++given_back_;
    }
    next_.notify_all();
}

bool Turns::wanted() const {
    const std::scoped_lock lock(mutex_);
    return asked_ > given_back_ + at_once_;
}

}  // namespace casp
