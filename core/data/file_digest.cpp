#include "data/file_digest.h"

#include <openssl/evp.h>
#include <array>

#include "util/error.h"
#include "util/memory.h"

namespace casp::data {

namespace {

std::string hex_digest(const EVP_MD* method, std::string_view bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    need_memory(4U << 20U);  // OpenSSL 3's first call reads through a null pointer where it finds none
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, method, nullptr) != 1)
        throw run_error("digest", "OpenSSL could not compute it", {},
                        "Is MD5 or SHA-256 switched off in OpenSSL's configuration (FIPS mode)?");
    static constexpr char digits[] = "0123456789abcdef";
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += digits[digest[i] >> 4u];
        text += digits[digest[i] & 15u];
    }
    return text;
}

}  // namespace

std::string md5_hex(std::string_view bytes) { return hex_digest(EVP_md5(), bytes); }
std::string sha256_hex(std::string_view bytes) { return hex_digest(EVP_sha256(), bytes); }

}  // namespace casp::data
