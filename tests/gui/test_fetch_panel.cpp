// Get data: what its buttons do, against a server of the test's own.

#include <QLabel>
#include <QProcess>
#include <QProgressBar>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>

#include "core/store/store_test.h"
#include "gui/fetch_panel.h"
#include "test_program.h"
#include "util/digest.h"
#include "verify_text.h"

using namespace casp;

namespace {

constexpr int download_patience_ms = 60'000;  // on a busy machine
constexpr std::int64_t slow_bytes = 600'000;  // 4096 of them every 20 ms: three seconds

/// As slow_server.py makes it.
std::string content(std::size_t size) {
    std::string data(size, '\0');
    for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<char>(i % (251 * 64) * 7 % 251);
    return data;
}

}  // namespace

class TestFetchPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        qputenv("no_proxy", "127.0.0.1");  // a proxy of the environment must not stand between
        server_.start(store_test::python(), {QString(CASP_SOURCE_DIR) + "/tests/core/fetch/slow_server.py"});
        if (!server_.waitForStarted(download_patience_ms)) QSKIP("no python3 for the local server");
        QVERIFY(server_.waitForReadyRead(download_patience_ms));
        base_ = "http://127.0.0.1:" + server_.readLine().trimmed().toStdString();
    }

    void cleanupTestCase() {
        server_.closeWriteChannel();
        if (server_.state() != QProcess::NotRunning && !server_.waitForFinished(3000)) server_.kill();
    }

    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        std::vector<data::CatalogEntry> entries(4);
        entries[slow].name = "slow";
        entries[slow].address = {base_ + "/slow/" + std::to_string(slow_bytes)};
        entries[slow].bytes = slow_bytes;
        entries[slow].sha256 = sha256_of(content(slow_bytes));
        entries[missing].name = "missing";
        entries[missing].address = {base_ + "/status/404"};
        entries[here].name = "here";
        entries[here].kind = "csv";
        entries[here].address = {base_ + "/good/100"};
        entries[by_hand].name = "by hand";
        entries[by_hand].home = "https://example.org/by-hand";
        for (auto& entry : entries) {
            entry.title = "Title of " + entry.name;
            entry.file = entry.name + ".bin";
            entry.licence = "MIT";
            if (entry.kind.empty()) entry.kind = "vocabulary";
        }
        store_test::put(path("here.bin").toStdString(), "date,a\n2020-01-01,1\n");
        panel_ = std::make_unique<gui::FetchPanel>(entries, folder_->path().toStdString());
        panel_->resize(400, 600);
        panel_->show();
    }
    void cleanup() { panel_.reset(); }

    void nothing_is_fetched_before_get() {
        QCOMPARE(state(slow), QString("can be downloaded"));
        QCOMPARE(state(here), QString("✓ present"));
        QCOMPARE(state(by_hand), QString("manual"));
        panel_->select("SLOW");
        QVERIFY(button("get")->isEnabled() && !button("cancel")->isEnabled() && !button("open")->isEnabled());
        panel_->select("here");
        QVERIFY(!button("get")->isEnabled() && button("open")->isEnabled());
        panel_->select("by hand");
        QVERIFY(!button("get")->isEnabled() && !button("open")->isEnabled());
        QVERIFY(!progress()->isVisible() && !panel_->is_busy());
        QTest::qWait(100);
        QCOMPARE(QDir(folder_->path()).entryList(QDir::Files), QStringList{"here.bin"});
    }

    void cancelled_download_can_be_continued() {
        QSignalSpy fetched(panel_.get(), &gui::FetchPanel::fetched);
        QStringList said;
        connect(panel_.get(), &gui::FetchPanel::message, this,
                [&](const QString& text, bool is_error) { said << (is_error ? "error: " : "") + text; });
        QList<int> shares;  // in the order in which the bar showed them
        connect(progress(), &QProgressBar::valueChanged, this, [&](int value) {
            if (progress()->maximum() == 1000 && value > 0) shares << value;
        });
        panel_->select("slow");
        press("get");
        QVERIFY(panel_->is_busy() && progress()->isVisible());
        QVERIFY(!button("get")->isEnabled() && button("cancel")->isEnabled());
        panel_->fetch_selected();  // one at a time
        QTRY_VERIFY_WITH_TIMEOUT(!shares.isEmpty() && shares.last() > 100, download_patience_ms);
        VERIFY_HAS(status(), "of 600.0 kB");
        press("cancel");
        QTRY_VERIFY_WITH_TIMEOUT(!panel_->is_busy(), download_patience_ms);
        QVERIFY(!progress()->isVisible());
        VERIFY_HAS(status(), "slow: cancelled; Get resumes");
        QCOMPARE(said.last(), status());
        QVERIFY(fetched.isEmpty());
        QVERIFY(!QFile::exists(path("slow.bin")));
        const auto there = QFileInfo(path("slow.bin.part")).size();
        QVERIFY2(there > slow_bytes / 10 && there < slow_bytes, qPrintable(QString::number(there)));
        QCOMPARE(state(slow), QString("can be downloaded"));

        shares.clear();
        press("get");  // the line is still chosen
        QTRY_VERIFY_WITH_TIMEOUT(!panel_->is_busy(), download_patience_ms);
        // It goes on from there: the bar begins where it was.
        QVERIFY(!shares.isEmpty());
        QVERIFY2(shares.first() >= 1000 * there / slow_bytes, qPrintable(QString::number(shares.first())));
        QCOMPARE(fetched.size(), 1);
        QCOMPARE(fetched[0][0].toString(), QString("slow"));
        QCOMPARE(fetched[0][1].toString(), path("slow.bin"));
        QVERIFY(store_test::bytes_of(path("slow.bin").toStdString()) == content(slow_bytes));
        QVERIFY(!QFile::exists(path("slow.bin.part")));
        QCOMPARE(state(slow), QString("✓ present"));
        QVERIFY(!button("get")->isEnabled() && !button("cancel")->isEnabled());
        VERIFY_HAS(status(), path("slow.bin"));
        for (const auto& text : said) QVERIFY2(!text.startsWith("error"), qPrintable(text));
    }

    void failure_is_reported_and_can_be_retried() {
        QSignalSpy said(panel_.get(), &gui::FetchPanel::message);
        QSignalSpy fetched(panel_.get(), &gui::FetchPanel::fetched);
        panel_->select("missing");
        for (int time = 0; time < 2; ++time) {
            press("get");
            QTRY_VERIFY_WITH_TIMEOUT(!panel_->is_busy(), download_patience_ms);
            VERIFY_HAS(status(), "404");
            QCOMPARE(said.last()[0].toString(), status());
            QVERIFY(said.last()[1].toBool());
            QVERIFY(!progress()->isVisible());
        }
        QVERIFY(fetched.isEmpty());
        QVERIFY(!QFile::exists(path("missing.bin")));
    }

    void downloaded_file_can_be_opened() {
        QSignalSpy opened(panel_.get(), &gui::FetchPanel::open_requested);
        panel_->select("here");
        press("open");
        QCOMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), path("here.bin"));
        // Gone meanwhile: the list says so once it looks again.
        QVERIFY(QFile::remove(path("here.bin")));
        panel_->refresh();
        QCOMPARE(state(here), QString("can be downloaded"));
        QVERIFY(button("get")->isEnabled() && !button("open")->isEnabled());
    }

    void closing_stops_the_download() {
        panel_->select("slow");
        press("get");
        QTRY_VERIFY_WITH_TIMEOUT(progress()->maximum() == 1000 && progress()->value() > 0,
                                 download_patience_ms);
        panel_.reset();
        const auto there = QFileInfo(path("slow.bin.part")).size();
        QVERIFY(there > 0 && there < slow_bytes);
        QTest::qWait(200);
        QCOMPARE(QFileInfo(path("slow.bin.part")).size(), there);
    }

private:
    enum Entry { slow, missing, here, by_hand };
    [[nodiscard]] QPushButton* button(const QString& name) const {
        return panel_->findChild<QPushButton*>("fetch." + name);
    }
    [[nodiscard]] QProgressBar* progress() const { return panel_->findChild<QProgressBar*>(); }
    [[nodiscard]] QString status() const {
        for (const auto* label : panel_->findChildren<QLabel*>())
            if (label->accessibleName() == "State of the download") return label->text();
        return {};
    }
    [[nodiscard]] QString state(Entry entry) const {
        return panel_->findChild<QTableWidget*>("fetch.table")->item(entry, 2)->text();
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_->filePath(name); }
    void press(const QString& name) {
        QVERIFY2(button(name)->isEnabled(), qPrintable(name));
        QTest::mouseClick(button(name), Qt::LeftButton);
    }

    QProcess server_;
    std::string base_;
    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<gui::FetchPanel> panel_;
};

TEST_MAIN(TestFetchPanel)
#include "test_fetch_panel.moc"
