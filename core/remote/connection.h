#pragma once
// One connection to `caspstudio --serve`, from the start of ssh to its end.

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include <sys/types.h>

#include "remote/address.h"
#include "remote/frames.h"
#include "util/descriptor.h"
#include "util/phrase.h"

namespace casp::remote {

/// One thread at a time.
class Connection {
public:
    using Answered = std::function<void(const nlohmann::json& header, const std::string& body)>;
    using Pushed = std::function<void(const Frame& frame)>;

    /// Throws an input Error if ssh cannot be started.
    Connection(const Address& address, Pushed pushed);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    /// Ends ssh if it has not ended (SIGTERM, after a second SIGKILL), and waits for it.
    ~Connection();

    /// `header` gets an id. Unanswered requests are dropped with the connection.
    void request(nlohmann::json header, std::string body, Answered answered);
    /// Sends and receives; returns when something has arrived, `wake` is readable, or after a second. False:
    /// the connection has ended. Throws a run Error if the messages cannot be understood.
    [[nodiscard]] bool step(int wake);
    /// The other side has answered: requests can be sent.
    [[nodiscard]] bool is_open() const { return open_; }

    struct End {
        Phrase problem;              ///< for the user, with advice
        bool can_be_retried = true;  ///< false: something must be changed first
    };
    /// After step() has returned false.
    [[nodiscard]] End end();

private:
    void read_messages();
    void read_greeting();
    void read_errors();
    void write_requests();
    /// Closes ssh's input and waits for its end, at most this long, then ends it. Exit status; 128 + N: ended
    /// by signal N.
    int wait(std::chrono::milliseconds limit);

    const Address address_;
    const Pushed pushed_;
    Descriptor in_, out_, err_;  ///< of ssh; they do not block
    pid_t process_ = -1;
    std::optional<int> status_;
    FrameReader frames_;
    bool open_ = false, ended_ = false;
    std::string before_greeting_, errors_, unsent_;
    std::size_t sent_ = 0;  ///< of unsent_
    std::uint64_t ids_ = 0;
    std::map<std::uint64_t, Answered> open_requests_;
};

}  // namespace casp::remote
