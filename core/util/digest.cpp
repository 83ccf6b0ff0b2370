#include "util/digest.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include <openssl/evp.h>

#include "util/error.h"
#include "util/memory.h"
#include "util/regular_file.h"

namespace casp {

struct Digest::Context {
    EVP_MD_CTX* handle = nullptr;
    Context() {
        need_memory(4U << 20U);  // the first call of OpenSSL 3 dereferences a null pointer if memory runs out
        handle = EVP_MD_CTX_new();
    }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    ~Context() { EVP_MD_CTX_free(handle); }
    void begin() {
        if (handle == nullptr || EVP_DigestInit_ex(handle, EVP_sha256(), nullptr) != 1)
            throw run_error("digest", "OpenSSL does not provide SHA-256");
    }
};

Digest::Digest() : context_(std::make_unique<Context>()) { context_->begin(); }
Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::update(const void* bytes, std::size_t size) {
    if (size != 0 && EVP_DigestUpdate(context_->handle, bytes, size) != 1)
        throw run_error("digest", "OpenSSL could not process the data");
}

std::string Digest::finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> value{};
    unsigned int size = 0;
    if (EVP_DigestFinal_ex(context_->handle, value.data(), &size) != 1)
        throw run_error("digest", "OpenSSL could not process the data");
    context_->begin();
    static constexpr char digits[] = "0123456789abcdef";
    std::string hex;
    hex.reserve(2 * size);
    for (unsigned int i = 0; i < size; ++i) {
        hex += digits[value[i] >> 4];
        hex += digits[value[i] & 15];
    }
    return hex;
}

std::string sha256_of(std::string_view bytes) {
    Digest digest;
    digest.update(bytes);
    return digest.finish();
}

std::string sha256_of_file(const std::filesystem::path& path, const ProgressFn& progress,
                           const std::stop_token& stop) {
    const auto failed = [&](int code) {
        return input_error(path.string(),
                           Phrase("cannot be read: %1", std::generic_category().message(code)));
    };
    const RegularFile file(path, "a file");
    Progress report{
        {Stage::checking, path.filename().string()}, 0, static_cast<std::int64_t>(file.size()), "bytes"};
    std::vector<char> buffer(1u << 20);
    Digest digest;
    for (;;) {
        throw_if_stopped(stop);
        const auto got = ::read(file.descriptor(), buffer.data(), buffer.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw failed(errno);
        if (got == 0) break;
        digest.update(buffer.data(), static_cast<std::size_t>(got));
        report.done += got;
        if (progress) progress(report);
    }
    return digest.finish();
}

}  // namespace casp
