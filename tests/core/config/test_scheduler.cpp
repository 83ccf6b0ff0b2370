// The table [scheduler]: read and checked beside the settings of runs, of which it is none.

#include "config/scheduler.h"
#include "config_test.h"
#include "test_program.h"

using namespace casp::config;

class TestScheduler : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void scheduler_is_not_a_run_setting() {
        const std::string plain = "name = \"a\"\n[data]\npath = \"/d.csv\"\n";
        const std::string table =
            plain +
            "[scheduler]\ntime = \"1-00:00:00\"\nextra = [\"--constraint=a100\", \"-x node7\"]\ncpus = 8\n";
        const auto with = parse(table, {"scheduler.time=90", "scheduler.requeue=false"});
        QVERIFY(with.base == parse(plain).base);
        QVERIFY(expand(with).front().config == expand(parse(plain)).front().config);
        const auto settings = scheduler_settings(with.scheduler);
        QCOMPARE(settings.time, std::string("90"));
        QVERIFY(!settings.requeue);
        QCOMPARE(settings.cpus, std::int64_t{8});
        QVERIFY((settings.extra == std::vector<std::string>{"--constraint=a100", "-x node7"}));
        QCOMPARE(settings.signal_seconds, std::int64_t{120});
        // --print-config, and the copy that workers read.
        QVERIFY(scheduler_settings(parse(to_toml(with)).scheduler) == settings);
        QVERIFY(scheduler_settings(assignments_of(settings)) == settings);
        QVERIFY(!has(to_toml(parse(plain)), "[scheduler]"));
    }

    void errors() {
        VERIFY_HAS(parse_error("[scheduler]\ntme = \"1\"\n"), "exp.toml:2:1: unknown key scheduler.tme");
        VERIFY_HAS(parse_error("[scheduler]\ntme = \"1\"\n"), "Nearest valid key: scheduler.time.");
        VERIFY_HAS(parse_error("", {"scheduler.partitio=a"}), "Nearest valid key: scheduler.partition.");
        VERIFY_HAS(parse_error("[schedular]\n"), "Nearest valid table: [scheduler].");
        VERIFY_HAS(parse_error("[sweep]\nscheduler.time = [\"1\"]\n"), "unknown key scheduler.time");
        VERIFY_HAS(parse_error("", {"scheduler.cpus=\"8\""}), "is a string");
        for (const auto* time : {"3h", "1:2:3:4", "-1", "1-", "1 day"})
            VERIFY_HAS(parse_error("", {std::string("scheduler.time=") + time}), "expected minutes (\"90\")");
        for (const auto* memory : {"16", "16GB", "0G", "", "Auto"})
            VERIFY_HAS(parse_error("", {std::string("scheduler.memory=\"") + memory + "\""}),
                       "expected \"auto\", or an amount such as \"16G\"");
        VERIFY_HAS(parse_error("", {"scheduler.extra=[\"constraint=a\"]"}), "an option of sbatch");
        VERIFY_HAS(parse_error("", {"scheduler.setup=[\"a\\nb\"]"}), "one line of the shell");
        VERIFY_HAS(parse_error("", {"scheduler.account=\"a b\""}), "a name without spaces");
    }

    void every_time_of_slurm() {
        for (const auto* time : {"90", "90:30", "1:30:00", "2-12", "2-12:30", "2-12:30:05"})
            QCOMPARE(scheduler_settings(parse("", {std::string("scheduler.time=") + time}).scheduler).time,
                     std::string(time));
    }
};

TEST_MAIN_WITHOUT_GUI(TestScheduler)
#include "test_scheduler.moc"
