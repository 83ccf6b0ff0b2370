#pragma once
// What tests of runs that are stopped, continued and forked share: the data, an undisturbed run, and a way to
// stop another one at a step.

#include <cstdint>
#include <string>

#include "core/train/train_fixture.h"
#include "folder_test.h"

namespace casp::test {

class ResumeFixture : public FolderTest {
protected:
    /// 15 steps; epochs end at 5, 10 and 15, snapshots are taken at 4, 8 and 12.
    [[nodiscard]] config::Config settings() const {
        auto config = small_config(csv_);
        config.train.epochs = 3;
        config.run.snapshot_steps = 4;  // so that a snapshot and an epoch end at different steps
        return config;
    }
    /// Writes the data and trains the undisturbed run, folder("plain"). Called first.
    void prepare() {
        csv_ = write_csv(folder("series.csv"), small_rows, small_channels);
        run_in(folder("plain"), settings());
        QCOMPARE(record_of(folder("plain")).steps.step.size(), std::size_t{15});
    }
    /// Runs until step `step`, then asks for `request`.
    store::ResultRow stop_after(const fs::path& run, const config::Config& config, std::int64_t step,
                                train::StopRequest request = train::StopRequest::cancel,
                                bool resume = false) const {
        Probe probe;
        probe.at_step = [&](const train::StepReport& report) {
            if (report.step == step) probe.stop.ask(request);
        };
        return probe.run(run, config, resume);
    }

    std::string csv_;
};

}  // namespace casp::test
