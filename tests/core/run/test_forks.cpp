// Runs that begin where another one stands.
#include <dlfcn.h>
#include <fcntl.h>
#include <cmath>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <functional>
#include <numeric>
#include <thread>

#include <fstream>

#include <QtTest>

#include "resume_fixture.h"
#include "run/fork.h"
#include "store/atomic_file.h"
#include "store/wastebasket.h"
#include "test_program.h"

using namespace casp;
using test::run_in;
namespace fs = std::filesystem;

namespace {

/// Where a fork of `parent` is said to begin.
run::ForkPlace place_in(const fs::path& parent) {
    std::optional<store::RunRecord> record;
    return run::fork_place(store::RunFolder(parent), [&]() -> const store::RunRecord* {
        if (fs::exists(parent / "run.h5")) record = test::record_of(parent);
        return record ? &*record : nullptr;
    });
}

using AtOpen = std::function<void(const fs::path&)>;
thread_local const AtOpen* at_open = nullptr;

/// While it lives, `act` is called after this thread has opened a file, and not for what it opens itself.
class WhenOpened {
public:
    explicit WhenOpened(AtOpen act) : act_(std::move(act)) { at_open = &act_; }
    WhenOpened(const WhenOpened&) = delete;
    WhenOpened& operator=(const WhenOpened&) = delete;
    ~WhenOpened() { at_open = nullptr; }

private:
    AtOpen act_;
};

/// As the next checkpoint at the same step takes the place of the current one.
void replace_checkpoint(const fs::path& run) {
    const auto former = *store::current_checkpoint(store::RunFolder(run));
    const auto name = former.filename().string();
    const auto dash = name.find('-', 4);
    const int count = dash == std::string::npos ? 1 : std::stoi(name.substr(dash + 1));
    const auto next = name.substr(0, dash) + "-" + std::to_string(count + 1);
    fs::copy(former, run / "last" / next);
    store::write_file_atomically(run / "last" / "current", next + "\n");
    fs::remove_all(former);
}

}  // namespace

// In front of the C library's.
extern "C" int open(const char* path, int flags, ...) {
    static const auto next = reinterpret_cast<int (*)(const char*, int, ...)>(::dlsym(RTLD_NEXT, "open"));
    std::va_list list;
    va_start(list, flags);
    const unsigned mode =
        (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, unsigned) : 0;
    va_end(list);
    const int descriptor = next(path, flags, mode);
    if (const auto* act = std::exchange(at_open, nullptr)) {
        const int code = errno;
        (*act)(path);
        at_open = act;
        errno = code;
    }
    return descriptor;
}

class TestForks : public test::ResumeFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { prepare(); }
    void fork_takes_over_the_parents_state() {
        const auto parent = folder("parent");
        stop_after(parent, settings(), 7);
        const auto place = place_in(parent);
        QVERIFY(place.from == run::ForkFrom::checkpoint);
        QVERIFY(place.source == store::current_checkpoint(store::RunFolder(parent)));
        QCOMPARE(place.step, std::int64_t{7});
        QCOMPARE(place.epoch, std::int64_t{2});
        auto config = settings();
        config.train.continue_from = parent.string();
        config.loss.lambda_cov = 0.5;
        const auto before = test::bytes_of(parent / "run.h5");
        const auto row = run_in(folder("fork"), config);
        QVERIFY(row.state == store::RunState::finished);
        QVERIFY(test::bytes_of(parent / "run.h5") == before);
        const auto fork = test::record_of(folder("fork")), plain = test::record_of(folder("plain"));
        QCOMPARE(QString::fromStdString(fork.attributes.parent), QString::fromStdString(parent.string()));
        QCOMPARE(fork.steps.step.size(), std::size_t{15});
        const auto first = [](const std::vector<double>& v, std::size_t n) {
            return std::vector<double>(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(n));
        };
        QVERIFY(test::same_bits(first(fork.steps.total, 7), first(plain.steps.total, 7)));
        // Step 8 starts from the same weights, with the same batch, dropout and statistic; only the weight
        // differs.
        QVERIFY(test::same_bits(fork.steps.forecast[7], plain.steps.forecast[7]));
        QVERIFY(
            test::same_bits((*fork.steps.find_term("coverage"))[7], (*plain.steps.find_term("coverage"))[7]));
        QVERIFY(fork.steps.total[7] != plain.steps.total[7]);
        QVERIFY(!test::same_bits(fork.steps.forecast, plain.steps.forecast));
        QVERIFY(test::same_bits(fork.epochs.val_mse[0], plain.epochs.val_mse[0]));
        QCOMPARE(fork.anchors.snapshot_step, plain.anchors.snapshot_step);
        // Early stopping starts anew: the parent's epoch cannot be the best.
        QVERIFY(row.best_epoch >= 2);

        // With the same settings a fork repeats what its parent would have done.
        config.loss.lambda_cov = settings().loss.lambda_cov;
        run_in(folder("same_fork"), config);
        const auto same = test::record_of(folder("same_fork"));
        QVERIFY(test::same_bits(same.steps.total, plain.steps.total));
        // And a fork that is stopped continues as a fork: of its steps the same seven are the parent's.
        stop_after(folder("stopped_fork"), config, 9);
        const auto started = resumed("stopped_fork", config);
        QCOMPARE(started.first_step, std::int64_t{9});
        QCOMPARE(started.parent_steps, std::int64_t{7});
        QCOMPARE(started.epoch, std::int64_t{2});
        VERIFY_SAME_RUN(folder("stopped_fork"), folder("same_fork"));
        QCOMPARE(QString::fromStdString(test::record_of(folder("stopped_fork")).attributes.parent),
                 QString::fromStdString(parent.string()));
    }

    void fork_without_coverage() {
        auto config = settings();
        config.train.continue_from = folder("parent").string();
        config.coverage.enabled = false;
        QVERIFY(run_in(folder("fork_without_coverage"), config).state == store::RunState::finished);
        const auto fork = test::record_of(folder("fork_without_coverage"));
        QVERIFY(fork.anchors.coverage_statistic.empty());
        QVERIFY((*fork.steps.find_term("coverage"))[5] > 0);
        QCOMPARE((*fork.steps.find_term("coverage"))[8], 0.0);

        // And the other way round: of the parent's snapshots no statistic is known.
        auto without = settings();
        without.coverage.enabled = false;
        stop_after(folder("without"), without, 7);
        config = settings();
        config.train.continue_from = folder("without").string();
        QVERIFY(run_in(folder("with_again"), config).state == store::RunState::finished);
        const auto anchors = test::record_of(folder("with_again")).anchors;
        const auto pool = static_cast<std::size_t>(anchors.pool_size);
        QCOMPARE(anchors.coverage_statistic.size(), anchors.snapshot_step.size() * pool);
        QVERIFY(std::isnan(anchors.coverage_statistic.front()));
        QVERIFY(std::isfinite(anchors.coverage_statistic.back()));
    }

    void fork_of_a_finished_run() {
        auto config = settings();
        config.train.continue_from = folder("plain").string();
        config.run.save_initial = true;
        test::Probe probe;
        const auto row = probe.run(folder("fork_of_finished"), config);
        QVERIFY(test::tensors_of(folder("fork_of_finished") / "initial.safetensors") ==
                test::tensors_of(folder("plain") / "best.safetensors"));
        QVERIFY(probe.told("a finished run has no optimiser state"));
        QVERIFY(test::bytes_of(folder("fork_of_finished") / "log.txt").find("forked from") !=
                std::string::npos);

        // The curves up to the best weights are the parent's, then they go on: all epochs that were asked
        // for, with the learning rate of a new start.
        const auto plain = test::record_of(folder("plain"));
        const auto fork = test::record_of(folder("fork_of_finished"));
        const auto at = plain.attributes.best_step;
        QVERIFY(at >= 5 && at % 5 == 0);
        const auto place = place_in(folder("plain"));
        QVERIFY(place.from == run::ForkFrom::best_weights &&
                place.source == folder("plain") / "best.safetensors");
        QCOMPARE(place.step, at);
        QCOMPARE(place.epoch, at / 5);
        QCOMPARE(probe.started.at(0).parent_steps, at);
        QCOMPARE(probe.started.at(0).epoch, at / 5 + 1);
        QCOMPARE(probe.started.at(0).first_step, at);
        QCOMPARE(row.steps, at + 15);
        QCOMPARE(row.epochs, at / 5 + 3);
        QCOMPARE(QString::fromStdString(fork.attributes.parent),
                 QString::fromStdString(folder("plain").string()));
        std::vector<std::int64_t> steps(static_cast<std::size_t>(at + 15));
        std::iota(steps.begin(), steps.end(), std::int64_t{1});
        QVERIFY(fork.steps.step == steps);
        const auto first = [&](const std::vector<double>& v) {
            return std::vector<double>(v.begin(), v.begin() + at);
        };
        QVERIFY(test::same_bits(first(fork.steps.total), first(plain.steps.total)));
        QVERIFY(test::same_bits(first((*fork.steps.find_term("coverage"))),
                                first((*plain.steps.find_term("coverage")))));
        QCOMPARE(fork.steps.learning_rate[static_cast<std::size_t>(at)], plain.steps.learning_rate[0]);
        QCOMPARE(probe.epochs.at(0).epoch, at / 5 + 1);
        QCOMPARE(probe.epochs.at(0).epochs, at / 5 + 3);
        QCOMPARE(probe.started.at(0).last_step, at + 15);
        QCOMPARE(probe.started.at(0).epochs, at / 5 + 3);
        for (const auto& step : probe.steps) QCOMPARE(step.last_step, at + 15);
        QVERIFY(fork.anchors.snapshot_step.back() == at + 15 && fork.anchors.snapshot_step.front() == 4);
        QVERIFY(std::is_sorted(fork.anchors.snapshot_step.begin(), fork.anchors.snapshot_step.end()));
        QVERIFY(row.best_epoch > at / 5);  // early stopping starts anew

        // Stopped and resumed it is the same run.
        config.run.save_initial = false;
        stop_after(folder("stopped_fork_of_finished"), config, at + 8);
        // A fork of that fork leaves it where it stands.
        auto grandchild = config;
        grandchild.train.continue_from = folder("stopped_fork_of_finished").string();
        stop_after(folder("grandchild"), grandchild, at + 9);
        const auto second = resumed("grandchild", grandchild);
        QCOMPARE(second.first_step, at + 9);
        QCOMPARE(second.parent_steps, at + 8);
        const auto started = resumed("stopped_fork_of_finished", config);
        QCOMPARE(started.first_step, at + 8);
        QCOMPARE(started.parent_steps, at);
        VERIFY_SAME_RUN(folder("stopped_fork_of_finished"), folder("fork_of_finished"));

        // train.max_steps counts from the fork, too.
        config.train.max_steps = 2;
        test::Probe shorter;
        QCOMPARE(shorter.run(folder("short_fork"), config).steps, at + 2);
        QCOMPARE(shorter.started.at(0).last_step, at + 2);
    }

    /// The cycle of the learning rate is that of the fork's own epochs.
    void fork_of_a_finished_run_starts_a_cycle() {
        auto config = settings();
        config.train.continue_from = folder("plain").string();
        config.train.schedule = "one-cycle";
        config.train.optimizer = "adam";
        run_in(folder("fork_with_a_cycle"), config);
        const auto at = static_cast<std::size_t>(test::record_of(folder("plain")).attributes.best_step);
        const auto rates = test::record_of(folder("fork_with_a_cycle")).steps.learning_rate;
        QCOMPARE(rates.size(), at + 15);
        QVERIFY(std::abs(rates[at] - config.train.learning_rate / 25) < 1e-12);
        QVERIFY(rates.back() < 1e-5 * config.train.learning_rate);
    }

    void fork_of_a_run_that_kept_its_last_weights() {
        auto config = settings();
        config.train.epochs = 1;
        config.run.keep_last = true;
        run_in(folder("kept_last"), config);
        const auto place = place_in(folder("kept_last"));
        QVERIFY(place.from == run::ForkFrom::last_weights);
        QVERIFY(place.source == folder("kept_last") / "last" / "model.safetensors");
        QCOMPARE(place.step, std::int64_t{5});
        QCOMPARE(place.epoch, std::int64_t{1});
        config.train.continue_from = folder("kept_last").string();
        config.run.save_initial = true;
        const auto row = run_in(folder("fork_of_last"), config);
        QCOMPARE(row.steps, std::int64_t{10});
        const auto initial = test::tensors_of(folder("fork_of_last") / "initial.safetensors");
        for (const auto& [name, bytes] : test::tensors_of(folder("kept_last") / "last" / "model.safetensors"))
            QVERIFY2(initial.at(name) == bytes, name.c_str());
    }

    void fork_of_a_running_run() {
        // The parent goes on while the fork trains; nobody waits and nobody is disturbed.
        auto config = settings();
        config.run.checkpoint_seconds = 1;
        const auto parent = folder("going_on");
        std::atomic<bool> forked{false};
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& step) {
            // Until the fork has begun: a step a quarter of a second, a checkpoint every second.
            if (!forked && step.step > 1) QTest::qSleep(250);
        };
        auto endless = config;
        endless.train.epochs = 1000;
        endless.train.patience = 1000;
        std::thread thread([&] { probe.run(parent, endless); });
        const auto leave = [&] {
            forked = true;
            probe.stop.ask(train::StopRequest::cancel);
            thread.join();
        };
        QElapsedTimer waited;
        waited.start();
        while (!store::current_checkpoint(store::RunFolder(parent)) && waited.elapsed() < 20000)
            QTest::qSleep(20);
        if (waited.elapsed() >= 20000) leave();
        QVERIFY(waited.elapsed() < 20000);

        config.train.continue_from = parent.string();
        const auto row = run_in(folder("fork_of_going_on"), config);
        QVERIFY(store::RunLock::holder(store::RunFolder(parent)).has_value());  // still at it
        leave();
        QVERIFY(row.state == store::RunState::finished);
        const auto fork = test::record_of(folder("fork_of_going_on")), before = test::record_of(parent);
        const auto at = static_cast<std::size_t>(
            std::find(fork.steps.total.begin(), fork.steps.total.end(), 0.0) - fork.steps.total.begin());
        QCOMPARE(at, fork.steps.total.size());  // no hole
        QVERIFY(before.steps.step.size() >= 2);
        QVERIFY(test::same_bits(fork.steps.total[0], before.steps.total[0]));
    }

    void fork_of_a_run_in_its_first_epoch() {
        const auto parent = folder("just_begun");
        fs::create_directories(parent);
        auto config = settings();
        config.train.continue_from = parent.string();
        const store::RunLock lock{store::RunFolder(parent)};
        const auto error = test::error_of([&] { run_in(folder("too_early"), config); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "Wait for its first checkpoint"));
        QVERIFY(!fs::exists(folder("too_early")));
    }

    void fork_of_weights_without_a_history() {
        const auto parent = folder("weights_only");
        fs::create_directories(parent);
        fs::copy_file(folder("plain") / "best.safetensors", parent / "best.safetensors");
        const auto place = place_in(parent);
        QVERIFY(place.from == run::ForkFrom::best_weights);
        QCOMPARE(place.step, std::int64_t{0});
        QCOMPARE(place.epoch, std::int64_t{0});
        auto config = settings();
        config.train.continue_from = parent.string();
        config.train.max_steps = 2;
        test::Probe probe;
        probe.run(folder("fork_of_weights"), config);
        QCOMPARE(probe.started.at(0).first_step, std::int64_t{0});
        QCOMPARE(probe.started.at(0).parent_steps, std::int64_t{0});
        QCOMPARE(probe.started.at(0).epoch, std::int64_t{1});
    }

    void fork_point_during_checkpoint_replacement() {
        const store::RunFolder parent(folder("busy"));
        fs::create_directories(parent.last());
        fs::copy_file(folder("plain") / "best.safetensors", parent.best());
        const auto write = [&](std::int64_t step) {
            store::CheckpointWriter writer(parent, step);
            store::write_file_atomically(
                writer.folder() / "state.json",
                "{\"step\": " + std::to_string(step) + ", \"epoch\": " + std::to_string(step / 5 + 1) + "}");
            writer.commit();
        };
        write(1);
        std::atomic<bool> over{false};
        std::thread thread([&] {
            for (std::int64_t step = 2; step <= 300; ++step) write(step);
            over = true;
        });
        std::string problem;
        std::int64_t before = 0;
        while (!over && problem.empty()) {
            try {
                const auto place = place_in(parent.path());
                if (place.from != run::ForkFrom::checkpoint || place.step < before ||
                    place.epoch != place.step / 5 + 1)
                    problem = "a wrong place";
                before = place.step;
            } catch (const std::exception& error) {
                problem = error.what();
            }
        }
        thread.join();
        QVERIFY2(problem.empty(), problem.c_str());
        QCOMPARE(place_in(parent.path()).step, std::int64_t{300});
        // What is really damaged is told.
        store::write_file_atomically(*store::current_checkpoint(parent) / "state.json", "{");
        QVERIFY(place_in(parent.path()).from == run::ForkFrom::best_weights);
        fs::remove(parent.best());
        QVERIFY(test::says(test::error_of([&] { (void)place_in(parent.path()); }), "state.json"));
    }

    /// It is not damaged: nothing begins from the best weights instead.
    void checkpoint_replaced_at_each_read_is_retried() {
        const auto parent = folder("restless");
        stop_after(parent, settings(), 7);
        QVERIFY(fs::exists(parent / "best.safetensors"));
        // Replaced when its name is known: the folder of that name is gone.
        int left = 3;
        const WhenOpened replaced([&](const fs::path& file) {
            if (left == 0 || file != parent / "last" / "current") return;
            --left;
            replace_checkpoint(parent);
        });
        const auto place = place_in(parent);
        QCOMPARE(left, 0);
        QVERIFY(place.from == run::ForkFrom::checkpoint && place.damage.empty());
        QVERIFY(place.source == store::current_checkpoint(store::RunFolder(parent)));
        left = 1000;
        const auto error = test::error_of([&] { (void)place_in(parent); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "replaced its checkpoint during every attempt to read it"));
        QVERIFY(left < 990);
    }

    void checkpoint_replaced_while_copied_is_retried() {
        const auto parent = folder("restless_while_read");
        stop_after(parent, settings(), 7);
        auto config = settings();
        config.train.continue_from = parent.string();
        {
            // Then once more, while one looks whether it was replaced.
            int replaced = 0;
            const WhenOpened replacing([&](const fs::path& file) {
                const bool is_part =
                    file.filename() == "model.safetensors" && file.string().starts_with(parent.string());
                if (replaced == 0 ? !is_part : replaced > 1 || file != parent / "last" / "current") return;
                ++replaced;
                replace_checkpoint(parent);
            });
            test::Probe probe;
            const auto row = probe.run(folder("of_restless"), config);
            QCOMPARE(replaced, 2);
            QVERIFY(row.state == store::RunState::finished);
            QVERIFY(!probe.told("damaged"));
            QCOMPARE(probe.started.at(0).first_step, std::int64_t{7});
        }
        // At every attempt.
        int replaced = 0;
        const WhenOpened replacing([&](const fs::path& file) {
            if (file.filename() != "model.safetensors" || !file.string().starts_with(parent.string())) return;
            ++replaced;
            replace_checkpoint(parent);
        });
        test::Probe probe;
        const auto error = test::error_of([&] { probe.run(folder("of_more_restless"), config); });
        QVERIFY(replaced > 3);
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "replaced its checkpoint during every attempt to read it"));
        QVERIFY(!probe.told("damaged"));
        QVERIFY(!fs::exists(folder("of_more_restless")));
    }

    void fork_of_a_discarded_run() {
        const auto dir = folder("output");
        const auto parent = dir / "batch" / "parent";
        auto config = settings();
        config.train.epochs = 1;
        run_in(parent, config);
        const store::Wastebasket basket(dir);
        const auto gone = basket.discard(parent);
        config.train.continue_from = parent.string();
        const auto error = test::error_of([&] { run_in(dir / "batch" / "child", config); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "wastebasket: restore it"));
        QVERIFY(!fs::exists(dir / "batch" / "child"));
        basket.restore(gone);
        QVERIFY(run_in(dir / "batch" / "child", config).state == store::RunState::finished);
    }

    /// Random weights of the backbone follow from the seed and are not in the weights that a fork takes.
    void fork_keeps_the_random_backbone() {
        auto config = settings();
        config.backbone.kind = "random";
        config.train.epochs = 1;
        run_in(folder("random"), config);
        config.train.continue_from = folder("random").string();
        QVERIFY(run_in(folder("random_fork"), config).state == store::RunState::finished);
        config.train.seed += 1;
        const auto error = test::error_of([&] { run_in(folder("other_random"), config); });
        QVERIFY(test::says(error, "has other random weights in its backbone") &&
                test::says(error, "fork with the parent's seed"));
        // Nor may what was trained on random blocks go on with others.
        config.train.seed -= 1;
        config.backbone.kind = "gpt2";
        const auto pretrained = test::error_of([&] { run_in(folder("other_random"), config); });
        QVERIFY(test::says(pretrained, "has other random weights in its backbone"));
    }

    /// The parent's curves stay as long as the steps, also of a term that the fork does not have.
    void fork_keeps_gradient_norms() {
        auto config = settings();
        config.run.gradient_steps = 4;
        config.train.epochs = 1;
        run_in(folder("normed"), config);
        config.train.continue_from = folder("normed").string();
        config.coverage.enabled = false;
        QVERIFY(run_in(folder("normed_fork"), config).state == store::RunState::finished);
        const auto gradients = test::record_of(folder("normed_fork")).gradients;
        QVERIFY(gradients.step.size() > test::record_of(folder("normed")).gradients.step.size());
        QCOMPARE(gradients.norms.size(), std::size_t{3});
        for (const auto& curve : gradients.norms) QCOMPARE(curve.values.size(), gradients.step.size());
        QCOMPARE(gradients.norms.back().values.back(), 0.0);
    }

    void fork_of_missing_parent_creates_nothing() {
        auto config = settings();
        config.train.continue_from = folder("nowhere").string();
        const auto error = test::error_of([&] { run_in(folder("orphan"), config); });
        QVERIFY(error.kind() == ErrorKind::input);
        QVERIFY(test::says(error, "train.continue_from") && test::says(error, "nowhere"));
        QVERIFY(!fs::exists(folder("orphan")));
        // Files instead of folders.
        config.train.continue_from = (folder("parent") / "best.safetensors").string();
        const auto file = test::error_of([&] { run_in(folder("orphan"), config); });
        QVERIFY(test::says(file,
                           "best.safetensors is a .safetensors file; expected the folder of a trained run") &&
                test::says(file, "Set it to " + folder("parent").string()));
        config.train.continue_from = folder("old.pth").string();
        std::ofstream(folder("old.pth")) << "\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.";
        const auto pytorch = test::error_of([&] { run_in(folder("orphan"), config); });
        QVERIFY(test::says(pytorch, "old.pth is a PyTorch file (before version 1.6)") &&
                test::says(pytorch, "Convert the weights with Python: import torch"));
        QVERIFY(!fs::exists(folder("orphan")));
        // A parent of another shape: the tensor is named, and again nothing is left behind.
        config.train.continue_from = folder("parent").string();
        config.model.pool_size = 31;
        const auto shape = test::error_of([&] { run_in(folder("orphan"), config); });
        QVERIFY(shape.kind() == ErrorKind::input);
        QVERIFY(test::says(shape, "prompt_pool.text_prototype_linear.weight") &&
                test::says(shape, "[31, 100]"));
        QVERIFY(!fs::exists(folder("orphan")));
    }

    /// Before its first step it has a checkpoint: its parent may train on meanwhile.
    void interrupted_fork_resumes_from_its_start() {
        const auto parent = folder("parent_that_goes_on");
        stop_after(parent, settings(), 7);
        auto config = settings();
        config.train.continue_from = parent.string();
        config.run.save_initial = true;
        const auto cut = folder("cut_fork");
        test::Probe probe;
        probe.at_step = [&](const train::StepReport& step) {
            if (step.step == 8)
                fs::copy(folder("whole_fork"), cut, fs::copy_options::recursive);  // as a kill leaves it
        };
        probe.run(folder("whole_fork"), config);
        QVERIFY(probe.checkpoints.empty());  // none was due
        QVERIFY(fs::exists(cut / "last" / "gen-7"));
        stop_after(parent, settings(), 12, train::StopRequest::interrupt, true);
        const auto started = resumed("cut_fork", config);
        QCOMPARE(started.first_step, std::int64_t{7});
        QCOMPARE(started.parent_steps, std::int64_t{7});
        VERIFY_SAME_RUN(cut, folder("whole_fork"));
        QVERIFY(test::tensors_of(cut / "initial.safetensors") ==
                test::tensors_of(folder("whole_fork") / "initial.safetensors"));
    }

    void fork_of_a_damaged_checkpoint_data() {
        test::name_rows("part", {"optimizer.safetensors", "state.json", "current", "best.safetensors"});
    }

    void fork_of_a_damaged_checkpoint() {
        QFETCH(const QString, part);
        const auto name = part.toStdString();
        const auto parent = folder("damaged_" + name);
        stop_after(parent, settings(), 7);
        const auto file = name == "current" ? parent / "last" / name : parent / "last" / "gen-7" / name;
        auto bytes = test::bytes_of(file);
        bytes[name == "state.json" || name == "current" ? 0 : bytes.size() - 5] ^= 1;
        std::ofstream(file, std::ios::binary)
            << bytes;  // best.safetensors in the run's folder is the same file
        auto config = settings();
        config.train.continue_from = parent.string();
        test::Probe probe;
        const auto fork = [&] { return probe.run(folder("of_" + name), config); };
        const auto error = test::error_of([&] { run_in(parent, settings(), true); });
        QVERIFY(error.kind() == ErrorKind::input &&
                test::says(error, "The checkpoint is damaged: restore last/ from a copy"));
        const bool advised = std::string(error.what()).find("train.continue_from") != std::string::npos;
        QCOMPARE(advised, name != "best.safetensors");
        if (name == "best.safetensors") {
            QVERIFY(test::says(test::error_of(fork), "best.safetensors"));
            QVERIFY(!fs::exists(folder("of_" + name)));
            return;
        }
        QVERIFY(fork().state == store::RunState::finished);
        QVERIFY(probe.told("its checkpoint is damaged ("));
        QCOMPARE(probe.started.at(0).first_step, std::int64_t{5});  // of the best weights
        const auto forked = test::record_of(folder("of_" + name));
        QCOMPARE(forked.steps.step.size(), std::size_t{20});
        QVERIFY(test::same_bits(forked.steps.total[0], test::record_of(parent).steps.total[0]));
        // A newer format is not damaged: it is for the version that wrote it.
        if (name != "optimizer.safetensors") return;
        auto state = test::bytes_of(parent / "last" / "gen-7" / "state.json");
        const auto version = state.find("\"format_version\": 1");
        state.replace(version, 19, "\"format_version\": 9");
        store::write_file_atomically(parent / "last" / "gen-7" / "state.json", state);
        config.train.continue_from = parent.string();
        QVERIFY(test::says(test::error_of([&] { run_in(folder("of_newer"), config); }), "newer CASP Studio"));
    }

private:
    /// Resumes a run; what it told at its start.
    train::RunStarted resumed(const std::string& name, const config::Config& config) {
        test::Probe probe;
        probe.run(folder(name), config, true);
        return probe.started.at(0);
    }
};

TEST_MAIN_WITHOUT_GUI(TestForks)
#include "test_forks.moc"
