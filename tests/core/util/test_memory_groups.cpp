// What control groups leave a process, from files as a kernel shows them.
#include <filesystem>
#include <fstream>
#include <limits>
#include <new>

#include <QTemporaryDir>
#include <QtTest>

#include "test_program.h"
#include "util/memory.h"

using namespace casp;
namespace fs = std::filesystem;

namespace {

constexpr auto unlimited = std::numeric_limits<std::int64_t>::max();

class Groups {
public:
    [[nodiscard]] fs::path mount() const { return folder_.path().toStdString(); }
    void put(const std::string& name, const std::string& text) const {
        const auto path = mount() / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }

private:
    QTemporaryDir folder_;
};

}  // namespace

class TestMemoryGroups : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void missing_limit_means_unlimited() {
        const Groups groups;
        groups.put("user.slice/memory.max", "max\n");
        QCOMPARE(memory_left_by_groups("0::/user.slice\n", groups.mount()), unlimited);
        QCOMPARE(memory_left_by_groups("", groups.mount()), unlimited);
        QCOMPARE(memory_left_by_groups("no such line\n12:cpu\n", groups.mount()), unlimited);
    }

    /// A job's step has no limit of its own, the job has.
    void the_tightest_group_counts() {
        const Groups groups;
        groups.put("memory.max", "90000\n");
        groups.put("job/memory.max", "5000\n");
        groups.put("job/memory.current", "3000\n");
        groups.put("job/memory.stat", "anon 1200\ninactive_file 500\nactive_file 300\nslab 7\n");
        groups.put("job/step/memory.max", "max\n");
        groups.put("job/step/memory.current", "2000\n");
        QCOMPARE(memory_left_by_groups("0::/job/step\n", groups.mount()), std::int64_t{5000 - (3000 - 800)});
        QCOMPARE(memory_left_by_groups("0::/\n", groups.mount()), std::int64_t{90000});
    }

    void a_full_group_leaves_nothing() {
        const Groups groups;
        groups.put("job/memory.max", "5000\n");
        groups.put("job/memory.current", "5200\n");
        QCOMPARE(memory_left_by_groups("0::/job\n", groups.mount()), std::int64_t{0});
    }

    /// Its own group is the root of what a container sees, whatever path the membership names.
    void containers() {
        const Groups groups;
        groups.put("memory.max", "4000\n");
        groups.put("memory.current", "1000\n");
        QCOMPARE(memory_left_by_groups("0::/docker/0123\n", groups.mount()), std::int64_t{3000});
    }

    void the_first_version() {
        const Groups groups;
        groups.put("memory/memory.limit_in_bytes", "9223372036854771712\n");
        groups.put("memory/slurm/job/memory.limit_in_bytes", "6000\n");
        groups.put("memory/slurm/job/memory.usage_in_bytes", "2500\n");
        groups.put("memory/slurm/job/memory.stat",
                   "active_file 9\ntotal_inactive_file 400\ntotal_active_file 100\n");
        QCOMPARE(memory_left_by_groups("11:cpu,cpuacct:/\n4:memory:/slurm/job\n1:name=systemd:/x\n",
                                       groups.mount()),
                 std::int64_t{6000 - 2000});
    }

    void available_memory_is_positive() { QVERIFY(available_memory() > 0); }

    void unavailable_memory_throws_bad_alloc() {
        need_memory(1U << 20U);
        QVERIFY_THROWS_EXCEPTION(std::bad_alloc, need_memory(std::size_t{1} << 62U));
    }
};

TEST_MAIN_WITHOUT_GUI(TestMemoryGroups)
#include "test_memory_groups.moc"
