// Archives of unknown origin: what they may write, and where.
#include <clocale>
#include <cstdio>
#include <cstdlib>

#include <QtTest>

#include "store/run_archive.h"
#include "store_test.h"
#include "test_program.h"

using namespace casp;
using namespace store_test;
namespace fs = std::filesystem;

namespace {

/// An entry of a tar file.
struct Entry {
    std::string name, content;
    char type = '0';  ///< '1': hard link, '2': symbolic link, '5': folder, '6': pipe
    std::string target = {};
};

/// A tar file (ustar) with these entries.
std::string tar_of(const std::vector<Entry>& entries) {
    std::string bytes;
    for (const auto& entry : entries) {
        std::string header(512, '\0');
        const auto field = [&](std::size_t at, const std::string& text) {
            header.replace(at, text.size(), text);
        };
        const auto octal = [](std::size_t number, int digits) {
            char text[16];
            std::snprintf(text, sizeof text, "%0*zo", digits, number);
            return std::string(text);
        };
        field(0, entry.name);
        field(100, "0000644");
        field(108, "0000000");
        field(116, "0000000");
        field(124, octal(entry.content.size(), 11));
        field(136, "00000000000");
        field(148, "        ");
        field(156, std::string(1, entry.type));
        field(157, entry.target);
        field(257, std::string("ustar\0", 6) + "00");
        std::size_t sum = 0;
        for (const char c : header) sum += static_cast<unsigned char>(c);
        field(148, octal(sum, 6) + std::string("\0 ", 2));
        bytes += header + entry.content;
        bytes.resize((bytes.size() + 511) / 512 * 512, '\0');
    }
    return bytes + std::string(1024, '\0');
}

}  // namespace

class TestUnpackedArchive : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        place_ = std::make_unique<Folder>();
        fs::create_directories(*place_ / "tmp");
        qputenv("TMPDIR", QByteArray::fromStdString((*place_ / "tmp").string()));
    }
    /// Whatever happened, nothing is left, and nothing was written elsewhere.
    void cleanup() {
        QVERIFY(fs::is_empty(*place_ / "tmp"));
        QVERIFY(!fs::exists(*place_ / "evil") && !fs::exists("/tmp/casp-evil"));
    }

    /// Packed and unpacked in the locale of a program without setlocale(), or with LC_ALL=C, and in UTF-8.
    void names_in_any_locale() {
        const std::vector<std::string> names = {
            "λ_cov = 0", "中文 实验",  "🙂 run",    "größe" + std::string(180, 'n'),
            "plain",     "cafe\u0301", "Latin-1 \xe9"};
        const auto batch = *place_ / "Versuch λ";
        for (const auto& name : names) {
            fs::create_directories(batch / name);
            put(batch / name / "run.json", name);
            put(batch / name / "注.txt", "note");
        }
        const std::string before = std::setlocale(LC_CTYPE, nullptr);
        std::vector<std::string> errors, archives;
        std::vector<std::vector<std::string>> unpacked;
        for (const char* locale : {"C", "C.UTF-8"}) {
            if (std::setlocale(LC_CTYPE, locale) == nullptr) QSKIP("there is no such locale here");
            auto& found = unpacked.emplace_back();
            errors.push_back(error_of([&] {
                (void)store::write_archive(batch, *place_ / "Ω.tar.gz");
                const store::UnpackedArchive archive(*place_ / "Ω.tar.gz");
                QCOMPARE(fs::status(archive.folder()).permissions(), fs::perms::owner_all);
                for (const auto& name : names)
                    if (bytes_of(archive.folder() / "Versuch λ" / name / "run.json") == name &&
                        bytes_of(archive.folder() / "Versuch λ" / name / "注.txt") == "note")
                        found.push_back(name);
            }));
            archives.push_back(bytes_of(*place_ / "Ω.tar.gz"));
        }
        std::setlocale(LC_CTYPE, before.c_str());
        QCOMPARE(errors, (std::vector<std::string>{"", ""}));
        QVERIFY(unpacked[0] == names && unpacked[1] == names);
        QVERIFY(archives[0] == archives[1]);
        QProcess tar;
        tar.start("tar", {"tzf", QString::fromStdString((*place_ / "Ω.tar.gz").string()),
                          "--quoting-style=literal"});
        QVERIFY(tar.waitForFinished());
        const auto listing = tar.readAllStandardOutput();
        for (const auto& name : names)
            QVERIFY2(listing.contains(QByteArray::fromStdString("Versuch λ/" + name + "/run.json\n")),
                     name.c_str());
    }

    void harmless_forms() {
        put(*place_ / "a.tar",
            tar_of({{"./a//b/", "", '5'}, {"./a//b/c.txt", "text"}, {"d", std::string(2000, 'd')}}));
        const store::UnpackedArchive archive(*place_ / "a.tar");
        QCOMPARE(bytes_of(archive.folder() / "a" / "b" / "c.txt"), std::string("text"));
        QCOMPARE(bytes_of(archive.folder() / "d").size(), std::size_t{2000});
    }

    void rejected_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("message");
        const auto row = [](const char* name, const std::vector<Entry>& entries, const char* message) {
            QTest::newRow(name) << QByteArray::fromStdString(tar_of(entries)) << QByteArray(message);
        };
        row("above", {{"../evil", "x"}}, "\"../evil\": its path has \"..\"");
        row("above inside", {{"a/../../evil", "x"}}, "its path has \"..\"");
        row("absolute", {{"/tmp/casp-evil", "x"}}, "\"/tmp/casp-evil\": its path is absolute");
        row("symbolic link", {{"a", "", '2', ".."}, {"a/evil", "x"}}, "\"a\": it is a link");
        row("hard link", {{"a", "", '1', "/etc/passwd"}}, "\"a\": it is a link");
        row("pipe", {{"a", "", '6'}}, "\"a\": it is neither a file nor a folder");
        row("twice", {{"a", "x"}, {"./a", "y"}}, "\"./a\": another file has its path");
        row("below a file", {{"a", "x"}, {"a/b", "y"}}, "\"a/b\": another file has its path");
        QTest::newRow("text") << QByteArray("run,mse\n") << QByteArray("damaged or not one");
        auto cut = tar_of({{"a", std::string(5000, 'a')}});
        cut.resize(3000);
        QTest::newRow("cut off") << QByteArray::fromStdString(cut) << QByteArray("damaged or not one");
        auto header = tar_of({{"a", "x"}});
        header[124] = '7';
        QTest::newRow("header") << QByteArray::fromStdString(header) << QByteArray("damaged or not one");
    }
    void rejected() {
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, message);
        put(*place_ / "a.tar", bytes.toStdString());
        const auto error = error_of([&] { const store::UnpackedArchive archive(*place_ / "a.tar"); });
        QVERIFY2(error.starts_with("input: ") && contains(error, "a.tar") &&
                     contains(error, message.toStdString()),
                 error.c_str());
    }

    void damaged_compression() {
        const auto run = *place_ / "run";
        fs::create_directories(run);
        put(run / "run.json", "{}");
        std::string noise(100'000, ' ');
        std::mt19937 random(1);
        for (auto& c : noise) c = static_cast<char>(random());
        put(run / "run.h5", noise);
        store::write_archive(run, *place_ / "run.tar.gz");
        const auto whole = bytes_of(*place_ / "run.tar.gz");
        for (const std::size_t size :
             {std::size_t{0}, std::size_t{5}, whole.size() / 2, whole.size() * 9 / 10}) {
            put(*place_ / "run.tar.gz", whole.substr(0, size));
            const auto error = error_of([&] { const store::UnpackedArchive a(*place_ / "run.tar.gz"); });
            QVERIFY2(contains(error, "damaged or not one"), (std::to_string(size) + error).c_str());
        }
        QVERIFY(
            contains(error_of([&] { const store::UnpackedArchive a(*place_ / "none.tar.gz"); }), "input: "));
    }

    void cancelled() {
        put(*place_ / "a.tar", tar_of({{"a", "x"}}));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(contains(
            error_of([&] { const store::UnpackedArchive a(*place_ / "a.tar", {}, stop.get_token()); }),
            "interrupted: "));
    }

    void no_room() {
        put(*place_ / "a.tar", tar_of({{"a", "x"}}));
        qputenv("TMPDIR", QByteArray::fromStdString((*place_ / "nowhere").string()));
        const auto error = error_of([&] { const store::UnpackedArchive a(*place_ / "a.tar"); });
        QVERIFY2(contains(error, "run: TMPDIR: no temporary folder can be made"), error.c_str());
    }

private:
    std::unique_ptr<Folder> place_;
};

TEST_MAIN_WITHOUT_GUI(TestUnpackedArchive)
#include "test_unpacked_archive.moc"
