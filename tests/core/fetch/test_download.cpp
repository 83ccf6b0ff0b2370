#include <dlfcn.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <cerrno>
#include <chrono>
#include <functional>
#include <thread>
#include <utility>

#include <QtTest>

#include "core/store/store_test.h"
#include "fetch/download.h"
#include "fetch/fetch.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp::fetch;
using namespace store_test;
using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

/// As in slow_server.py.
std::string content(std::size_t size, unsigned salt = 0) {
    std::string data(size, '\0');
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<char>((i % (251 * 64) * 7 + salt) % 251);
    return data;
}

/// Called once, before the next lock is taken.
std::function<void()> before_lock;
int lock_failure = 0;  ///< errno of all locks; 0: they are what they are

}  // namespace

// In front of the C library's.
extern "C" int flock(int descriptor, int operation) noexcept {
    static const auto next = reinterpret_cast<int (*)(int, int)>(::dlsym(RTLD_NEXT, "flock"));
    if (before_lock) std::exchange(before_lock, nullptr)();
    if (lock_failure != 0) {
        errno = lock_failure;
        return -1;
    }
    return next(descriptor, operation);
}

class TestDownload : public QObject {
    Q_OBJECT

    QProcess server_;
    std::string base_;

    [[nodiscard]] DownloadRequest request(const Folder& folder, const std::string& what) const {
        DownloadRequest r;
        r.url = base_ + what;
        r.destination = folder / "file.bin";
        r.first_wait = 10ms;
        r.attempts = 3;
        return r;
    }
    [[nodiscard]] int visits(const std::string& what) const {
        Folder folder;
        auto r = request(folder, "/count" + what);
        (void)download(r);
        return std::stoi(bytes_of(r.destination));
    }
    static fs::path fetched(const casp::data::CatalogEntry& entry, const Folder& folder,
                            std::vector<std::string>& notes) {
        notes.clear();
        return casp::fetch::fetch(entry, folder.path(), {},
                                  [&](const std::string& text) { notes.push_back(text); }, {});
    }
    static std::size_t files(const Folder& folder) {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
    }

private Q_SLOTS:
    void initTestCase() {
        // A proxy of the environment must not stand between this test and its own server.
        qputenv("no_proxy", "127.0.0.1");
        server_.start(python(), {QString(CASP_SOURCE_DIR) + "/tests/core/fetch/slow_server.py"});
        if (!server_.waitForStarted(10000)) QSKIP("no python3 for the local server");
        QVERIFY(server_.waitForReadyRead(20000));
        base_ = "http://127.0.0.1:" + server_.readLine().trimmed().toStdString();
    }
    void cleanupTestCase() {
        server_.closeWriteChannel();
        if (server_.state() != QProcess::NotRunning && !server_.waitForFinished(3000)) server_.kill();
    }

    void a_whole_file() {
        Folder folder;
        auto r = request(folder, "/good/1000000");
        r.destination = folder.path() / "new" / "folder" / "file.bin";
        r.sha256 = casp::sha256_of(content(1'000'000));
        r.size = 1'000'000;
        casp::Progress last;
        const auto result = download(r, [&](const casp::Progress& p) {
            if (p.stage.kind == Stage::downloading) last = p;
        });
        QCOMPARE(bytes_of(r.destination), content(1'000'000));
        QCOMPARE(result.bytes, std::int64_t{1'000'000});
        QCOMPARE(result.sha256, r.sha256);
        QCOMPARE(result.resumed, std::int64_t{0});
        QCOMPARE(last.done, std::int64_t{1'000'000});
        QCOMPARE(last.total, std::int64_t{1'000'000});
        QVERIFY(!fs::exists(r.destination.string() + ".part"));
    }

    void downloaded_content_is_complete_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QByteArray>("part");  // there before
        QTest::addColumn<bool>("checked");     // by its digest, so that the part is continued
        QTest::addColumn<int>("salt");
        QTest::addColumn<int>("connections");  // 0: of no interest
        const auto row = [](const char* name, const char* path, int connections = 0, bool checked = false,
                            const std::string& part = {}, int salt = 0) {
            QTest::newRow(name) << QString(path) << QByteArray::fromStdString(part) << checked << salt
                                << connections;
        };
        row("an empty file", "/good/0");
        row("cut connections are continued", "/cut/500000/120000", 5, true);
        row("a server without ranges starts again", "/noranges/400000/90000", 3);
        row("another file by now: not half of each", "/changed/200000", 0, false, {}, 2);
        row("a wrong range is not believed", "/wrongstart/200000/50000");
        row("a complete part needs no body", "/good/70000", 1, true, content(70'000));
        row("a part of unknown origin is not used", "/good/70000", 0, false, "something else");
        row("a damaged part is fetched again once", "/good/70001", 0, true, std::string(30'000, 'x'));
        row("an error for now", "/trouble/9000/2");
        row("a redirection", "/redirect/4000");
    }
    void downloaded_content_is_complete() {
        QFETCH(QString, path);
        QFETCH(QByteArray, part);
        QFETCH(bool, checked);
        QFETCH(int, salt);
        QFETCH(int, connections);
        Folder folder;
        auto r = request(folder, path.toStdString());
        const auto expected = content(path.section('/', 2, 2).toUInt(), static_cast<unsigned>(salt));
        if (checked) r.sha256 = casp::sha256_of(expected);
        r.resume = checked;
        if (!part.isEmpty()) put(r.destination.string() + ".part", part.toStdString());
        const auto result = download(r);
        QCOMPARE(bytes_of(r.destination), expected);
        QCOMPARE(result.bytes, std::ssize(expected));
        if (connections > 0) QCOMPARE(result.connections, connections);
    }

    void a_stalled_connection_is_dropped_and_continued() {
        Folder folder;
        auto r = request(folder, "/hang/300000/100000");
        r.stall = 1s;
        QElapsedTimer clock;
        clock.start();
        const auto result = download(r);
        QCOMPARE(bytes_of(r.destination), content(300'000));
        QCOMPARE(result.connections, 2);
        QVERIFY2(clock.elapsed() < 15000, std::to_string(clock.elapsed()).c_str());
    }

    void cancel_then_resume() {
        Folder folder;
        auto r = request(folder, "/slow/400000");
        r.sha256 = casp::sha256_of(content(400'000));
        r.resume = true;
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::thread stopper;
        const auto message = error_of([&] {
            (void)download(
                r,
                [&](const casp::Progress& p) {
                    if (p.done > 100'000 && !stopper.joinable())
                        stopper = std::thread([&] {
                            std::this_thread::sleep_for(30ms);
                            asked = std::chrono::steady_clock::now();
                            stop.request_stop();
                        });
                },
                stop.get_token());
        });
        const auto took = std::chrono::steady_clock::now() - asked;
        stopper.join();
        CASP_SAYS(message, "interrupted: ");
        QVERIFY(took < 3s);
        QVERIFY(!fs::exists(r.destination));
        const auto there = fs::file_size(r.destination.string() + ".part");
        QVERIFY(there > 100'000 && there < 400'000);
        const auto result = download(r);
        QCOMPARE(result.resumed, static_cast<std::int64_t>(there));
        QCOMPARE(bytes_of(r.destination), content(400'000));
    }

    void cancel_while_the_server_is_silent() {
        Folder folder;
        const auto r = request(folder, "/hang/300001/10");
        std::stop_source stop;
        std::chrono::steady_clock::time_point asked;
        std::thread stopper([&] {
            std::this_thread::sleep_for(400ms);
            asked = std::chrono::steady_clock::now();
            stop.request_stop();
        });
        CASP_SAYS(error_of([&] { (void)download(r, {}, stop.get_token()); }), "interrupted: ");
        QVERIFY(std::chrono::steady_clock::now() - asked < 3s);
        stopper.join();
    }

    void an_entry_of_the_catalogue() {
        Folder folder;
        casp::data::CatalogEntry entry;
        entry.name = "wares";
        entry.title = "Wares";
        entry.file = "wares/file.bin";
        entry.home = "https://example.org";
        entry.licence = "MIT";
        std::vector<std::string> notes;
        const auto fetch = [&] { return fetched(entry, folder, notes); };
        CASP_SAYS(error_of([&] { (void)fetch(); }), "Download it manually from https://example.org");
        // The second address gives what the first has not; what belongs to it is there and left alone.
        entry.address = {base_ + "/nothing/wares", base_ + "/good/5000"};
        entry.sha256 = casp::sha256_of(content(5000));
        entry.with = "gpt2-words";
        const auto words = folder.path() / casp::data::catalog_entry("gpt2-words").file;
        fs::create_directories(words.parent_path());
        std::ofstream(words) << "{}";
        const auto file = fetch();
        QCOMPARE(file.string(), (folder.path() / "wares" / "file.bin").string());
        QCOMPARE(bytes_of(file), content(5000));
        QCOMPARE(bytes_of(words), std::string("{}"));
        QVERIFY(notes.size() >= 3 && notes.front().find("licence: MIT") != std::string::npos);
        // Somebody corrected it by hand: it is theirs.
        put(file, "my own numbers");
        const auto refused = error_of([&] { (void)fetch(); });
        CASP_SAYS(refused, "input: " + file.string() + ": this is another file: its SHA-256 is ");
        CASP_SAYS(refused, "rename or remove it");
        QCOMPARE(bytes_of(file), std::string("my own numbers"));
        fs::remove(file);
        fs::create_symlink(folder.path() / "elsewhere", file);
        CASP_SAYS(error_of([&] { (void)fetch(); }), "this is not a file");
        fs::remove(file);
        // Wrong bytes at every address: the last one's error, and no file.
        entry.sha256 = std::string(64, '0');
        CASP_SAYS(error_of([&] { (void)fetch(); }), "the file's SHA-256");
        QVERIFY(!fs::exists(file));
    }

    void an_entry_without_digest_is_judged_by_its_size() {
        Folder folder;
        casp::data::CatalogEntry entry;
        entry.name = "Wares";
        entry.kind = "csv";
        entry.file = "wares.csv";
        entry.rows = 3;
        entry.channels = 2;
        entry.address = {base_ + "/good/5000"};  // no table at all, as the page of a portal
        std::vector<std::string> notes;
        const auto fetch = [&] { return fetched(entry, folder, notes); };
        QVERIFY(!error_of([&] { (void)fetch(); }).empty());
        QVERIFY(!fs::exists(folder.path() / "wares.csv"));
        QVERIFY(!fs::exists(folder.path() / "wares.csv.part"));
        // Another one that is there is neither used nor replaced.
        std::ofstream(folder.path() / "wares.csv") << "date,a,b\n2020-01-01,1,2\n2020-01-02,3,4\n";
        const auto refused = error_of([&] { (void)fetch(); });
        CASP_SAYS(refused, "wares.csv: this is not Wares");
        CASP_SAYS(refused, "rename or remove it");
        QVERIFY(notes.empty());
        QVERIFY(fs::exists(folder.path() / "wares.csv"));
        std::ofstream(folder.path() / "wares.csv", std::ios::app) << "2020-01-03,5,6\n";
        QCOMPARE(fetch().string(), (folder.path() / "wares.csv").string());
        QVERIFY(notes.back().find("already present") != std::string::npos);
    }

    /// GPT-2 is known tensor by tensor: other weights never come by its name, and those of the user stay.
    void weights_that_are_not_gpt2() {
        Folder folder;
        auto entry = casp::data::catalog_entry("gpt2");
        entry.with.clear();
        entry.sha256.clear();
        entry.bytes = 0;
        entry.address = {base_ + "/weights"};
        std::vector<std::string> notes;
        const auto fetch = [&] { return fetched(entry, folder, notes); };
        CASP_SAYS(error_of([&] { (void)fetch(); }), "not those of OpenAI GPT-2 small");
        const auto place = folder.path() / entry.file;
        QVERIFY(!fs::exists(place));
        DownloadRequest own;
        own.url = base_ + "/weights";
        own.destination = place;
        (void)download(own);
        QCOMPARE(fetch().string(), place.string());
        QVERIFY(notes.front().find("unknown checkpoint") != std::string::npos);
        QVERIFY(notes.back().find("already present") != std::string::npos);
    }

    void a_refused_download_leaves_no_folder() {
        Folder folder;
        auto r = request(folder, "/status/410");
        r.destination = folder.path() / "new" / "folder" / "file.bin";
        CASP_SAYS(error_of([&] { (void)download(r); }), "HTTP 410");
        QVERIFY(!fs::exists(folder.path() / "new"));
        // What was there before remains.
        fs::create_directories(folder.path() / "old");
        r.destination = folder.path() / "old" / "folder" / "file.bin";
        CASP_SAYS(error_of([&] { (void)download(r); }), "HTTP 410");
        QVERIFY(fs::is_empty(folder.path() / "old"));
    }

    void wrong_bytes_are_refused() {
        Folder folder;
        auto r = request(folder, "/good/5000");
        r.sha256 = std::string(64, '0');
        const auto message = error_of([&] { (void)download(r); });
        CASP_SAYS(message, "input: ");
        CASP_SAYS(message,
                  "the file's SHA-256 is " + casp::sha256_of(content(5000)) + "; expected " + r.sha256);
        QCOMPARE(files(folder), std::size_t{0});
        // What stood there before stays.
        put(r.destination, "old");
        CASP_SAYS(error_of([&] { (void)download(r); }), "SHA-256");
        QCOMPARE(bytes_of(r.destination), std::string("old"));
    }

    void wrong_sizes_are_refused() {
        Folder folder;
        auto r = request(folder, "/good/5001");
        r.size = 5000;
        CASP_SAYS(error_of([&] { (void)download(r); }), "more than the expected size; expected 5000 bytes");
        QCOMPARE(files(folder), std::size_t{0});
        r = request(folder, "/short/5000");
        r.size = 5000;
        CASP_SAYS(error_of([&] { (void)download(r); }), "expected 5000 bytes");
        QVERIFY(!fs::exists(r.destination));
    }

    void http_errors_are_reported() {
        Folder folder;
        CASP_SAYS(error_of([&] { (void)download(request(folder, "/status/404")); }),
                  "input: " + base_ + "/status/404: the server does not have this file (HTTP 404)");
        QCOMPARE(visits("/status/404"), 1);  // no second attempt
        CASP_SAYS(error_of([&] { (void)download(request(folder, "/status/403")); }),
                  "the server refused the request (HTTP 403)");
        CASP_SAYS(error_of([&] { (void)download(request(folder, "/status/500")); }),
                  "run: " + base_ + "/status/500: the server reported an error (HTTP 500)");
        QCOMPARE(visits("/status/500"), 3);
    }

    void invalid_redirections_are_refused() {
        Folder folder;
        CASP_SAYS(error_of([&] { (void)download(request(folder, "/loop")); }), "input: ");
        CASP_SAYS(error_of([&] { (void)download(request(folder, "/tofile")); }), "input: ");
        QCOMPARE(files(folder), std::size_t{0});
    }

    void other_addresses_are_refused() {
        Folder folder;
        auto r = request(folder, "");
        for (const char* url : {"file:///etc/hostname", "ftp://x/y", "x", "", "http://"}) {
            r.url = url;
            CASP_SAYS(error_of([&] { (void)download(r); }), "cannot be fetched");
        }
        QVERIFY(!fs::exists(r.destination));
    }

    void no_network() {
        Folder folder;
        auto r = request(folder, "");
        r.url = "http://127.0.0.1:1/file";  // nobody listens
        const auto message = error_of([&] { (void)download(r); });
        CASP_SAYS(message, "run: ");
        CASP_SAYS(message, "the connection failed");
        CASP_SAYS(message, "network connection");
    }

    void a_full_disk() {
        Folder folder;
        const auto r = request(folder, "/good/600000");
        const pid_t child = ::fork();
        if (child == 0) {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{100'000, 100'000};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const auto message = error_of([&] { (void)download(r); });
            ::_exit(contains(message, "run: ") && contains(message, "file.bin.part: cannot be written") ? 0
                                                                                                        : 1);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        QVERIFY(!fs::exists(r.destination));
        (void)download(r);  // room again: goes on
        QCOMPARE(bytes_of(r.destination), content(600'000));
    }

    void two_downloads_of_one_file() {
        Folder folder;
        auto r = request(folder, "/slow/300000");
        std::string second;
        bool tried = false;
        (void)download(r, [&](const casp::Progress&) {
            if (!tried) second = error_of([&] { (void)download(r); });
            tried = true;
        });
        CASP_SAYS(second, "another process is downloading this file");
        QCOMPARE(bytes_of(r.destination), content(300'000));
    }

    /// The other process renames its part after this one opened it and before it locks it.
    void another_download_ends_in_between() {
        Folder folder;
        auto r = request(folder, "/good/70000");
        const fs::path part = r.destination.string() + ".part";
        put(part, content(50'000));
        bool ended = false;
        before_lock = [&] {
            fs::rename(part, r.destination);
            fs::create_hard_link(r.destination, folder / "their inode");
            ended = true;
        };
        CASP_SAYS(error_of([&] { (void)download(r); }), "another process is downloading this file");
        QVERIFY(ended);
        QCOMPARE(bytes_of(folder / "their inode"), content(50'000));
    }

    void a_file_system_without_locks() {
        Folder folder;
        lock_failure = ENOLCK;
        const auto message = error_of([&] { (void)download(request(folder, "/good/70000")); });
        lock_failure = 0;
        CASP_SAYS(message, "run: ");
        CASP_SAYS(message, "file.bin.part: cannot be locked: ");
        QVERIFY(!contains(message, "another process"));
    }

    void a_part_that_is_a_link_is_refused() {
        Folder folder;
        auto r = request(folder, "/good/70000");
        put(folder / "precious", "keep me");
        fs::create_symlink(folder / "precious", r.destination.string() + ".part");
        CASP_SAYS(error_of([&] { (void)download(r); }), ".part: this is a link");
        QCOMPARE(bytes_of(folder / "precious"), std::string("keep me"));
    }

    void several_at_once() {
        Folder folder;
        std::vector<std::thread> threads;
        std::array<std::string, 4> problems;
        for (std::size_t i = 0; i < problems.size(); ++i)
            threads.emplace_back([&, i] {
                auto r = request(folder, "/cut/100000/30000");
                r.destination = folder / std::to_string(i);
                r.sha256 = casp::sha256_of(content(100'000));
                problems[i] = error_of([&] { (void)download(r); });
            });
        for (auto& thread : threads) thread.join();
        for (const auto& problem : problems) QCOMPARE(problem, std::string());
    }
};

TEST_MAIN_WITHOUT_GUI(TestDownload)
#include "test_download.moc"
