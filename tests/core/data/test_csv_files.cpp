// Files that are no CSV, files that cannot be read, progress and cancel.

#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "core/data/helpers.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;
namespace fs = std::filesystem;

class TestCsvFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string write(const char* name, const std::string& bytes) const {
        const std::string path = folder_.filePath(name).toStdString();
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    static std::string refused(const std::string& path, const CsvOptions& options = {}) {
        return input_message([&] { (void)import_csv(path, options); });
    }
    static std::string refused_text(const std::string& text, const CsvOptions& options = {}) {
        return input_message([&] { (void)read(text, options); });
    }

    /// Several blocks of what is read at once: 16 bytes a row.
    static const std::string& big() {
        static const std::string text = [] {
            std::string rows = "a,b\n";
            while (rows.size() < (6u << 20u)) rows += "123.456,789.125\n";
            return rows;
        }();
        return text;
    }

private Q_SLOTS:
    void not_readable() {
        VERIFY_MESSAGE(refused(folder_.filePath("absent.csv").toStdString()), "no such file");
        VERIFY_MESSAGE(refused(folder_.path().toStdString()), "a folder");
        VERIFY_MESSAGE(refused("/dev/null"), "a device");
        const std::string pipe = folder_.filePath("pipe.csv").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        VERIFY_MESSAGE(refused(pipe), "a pipe");
    }

    void no_permission() {
        if (::geteuid() == 0) QSKIP("root may read everything");
        const std::string path = write("closed.csv", "a,b\n1,2\n");
        QCOMPARE(::chmod(path.c_str(), 0), 0);
        VERIFY_MESSAGE(refused(path), "no permission");
    }

    void files_without_content_are_refused() {
        VERIFY_MESSAGE(refused(write("empty.csv", "")), "empty");
        VERIFY_MESSAGE(refused_text(""), "empty");
        VERIFY_MESSAGE(refused_text("\xEF\xBB\xBF"), "empty");
        VERIFY_MESSAGE(refused_text("\n\n\r\n"), "only empty lines");
        VERIFY_MESSAGE(refused_text("date,a,b\n"), "a header and no rows");
        VERIFY_MESSAGE(refused_text("date,a,b"), "a header and no rows");
        VERIFY_MESSAGE(refused_text("date,a\n2020-01-01,x\n2020-01-02,y\n"), "no column holds numbers;");
    }

    void no_csv() {
        using namespace std::string_literals;
        VERIFY_MESSAGE(refused_text("a,b\n1,2\n3,\0004\n"s), "zero byte at offset 10");
        VERIFY_MESSAGE(refused_text("\x1F\x8B\x08 gz"s), "compressed file");
        VERIFY_MESSAGE(refused_text("%PDF-1.4 ..."s), "PDF");
        VERIFY_MESSAGE(refused_text("  <!DOCTYPE html><html>"s), "web page");
        VERIFY_MESSAGE(refused_text("a,b\n1,2\n3,\"4\n5,6\n"), "test.csv, line 3: a quoted cell begins here");
        VERIFY_MESSAGE(refused_text("a,b\n\"1\n\n1\",2\n3,\"4\n5,6\n"), "line 5");
    }

    void limits() {
        CsvOptions options;
        options.max_line_bytes = 1u << 20u;
        const std::string digits(2u << 20u, '7');
        std::string text = "a,b\n1,2\n";
        text += digits;
        text += ",1\n3,4\n";
        VERIFY_MESSAGE(refused_text(text, options), "line 3: the line is longer than 1 MiB");
        text = "a,b\n1,\"2\"\n";
        text += digits;
        text += ",1\n3,4\n";
        VERIFY_MESSAGE(refused_text(text, options), "line 3: the line is longer than 1 MiB");
        // The limit itself works; one more is refused.
        options = {};
        options.max_columns = 1000;
        std::string header = "c";
        std::string row = "1";
        for (int i = 1; i < 1000; ++i) {
            header += ",c";
            header += std::to_string(i);
            row += ',';
            row += std::to_string(i % 10);
        }
        const Table t = read(header + "\n" + row + "\n" + row + "\n", options);
        QCOMPARE(t.columns.size(), std::size_t(1000));
        QCOMPARE(t.columns[999].values[1], 9.0);
        VERIFY_MESSAGE(refused_text(header + ",more\n" + row + ",1\n", options), "1001 columns; expected");
        // A long header over many short lines would need rows x columns cells.
        std::string thin = header + "\n";
        for (int i = 0; i < 20000; ++i) thin += "1\n";
        VERIFY_MESSAGE(refused_text(thin), "far shorter");
    }

    void bad_options() {
        CsvOptions options;
        options.delimiter = '.';
        VERIFY_MESSAGE(refused_text("a.b\n1.2\n", options), "delimiter");
        options = {};
        options.encoding = "UTF8";
        VERIFY_MESSAGE(refused_text("a,b\n1,2\n", options), "nearest is \"UTF-8\"");
        options = {};
        options.decimal = ';';
        VERIFY_MESSAGE(refused_text("a,b\n1,2\n", options), "decimal");
    }

    void changed_while_read_data() {
        QTest::addColumn<QString>("how");
        QTest::addColumn<QString>("told");
        const QString size = QString::number(big().size());
        const auto row = [](const char* how, const QString& what) { QTest::newRow(how) << how << what; };
        row("grows", "it had " + size + " bytes before and " + QString::number(big().size() + 4) + " now");
        row("shrinks", "it had " + size + " bytes before and 5000000 now");
        row("shrinks when all is read", "it had " + size + " bytes before and 5000000 now");
        row("is emptied", "it had " + size + " bytes before and 0 now");
        row("is written over", "another program wrote to it");
    }

    /// A writer that is at work while the file is read must not give a half-read table.
    void changed_while_read() {
        QFETCH(QString, how);
        QFETCH(QString, told);
        const std::string path = write("changing.csv", big());
        fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(1));
        CsvOptions options;
        options.threads = 1;  // the one that reports reads all
        bool done = false;
        const auto change = [&](const Progress& progress) {
            if (done || progress.unit != "bytes") return;
            if (how.endsWith("read") && progress.done < progress.total) return;
            if (how == "grows")
                std::ofstream(path, std::ios::app) << "1,2\n";
            else if (how == "is written over")
                std::fstream(path, std::ios::in | std::ios::out) << "c,d\n9";
            else
                fs::resize_file(path, how == "is emptied" ? 0 : 5'000'000);
            done = true;
        };
        const std::string message = input_message([&] { (void)import_csv(path, options, change); });
        QVERIFY(done);
        QCOMPARE(message,
                 path + ": the file changed while it was being read: " + told.toStdString() +
                     "; expected a file that no program is writing to. Try again when it is complete.");
    }

    /// As downloads and editors do it: what was opened is read to its end as it was.
    void replaced_while_read() {
        const std::string path = write("replaced.csv", big());
        const std::string other = write("other.csv", "c\n7\n");
        CsvOptions options;
        options.threads = 1;
        bool replaced = false;
        const auto replace = [&](const Progress& progress) {
            if (replaced || progress.unit != "bytes") return;
            fs::rename(other, path);
            replaced = true;
        };
        const Table old = import_csv(path, options, replace);
        QVERIFY(replaced);
        QCOMPARE(names(old), std::string("a|b"));
        QCOMPARE(old.rows(), static_cast<std::int64_t>((big().size() - 4) / 16));
        QCOMPARE(old.columns[1].values.back(), 789.125);
        QCOMPARE(names(import_csv(path)), std::string("c"));
    }

    void progress_and_cancel() {
        const std::string path = write("big.csv", big());
        std::int64_t last = -1;
        std::int64_t calls = 0;
        const auto caller = QThread::currentThreadId();
        bool same_thread = true;
        (void)import_csv(path, {}, [&](const Progress& progress) {
            ++calls;
            same_thread = same_thread && QThread::currentThreadId() == caller;
            last = progress.done;
            QVERIFY(progress.done <= progress.total);
        });
        QVERIFY(calls > 2);
        QVERIFY(same_thread);
        QCOMPARE(last, static_cast<std::int64_t>(big().size()));

        std::stop_source stop;
        calls = 0;
        bool cancelled = false;
        try {
            (void)import_csv(
                path, {},
                [&](const Progress&) {
                    if (++calls == 2) stop.request_stop();
                },
                stop.get_token());
        } catch (const Cancelled&) {
            cancelled = true;
        }
        QVERIFY(cancelled);
    }

    void digests() {
        const std::string path = write("digest.csv", "a,b\n1,2\n3,4\n");
        const Table t = import_csv(path);
        QCOMPARE(t.path.string(), path);
        QCOMPARE(t.sha256, std::string("b9485148546419a0f6a85e8d708c923557c15d7f3c7d078ef1fa7f7c0f57d5a5"));
        CsvOptions options;
        options.digest = false;
        QVERIFY(import_csv(path, options).sha256.empty());
    }
};

TEST_MAIN_WITHOUT_GUI(TestCsvFiles)
#include "test_csv_files.moc"
