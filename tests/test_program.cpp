#include "test_program.h"

#include <cstdio>
#include <map>
#include <string>

namespace {

std::map<std::string, casp::test::Main>& mains() {
    static std::map<std::string, casp::test::Main> all;
    return all;
}

}  // namespace

casp::test::Registered::Registered(const char* file, Main main) {
    const std::string name = file;
    mains().emplace(name.substr(0, name.rfind('.')), main);
}

int main(int count, char** values) {
    const auto chosen = count > 1 ? mains().find(values[1]) : mains().end();
    if (chosen != mains().end()) return chosen->second(count - 1, values + 1);
    std::fprintf(stderr, "Usage: %s TEST [QtTest's arguments], TEST one of\n", values[0]);
    for (const auto& [name, main] : mains()) std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
}
