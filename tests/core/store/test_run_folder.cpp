#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cmath>

#include <QtTest>

#include "store/atomic_file.h"
#include "store/run_folder.h"
#include "store/staged_files.h"
#include "store_test.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp::store;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

std::size_t entries(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Runs `work` in a child process; its exit status (work's return value), or 1000 + signal.
template <class Work>
int in_child(Work&& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        int code = 99;
        try {
            code = work();
        } catch (...) {
        }
        ::_exit(code);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

void write_generation(const RunFolder& folder, std::int64_t step, const std::string& model) {
    CheckpointWriter writer(folder, step);
    put(writer.folder() / "model.safetensors", model);
    put(writer.folder() / "state.json",
        R"({"files":{"model.safetensors":")" + casp::sha256_of(model) + "\"}}");
    writer.commit();
}

}  // namespace

class TestRunFolder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void digests_are_those_of_the_standards() {
        // FIPS 180-2.
        QCOMPARE(casp::sha256_of("abc"),
                 std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
        casp::Digest digest;
        for (int i = 0; i < 1000; ++i) digest.update(std::string(1000, 'a'));
        QCOMPARE(digest.finish(),
                 std::string("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"));
        digest.update("abc");
        QCOMPARE(digest.finish(), casp::sha256_of("abc"));

        Folder folder;
        put(folder / "big", std::string(3'000'000, 'x'));
        std::int64_t last = 0;
        QCOMPARE(casp::sha256_of_file(folder / "big", [&](const casp::Progress& p) { last = p.done; }),
                 casp::sha256_of(std::string(3'000'000, 'x')));
        QCOMPARE(last, std::int64_t{3'000'000});
        std::stop_source stop;
        stop.request_stop();
        CASP_SAYS(error_of([&] { (void)casp::sha256_of_file(folder / "big", {}, stop.get_token()); }),
                  "interrupted: ");
        CASP_SAYS(error_of([&] { (void)casp::sha256_of_file(folder / "none"); }), "there is no such file");
    }

    void a_file_appears_whole_or_not_at_all() {
        Folder folder;
        write_file_atomically(folder / "a", "one");
        {
            AtomicFile file(folder / "a");
            file.write("two");
            QCOMPARE(bytes_of(folder / "a"), std::string("one"));
            QCOMPARE(entries(folder.path()), std::size_t{2});
        }
        QCOMPARE(bytes_of(folder / "a"), std::string("one"));
        QCOMPARE(entries(folder.path()), std::size_t{1});
        CASP_SAYS(error_of([&] { write_file_atomically(folder.path() / "no" / "a", "x"); }),
                  "cannot be written: No such file or directory");
        // A folder stands where the file should go: rename fails, the temporary goes.
        fs::create_directories(folder.path() / "d" / "x");
        CASP_SAYS(error_of([&] { write_file_atomically(folder / "d", "x"); }), "cannot be replaced");
        QCOMPARE(entries(folder.path()), std::size_t{2});
    }

    void full_disk_is_reported_and_leaves_nothing() {
        Folder folder;
        put(folder / "a", "old");
        const int code = in_child([&] {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{4096, 4096};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const auto message =
                error_of([&] { write_file_atomically(folder / "a", std::string(100'000, 'x')); });
            return contains(message, "run: ") && contains(message, "File too large") &&
                           contains(message, "Make room")
                       ? 0
                       : 1;
        });
        QCOMPARE(code, 0);
        QCOMPARE(bytes_of(folder / "a"), std::string("old"));
        QCOMPARE(entries(folder.path()), std::size_t{1});
    }

    void links_and_copies() {
        Folder folder;
        put(folder / "a", "one");
        put(folder / "b", "two");
        hard_link_or_copy(folder / "a", folder / "b");
        QCOMPARE(bytes_of(folder / "b"), std::string("one"));
        hard_link_or_copy(folder / "a", folder / "b");  // again: the same file already
        QCOMPARE(fs::hard_link_count(folder / "a"), std::uintmax_t{2});
        QCOMPARE(entries(folder.path()), std::size_t{2});
        write_file_atomically(folder / "a", "new");
        QCOMPARE(bytes_of(folder / "b"), std::string("one"));
        CASP_SAYS(error_of([&] { hard_link_or_copy(folder / "none", folder / "c"); }), "none");
        if (fs::exists("/dev/shm") && ::access("/dev/shm", W_OK) == 0) {
            QTemporaryDir other("/dev/shm/casp-XXXXXX");
            const fs::path target = fs::path(other.path().toStdString()) / "c";
            hard_link_or_copy(folder / "a", target);  // another file system, as a rule: a copy
            QCOMPARE(bytes_of(target), std::string("new"));
        }
    }

    void run_json_round_trip() {
        Folder folder;
        const RunFolder run(folder / "lambda_cov-0.1_seed-1");
        QVERIFY(!read_run_status(run));
        run.create();
        QVERIFY(!read_run_status(run));
        RunStatus status;
        status.row.run = "lambda_cov-0.1_seed-1";
        status.row.state = RunState::finished_early;
        status.row.data = "Häuser, \"alt\"";
        status.row.val_mse = 0.1 + 0.2;
        status.row.key_cosine = NAN;
        status.row.test_mse = INFINITY;
        status.row.steps = 12345678901;
        status.row.swept = {{"loss.lambda_cov", "0.1"}, {"train.seed", "1"}};
        status.message = "why";
        write_run_status(run, status);
        QVERIFY(fs::file_size(run.run_json()) < 4096);
        const auto back = read_run_status(run);
        QVERIFY(back.has_value());
        QCOMPARE(back->row.data, status.row.data);
        QCOMPARE(back->row.val_mse, 0.1 + 0.2);
        QVERIFY(std::isnan(back->row.key_cosine));
        QVERIFY(std::isinf(back->row.test_mse));
        QCOMPARE(back->row.steps, std::int64_t{12345678901});
        QCOMPARE(back->row.best_epoch, std::int64_t{-1});
        QVERIFY(back->row.state == RunState::finished_early);
        QVERIFY(back->row.swept == status.row.swept);
        QVERIFY(back->row.case_label.empty() && !contains(bytes_of(run.run_json()), "\"case\""));
        QCOMPARE(back->message, std::string("why"));
        QVERIFY(contains(back->updated, "T") && back->updated.back() == 'Z');

        auto of_a_case = status;
        of_a_case.row.peak_memory = std::int64_t{5} << 30;
        set_swept(of_a_case.row, {{"train.seed", "1"}, {"case", "without coverage"}});
        write_run_status(run, of_a_case);
        QCOMPARE(read_run_status(run)->row.case_label, std::string("without coverage"));
        QCOMPARE(read_run_status(run)->row.peak_memory, std::int64_t{5} << 30);
        write_run_status(run, status);

        auto text = bytes_of(run.run_json());
        put(run.run_json(), text.substr(0, text.size() / 2));
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "run.json: it cannot be parsed");
        put(run.run_json(), QString::fromStdString(text).replace("finished_early", "done").toStdString());
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "\"done\" is not a state");
        put(run.run_json(), QString::fromStdString(text)
                                .replace("\"format_version\": 1", "\"format_version\": 2")
                                .toStdString());
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "A newer CASP Studio");
        put(run.run_json(), QString::fromStdString(text).replace("12345678901", "1.5").toStdString());
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "1.5 is not a whole number");
    }

    /// The order of a sweep is in its files, so that a copy keeps it.
    void run_json_keeps_the_time_of_creation() {
        Folder folder;
        const RunFolder first(folder / "10"), second(folder / "2");
        for (const auto& run : {first, second}) {
            run.create();
            write_run_status(run, {});
        }
        const auto created = read_run_status(first)->created;
        QVERIFY2(created.size() == 27 && created < read_run_status(second)->created, created.c_str());
        write_run_status(first, {});
        QCOMPARE(read_run_status(first)->created, created);
        write_run_status(first, {{}, {}, {}, "2026-01-31T12:00:00Z"});
        QCOMPARE(read_run_status(first)->created, std::string("2026-01-31T12:00:00Z"));
        // A damaged file does not prevent a new one; an older one has no such time.
        put(first.run_json(), "{");
        write_run_status(first, {});
        QVERIFY(read_run_status(first)->created > created);
        auto text = QString::fromStdString(bytes_of(first.run_json()));
        put(first.run_json(), text.remove(QRegularExpression(" *\"created\": [^\n]*\n")).toStdString());
        const auto older = read_run_status(first);
        QVERIFY(!older->updated.empty());
        QCOMPARE(older->created, older->updated);
    }

    void staged_files_take_their_place_together() {
        Folder folder;
        const RunFolder run(folder / "evaluation");
        run.create();
        const auto fill = [](const fs::path& place, const std::string& content) {
            for (const char* name : {"config.toml", "arrays.h5", "run.h5", "run.json"})
                put(place / name, content);
        };
        const auto holds = [&](const std::string& content) {
            for (const auto& file : {run.config(), run.arrays_file(), run.run_file(), run.run_json()})
                if (!fs::exists(file) || bytes_of(file) != content) return false;
            return true;
        };
        {
            StagedFiles first(run);  // nothing to be replaced
            fill(first.folder(), "one");
            QVERIFY(!fs::exists(run.run_json()));
            first.commit();
        }
        QVERIFY(holds("one"));
        put(run.path() / "marks.json", "{}");
        {
            StagedFiles dropped(run);
            fill(dropped.folder(), "two");
            QVERIFY(holds("one"));
        }
        QVERIFY(holds("one"));
        QCOMPARE(entries(run.path()), std::size_t{5});
        // One of the renames fails: all of the former files come back.
        for (const char* name : {"run.json", "run.h5", "arrays.h5", "config.toml"}) {
            StagedFiles failing(run);
            fill(failing.folder(), "two");
            fs::create_directories(failing.folder() / "former" / name / "in the way");
            CASP_SAYS(error_of([&] { failing.commit(); }), "cannot be replaced");
            QVERIFY2(holds("one"), name);
        }
        QVERIFY(holds("one"));
        {
            StagedFiles without_arrays(run);
            fill(without_arrays.folder(), "three");
            fs::remove(without_arrays.folder() / "arrays.h5");
            without_arrays.commit();
        }
        QCOMPARE(bytes_of(run.run_json()), std::string("three"));
        QVERIFY(!fs::exists(run.arrays_file()));
        QCOMPARE(entries(run.path()), std::size_t{4});
        // What a kill left is removed by the next one who writes there.
        fs::create_directories(run.path() / ".new.1-1.tmp" / "former");
        { const RunLock lock(run); }
        QVERIFY(!fs::exists(run.path() / ".new.1-1.tmp"));
    }

    void states_have_names() {
        for (const auto* name :
             {"queued", "running", "finished", "finished_early", "cancelled", "interrupted", "failed"}) {
            QVERIFY(run_state_from(name).has_value());
            QCOMPARE(to_string(*run_state_from(name)), std::string_view(name));
        }
        QVERIFY(!run_state_from("Finished"));
        QVERIFY(is_complete(RunState::finished_early) && !is_complete(RunState::interrupted));
    }

    void one_process_at_a_time_writes() {
        Folder folder;
        const RunFolder run(folder.path());
        put(run.path() / ".run.h5.999-1.tmp", "left by a kill");
        QVERIFY(!RunLock::holder(run));
        {
            RunLock lock(run);
            QVERIFY(!fs::exists(run.path() / ".run.h5.999-1.tmp"));
            const auto me = "process " + std::to_string(::getpid());
            CASP_SAYS(RunLock::holder(run).value_or(""), me);
            const auto message = error_of([&] { RunLock second(run); });
            CASP_SAYS(message, "input: ");
            CASP_SAYS(message, "this run is being written by " + me + " on ");
            const int code =
                in_child([&] { return contains(error_of([&] { RunLock second(run); }), me) ? 0 : 1; });
            QCOMPARE(code, 0);
            const RunLock moved = std::move(lock);
            QVERIFY(RunLock::holder(run).has_value());
        }
        QVERIFY(!RunLock::holder(run));
        const RunLock again(run);
    }

    void the_lock_of_a_killed_process_is_free() {
        Folder folder;
        const RunFolder run(folder.path());
        int ready[2];
        QCOMPARE(::pipe(ready), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            try {
                const RunLock lock(run);
                (void)!::write(ready[1], "x", 1);
                ::pause();
            } catch (...) {
            }
            ::_exit(1);
        }
        char byte = 0;
        QCOMPARE(::read(ready[0], &byte, 1), ssize_t{1});
        CASP_SAYS(error_of([&] { RunLock lock(run); }), "process " + std::to_string(child));
        ::kill(child, SIGKILL);
        int status = 0;
        ::waitpid(child, &status, 0);
        QCOMPARE(error_of([&] { RunLock lock(run); }), std::string());
        ::close(ready[0]);
        ::close(ready[1]);
    }

    void checkpoint_is_not_written_without_its_run() {
        Folder folder;
        const RunFolder run(folder / "batch" / "run");
        run.create();
        write_generation(run, 10, "ten");
        fs::rename(folder / "batch", folder / "elsewhere");
        const auto message = error_of([&] { write_generation(run, 20, "twenty"); });
        QVERIFY2(store_test::contains(message, "the folder cannot be created") &&
                     store_test::contains(message, run.path().string()),
                 message.c_str());
        QVERIFY(!fs::exists(folder / "batch"));  // nothing goes on in an empty folder at its place
    }

    void checkpoints_replace_each_other() {
        Folder folder;
        const RunFolder run(folder.path());
        QVERIFY(!current_checkpoint(run));
        write_generation(run, 10, "ten");
        QCOMPARE(current_checkpoint(run)->filename().string(), std::string("gen-10"));
        write_generation(run, 20, "twenty");
        QCOMPARE(current_checkpoint(run)->filename().string(), std::string("gen-20"));
        QVERIFY(!fs::exists(run.last() / "gen-10"));
        write_generation(run, 20, "twenty again");
        const auto current = *current_checkpoint(run);
        QCOMPARE(bytes_of(current / "model.safetensors"), std::string("twenty again"));
        QCOMPARE(entries(run.last()), std::size_t{2});  // current and one generation
        {
            CheckpointWriter given_up(run, 30);
            put(given_up.folder() / "model.safetensors", "half");
        }
        QCOMPARE(entries(run.last()), std::size_t{2});
        QCOMPARE(error_of([&] { verify_generation(current); }), std::string());
        put(current / "model.safetensors", "twenty agaim");
        CASP_SAYS(error_of([&] { verify_generation(current); }), "The checkpoint is damaged");
        CASP_SAYS(error_of([&] { verify_generation(current); }),
                  "expected " + casp::sha256_of("twenty again"));
        fs::remove(current / "model.safetensors");
        CASP_SAYS(error_of([&] { verify_generation(current); }), "is missing");
        fs::remove_all(current);
        CASP_SAYS(error_of([&] { (void)current_checkpoint(run); }), "which does not exist");
        put(run.last() / "current", "../../elsewhere\n");
        CASP_SAYS(error_of([&] { (void)current_checkpoint(run); }), "is not a checkpoint generation");
    }

    void leftovers_of_a_kill_are_removed() {
        Folder folder;
        const RunFolder run(folder.path());
        write_generation(run, 10, "ten");
        fs::create_directories(run.last() / "gen-15");              // renamed, but the pointer not yet
        fs::create_directories(run.last() / ".gen-20.4711-1.tmp");  // being written
        put(run.last() / ".gen-20.4711-1.tmp" / "model.safetensors", "half");
        QCOMPARE(current_checkpoint(run)->filename().string(), std::string("gen-10"));
        clean_checkpoints(run);
        QCOMPARE(entries(run.last()), std::size_t{2});
        fs::create_directories(run.last() / "gen-15");
        write_generation(run, 15, "fifteen");
        QCOMPARE(bytes_of(*current_checkpoint(run) / "model.safetensors"), std::string("fifteen"));
        QCOMPARE(entries(run.last()), std::size_t{2});
    }

    /// A writer killed at any moment leaves a current generation that is whole.
    void checkpoints_survive_kills() {
        Folder folder;
        const RunFolder run(folder.path());
        write_generation(run, 1, std::string(50'000, 'a'));
        std::mt19937 random(3);
        std::int64_t furthest = 1;
        for (int i = 0; i < 15; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                try {
                    for (std::int64_t step = furthest + 1;; ++step)
                        write_generation(run, step,
                                         std::string(50'000 + static_cast<std::size_t>(step), 'b'));
                } catch (...) {
                }
                ::_exit(1);
            }
            ::usleep(2000 + random() % 40'000);
            ::kill(child, SIGKILL);
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY(WIFSIGNALED(status));
            const auto generation = current_checkpoint(run);
            QVERIFY(generation.has_value());
            QCOMPARE(error_of([&] { verify_generation(*generation); }), std::string());
            furthest = std::max<std::int64_t>(
                furthest, QString::fromStdString(generation->filename().string()).mid(4).toLongLong());
            clean_checkpoints(run);
            QCOMPARE(entries(run.last()), std::size_t{2});
        }
        QVERIFY(furthest > 1);
    }

    void the_end_of_a_run_removes_or_keeps_the_model() {
        Folder folder;
        const RunFolder run(folder.path());
        remove_checkpoints(run, true);
        write_generation(run, 7, "seven");
        remove_checkpoints(run, true);
        QCOMPARE(bytes_of(run.last_model()), std::string("seven"));
        QCOMPARE(entries(run.last()), std::size_t{1});
        QVERIFY(!current_checkpoint(run));
        write_generation(run, 8, "eight");
        remove_checkpoints(run, false);
        QVERIFY(!fs::exists(run.last()));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRunFolder)
#include "test_run_folder.moc"
