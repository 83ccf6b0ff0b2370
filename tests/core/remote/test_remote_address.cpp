// Addresses of remote folders, and the ssh command that they become.
#include <QtTest>

#include "remote/address.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using remote::Address;

class TestRemoteAddress : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parts() {
        const auto address = Address::parse("ssh://ada@login1.example.org:2222/scratch/my%20runs");
        QCOMPARE(address.user, std::string("ada"));
        QCOMPARE(address.host, std::string("login1.example.org"));
        QCOMPARE(address.port, 2222);
        QCOMPARE(address.folder, std::string("/scratch/my runs"));
        QCOMPARE(address.program, std::string("caspstudio"));
        QCOMPARE(address.machine(), std::string("ada@login1.example.org:2222"));
        QCOMPARE(Address::parse("ssh://host/~/runs/").folder, std::string("~/runs"));
        QCOMPARE(Address::parse("ssh://[::1]:22/runs").host, std::string("::1"));
        QCOMPARE(Address::parse("ssh://host/runs?program=~/bin/caspstudio").program,
                 std::string("~/bin/caspstudio"));
    }

    void round_trip_data() {
        QTest::addColumn<QString>("text");
        for (const auto* text :
             {"ssh://host/runs", "ssh://ada@host:22/a/b%27c", "ssh://host/~/runs", "ssh://host/~",
              "ssh://[fe80::1]/runs", "ssh://host/runs?program=/opt/casp%20studio/caspstudio"})
            QTest::newRow(text) << text;
    }

    void round_trip() {
        QFETCH(const QString, text);
        QCOMPARE(QString::fromStdString(Address::parse(text.toStdString()).text()), text);
    }

    void refused_data() {
        QTest::addColumn<QString>("text");
        // Host and user would be options of ssh, or words of a shell.
        for (const auto* text :
             {"ssh://", "ssh://host", "ssh:///runs", "ssh://-oProxyCommand=x/runs", "ssh://-l@host/runs",
              "ssh://../runs", "ssh://a b/runs", "ssh://a;b/runs", "ssh://host:0/runs",
              "ssh://host:65536/runs", "ssh://host:/runs", "ssh://host/a%0/b", "ssh://host/a%00",
              "ssh://[::1/runs", "ssh://host/runs?port=1", "host:/runs"})
            QTest::newRow(text) << text;
    }

    void refused() {
        QFETCH(const QString, text);
        try {
            (void)Address::parse(text.toStdString());
        } catch (const Error& problem) {
            QCOMPARE(problem.kind(), ErrorKind::input);
            return;
        }
        QFAIL("this is no address");
    }

    void command() {
        qputenv("CASPSTUDIO_SSH", "ssh -F /tmp/config");
        const auto words =
            remote::ssh_command(Address::parse("ssh://ada@host:2222/~/it's?program=~/bin/casp studio"));
        qunsetenv("CASPSTUDIO_SSH");
        QCOMPARE(words.at(0), std::string("ssh"));
        QCOMPARE(words.at(2), std::string("/tmp/config"));
        const std::vector<std::string> end(words.end() - 7, words.end());
        const std::vector<std::string> expected{
            "-p", "2222", "-l", "ada", "--", "host", "~/'bin/casp studio' --serve '~/it'\\''s'"};
        QCOMPARE(end, expected);
    }

    void folder_in_the_cache() {
        qputenv("XDG_CACHE_HOME", "/cache");
        const auto one = remote::mirror_folder(Address::parse("ssh://host/data/runs"));
        const auto other = remote::mirror_folder(Address::parse("ssh://host/work/runs"));
        QVERIFY(one != other);
        QVERIFY(one.string().starts_with("/cache/caspstudio/remote/host/runs-"));
    }
};

TEST_MAIN_WITHOUT_GUI(TestRemoteAddress)
#include "test_remote_address.moc"
