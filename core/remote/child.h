#pragma once
// A child process that is spoken to through pipes.

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "util/descriptor.h"

namespace casp::remote {

/// Starts a program; its standard streams are pipes whose ends here do not block. One thread at a time.
class Child {
public:
    /// Throws an input Error if the program cannot be started.
    explicit Child(const std::vector<std::string>& command);
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    /// Ends the process if it has not ended (SIGTERM, after a second SIGKILL), and waits for it.
    ~Child();

    [[nodiscard]] int in() const { return in_.get(); }
    [[nodiscard]] int out() const { return out_.get(); }
    [[nodiscard]] int err() const { return err_.get(); }

    /// Closes its input and waits for its end, at most this long, then ends it. Exit status; 128 + N: ended
    /// by signal N.
    int wait(std::chrono::milliseconds limit);

private:
    Descriptor in_, out_, err_;
    pid_t process_ = -1;
    std::optional<int> status_;
};

}  // namespace casp::remote
