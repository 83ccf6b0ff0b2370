// Entry point of caspstudio. Commands that need no tensors are run here, in milliseconds; for everything else
// the process becomes the full program.

#include "batch/program.h"

int main(int argc, char** argv) {
    return casp::batch::run_program(argc, argv, [argv](const casp::batch::CommandLine& line) {
        if (const auto status = casp::batch::run_without_tensors(line)) return *status;
        return casp::batch::run_full_program(line, argv);
    });
}
