// Messages of remote folders, whole, in pieces and damaged.
#include <QtTest>

#include "remote/frames.h"
#include "remote/run_files.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using remote::Frame;
using remote::FrameReader;

class TestRemoteFrames : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void round_trip_in_pieces() {
        std::string body("a\0b", 3);
        const auto bytes =
            remote::packed({{{"id", 1}, {"op", "read"}}, body}) + remote::packed({{{"id", 2}}, {}});
        FrameReader reader;
        std::vector<Frame> frames;
        for (const char byte : bytes) {
            reader.add({&byte, 1});
            while (auto frame = reader.next()) frames.push_back(std::move(*frame));
        }
        QCOMPARE(frames.size(), std::size_t{2});
        QCOMPARE(frames[0].header.at("op").get<std::string>(), std::string("read"));
        QCOMPARE(frames[0].body, body);
        QCOMPARE(frames[1].header.at("id").get<int>(), 2);
    }

    void compressed() {
        const Frame frame{{{"push", "runs"}}, std::string(100000, 'x')};
        const auto bytes = remote::packed(frame, true);
        QVERIFY(bytes.size() < 1000);
        FrameReader reader;
        reader.add(bytes);
        QCOMPARE(reader.next().value().body, frame.body);
    }

    void damaged() {
        const auto fails = [](const std::string& bytes) {
            FrameReader reader;
            reader.add(bytes);
            try {
                (void)reader.next();
            } catch (const Error&) {
                return true;
            }
            return false;
        };
        QVERIFY(fails(std::string(12, '\xff')));  // sizes of 4 GB
        auto no_header = remote::packed({{{"id", 1}}, {}});
        no_header[12] = 'x';
        QVERIFY(fails(no_header));
        auto squeezed = remote::packed({{{"id", 1}}, std::string(100000, 'x')}, true);
        squeezed[8] = static_cast<char>(squeezed[8] + 1);  // of the inflated body's size
        QVERIFY(fails(squeezed));
    }

    void names_of_runs() {
        for (const auto* good : {"batch/run", "run", "a b/λ_cov-0.1"})
            QVERIFY2(remote::is_run_name(good), good);
        for (const auto* bad : {"", "/", "a/", "/a", "../a", "a/..", ".hidden/a", "a/.b", "a/b/c", "a/\xff"})
            QVERIFY2(!remote::is_run_name(bad), bad);
        QVERIFY(!remote::is_run_name(std::string_view("a\0b", 3)));
        QVERIFY(remote::is_run_file("run.h5") && !remote::is_run_file("../run.h5") &&
                !remote::is_run_file(".lock"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRemoteFrames)
#include "test_remote_frames.moc"
