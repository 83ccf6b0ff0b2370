#include "util/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "util/error.h"

namespace casp {

Descriptor::~Descriptor() {
    if (number_ >= 0) ::close(number_);
}

Pipe::Pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        throw run_error("pipe", std::generic_category().message(errno), {},
                        "Close other programs and try again.");
    reading = Descriptor(ends[0]);
    writing = Descriptor(ends[1]);
}

Descriptor open_nothing() {
    Descriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (!nothing.is_open()) throw run_error("/dev/null", std::generic_category().message(errno));
    return nothing;
}

int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = repeated([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
        if (written < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

}  // namespace casp
