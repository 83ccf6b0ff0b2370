#include <cstdio>

int main() {
    std::puts("CASP Studio " CASP_VERSION);
    return 0;
}
