// What is said of drivers and GPUs that LibTorch cannot use, and of failures that end the use of GPUs.
#include <filesystem>

#include <QtTest>

#include <torch/torch.h>

#include "core/train/train_fixture.h"
#include "run/preparation.h"
#include "test_program.h"
#include "util/cuda_problem.h"
#include "util/device.h"
#include "util/out_of_memory.h"

using namespace casp;

namespace {

/// at::show_config() of LibTorch 2.11 for CUDA 13, as far as it matters.
constexpr const char* build =
    "PyTorch built with:\n  - CUDA Runtime 13.0\n  - NVCC architecture flags: "
    "-gencode;arch=compute_75,code=sm_75;-gencode;arch=compute_80,code=sm_80;"
    "-gencode;arch=compute_86,code=sm_86;-gencode;arch=compute_90,code=sm_90;"
    "-gencode;arch=compute_100,code=sm_100;-gencode;arch=compute_120,code=sm_120\n  - CuDNN 91.9\n";

constexpr const char* illegal_access =
    "CUDA error: an illegal memory access was encountered\nSearch for `cudaErrorIllegalAddress' in "
    "https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__TYPES.html for more information.\n"
    "CUDA kernel errors might be asynchronously reported at some other API call\n";

}  // namespace

class TestCudaProblem : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void the_drivers_release() {
        QCOMPARE(driver_release("NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 "
                                "19:39:15 UTC 2024\nGCC version:  gcc version 12.2.0 (Debian)\n"),
                 std::string("535.183.01"));
        QCOMPARE(driver_release("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release "
                                "Build  (root@host)\n"),
                 std::string("580.65.06"));
        QCOMPARE(driver_release(""), std::string());
    }

    void a_driver_that_is_too_old() {
        const auto old = old_driver("535.183.01", 12020, 13000);
        QVERIFY(old && old->kind() == ErrorKind::input);
        QCOMPARE(
            QString(old->what()),
            QString("run.device: the NVIDIA driver 535.183.01 is too old: it supports CUDA 12.2, and this "
                    "LibTorch has CUDA 13.0; expected a driver of release 580 or later. Update the NVIDIA "
                    "driver, or set run.device = \"cpu\"."));
        QVERIFY(old_driver("", 11040, 12080)->parts().expected == "a driver of release 525 or later");
        // Within a major version, older drivers do.
        QVERIFY(!old_driver("580.65.06", 13000, 13020));
        QVERIFY(!old_driver("590.1", 14000, 13000));
        QVERIFY(!old_driver("535.183.01", 0, 13000) && !old_driver("535.183.01", 12020, 0));
    }

    void a_gpu_that_is_too_old() {
        const auto old = old_gpu("Tesla V100-SXM2-16GB", {7, 0}, build);
        QVERIFY(old && old->kind() == ErrorKind::input);
        QCOMPARE(old->parts().found,
                 std::string("this LibTorch has no code for Tesla V100-SXM2-16GB (compute capability 7.0)"));
        QCOMPARE(old->parts().expected,
                 std::string("a GPU of compute capability 7.5, 8.0, 8.6, 9.0, 10.0, 12.0"));
        for (const ComputeCapability known :
             {ComputeCapability{7, 5}, {8, 0}, {8, 9}, {9, 0}, {10, 3}, {12, 1}, {0, 0}})
            QVERIFY(!old_gpu("GPU", known, build));
        QVERIFY(old_gpu("GPU", {11, 0}, build));  // of a major version without code
        QVERIFY(!old_gpu("GPU", {7, 0}, "PyTorch built with:\n  - GCC 12\n"));
    }

    void fatal_failures() {
        QCOMPARE(fatal_gpu_failure(illegal_access), std::string("an illegal memory access was encountered"));
        QCOMPARE(fatal_gpu_failure("CUDA error: unspecified launch failure\n"),
                 std::string("unspecified launch failure"));
        QCOMPARE(fatal_gpu_failure("CUDA error: device-side assert triggered"),
                 std::string("device-side assert triggered"));
        for (const auto* other :
             {"CUDA error: out of memory", "CUDA error: invalid argument", "the loss is not a number", ""})
            QCOMPARE(fatal_gpu_failure(other), std::string());
    }

    /// The last one: afterwards this process has no GPU.
    void after_a_fatal_failure() {
        QTemporaryDir dir;
        const auto folder = std::filesystem::path(dir.path().toStdString());
        auto config = test::small_config(test::write_csv(folder / "series.csv", test::small_rows, 3));
        config.run.device = "auto";
        QCOMPARE(run::silent_device("auto"), std::string());
        const auto run = [&](const std::string& name, bool fails) {
            test::Probe probe;
            probe.at_step = [&](const train::StepReport&) { TORCH_CHECK(!fails, illegal_access); };
            try {
                (void)probe.run(folder / name, config);
            } catch (const Error& problem) {
                return QString(problem.what()) + (problem.kind() == ErrorKind::run ? "" : " (input)");
            }
            return QString();
        };
        QCOMPARE(run("first", true),
                 QString("first: CUDA error: an illegal memory access was encountered. GPUs "
                         "cannot be used in this process any more: restart the program."));
        QVERIFY(!run::silent_device("auto").empty());
        const auto next = run("second", false);
        QVERIFY2(next.startsWith("run.device: an earlier failure (CUDA: an illegal memory access was "
                                 "encountered) has ended the use of GPUs in this process. Restart"),
                 qPrintable(next));
        QVERIFY(!std::filesystem::exists(folder / "second"));
        config.run.device = "cpu";
        QCOMPARE(run("cpu", false), QString());
    }
};

TEST_MAIN_WITHOUT_GUI(TestCudaProblem)
#include "test_cuda_problem.moc"
