// The page Audit: an import from its form, the report of the shown run, and other runs over the same windows.
#include <cmath>
#include <filesystem>

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "audit/audit.h"
#include "audit/import.h"
#include "batch/foreign_files.h"
#include "config/options.h"
#include "data/csv_import.h"
#include "panel_test.h"
#include "panels/audit/audit_page.h"
#include "panels/compare/compare_panel.h"
#include "state/experiment_model.h"
#include "store/run_folder.h"
#include "test_program.h"
#include "test_runs_memory.h"

using namespace casp;
using namespace casp::widgets;
using casp::widgets::testing::MemoryLibrary;
using casp::widgets::testing::MemoryRun;

namespace {

/// Runs of a folder on disk.
class DiskLibrary : public MemoryLibrary {
public:
    QTemporaryDir place;
    QString folder() const override { return place.filePath(QStringLiteral("runs")); }
    void add_from(const QString& run_folder) {
        const auto status = store::read_run_status(store::RunFolder(run_folder.toStdString()));
        auto run = std::make_shared<MemoryRun>();
        run->its_summary.folder = run_folder;
        run->its_summary.row = status->row;
        run->its_summary.batch = run_folder.section(QLatin1Char('/'), -2, -2);
        run->its_summary.colour = Qt::blue;
        runs.push_back(run);
        Q_EMIT added(size() - 1, size() - 1);
    }
};

struct ShownAudit {
    DiskLibrary library;
    Selection selection;
    ExperimentModel experiment;
    AuditPage page{library, selection, experiment};
    data::Table table;

    ShownAudit() {
        QFile file(path("ETTh9.csv"));
        if (!file.open(QIODevice::WriteOnly) || file.write(test::two_channels()) < 0) qFatal("cannot write");
        file.close();
        table = data::import_csv(path("ETTh9.csv").toStdString());
        // The split of the test data is short: the default look-back does not fit.
        experiment.set(QStringLiteral("data.path"), path("ETTh9.csv").toStdString());
        experiment.set(QStringLiteral("data.lookback"), std::int64_t{24});
        page.resize(900, 700);
        page.show();
    }
    [[nodiscard]] QString path(const char* name) const { return library.place.filePath(QLatin1String(name)); }
    void save(const char* name, std::size_t windows, double factor) {
        test::save_forecasts(path(name).toStdString(), test::windows_of(table, 630, 720, windows, 12),
                             factor);
    }
    /// Imports with the form; the run's folder, or empty.
    QString import(const char* name) {
        QSignalSpy imported(&page.form(), &ImportForm::imported);
        page.form().set_forecasts(path(name));
        page.form().import_button()->click();
        if (!imported.wait(patience)) return {};
        const auto folder = imported.front().front().toString();
        library.add_from(folder);
        return QTest::qWaitFor([this] { return !page.is_pending(); }, patience) ? folder : QString();
    }
};

}  // namespace

class TestAuditPage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void audit_page_without_runs_explains_itself() {
        ShownAudit shown;
        QVERIFY(shown.page.text().contains(QStringLiteral("pred.npy")));
        QVERIFY(!shown.page.form().import_button()->isEnabled());
        QVERIFY(!shown.page.form().import_button()->toolTip().isEmpty());
    }

    void an_import_is_shown() {
        ShownAudit shown;
        shown.save("results_ETTh9_96", 169, 1.1);
        const auto folder = shown.import("results_ETTh9_96");
        QCOMPARE(shown.page.form().problem(), QString());
        QCOMPARE(folder, shown.library.folder() + QStringLiteral("/results_ETTh9_96/single"));
        QCOMPARE(shown.page.form().data(), shown.path("ETTh9.csv"));  // from the name
        QCOMPARE(shown.selection.state().runs, QStringList{folder});
        QVERIFY2(shown.page.text().contains(QStringLiteral("comparable with our runs")),
                 qPrintable(shown.page.text()));
        QCOMPARE(shown.library.at(0).label(),
                 QStringLiteral("ETTh9-12 · results_ETTh9_96 (imported) · seed 2021"));
    }

    /// Stopped when its folder was there already.
    void a_cancelled_import_leaves_nothing() {
        ShownAudit shown;
        shown.save("results_ETTh9_96", 169, 1.1);
        audit::ImportRequest request;
        request.forecasts = shown.path("results_ETTh9_96").toStdString();
        request.config = audit::settings_of_forecasts(shown.path("ETTh9.csv").toStdString(), {});
        request.config.data.lookback = 24;
        request.config.data.horizon = 0;
        const std::filesystem::path runs = shown.library.folder().toStdString();
        request.out = runs;
        std::stop_source stop;
        const auto lock = runs / "results_ETTh9_96/single/.lock";
        const auto cancel = [&](const Progress&) {
            if (std::filesystem::exists(lock)) stop.request_stop();
        };
        QVERIFY_THROWS_EXCEPTION(Cancelled, audit::import_forecasts(request, cancel, stop.get_token()));
        QVERIFY(stop.stop_requested());
        QVERIFY(!std::filesystem::exists(runs));
        QVERIFY(!shown.import("results_ETTh9_96").isEmpty());
    }

    /// The page Compare takes the same windows, and says so.
    void compare_uses_the_same_windows() {
        ShownAudit shown;
        shown.save("all_ETTh9", 169, 1.1);
        shown.save("short_ETTh9", 160, 1.1);
        const auto all = shown.import("all_ETTh9");
        const auto cut = shown.import("short_ETTh9");
        QVERIFY(!all.isEmpty() && !cut.isEmpty());
        std::vector<figures::CompareRun> runs(2);
        for (std::size_t i = 0; i < 2; ++i) {
            runs[i].folder = i == 0 ? all : cut;
            runs[i].row = shown.library.at(static_cast<int>(i)).row;
        }
        QVERIFY(std::abs(runs[0].row.test_mse - runs[1].row.test_mse) > 1e-6);
        CommonErrors common;
        QSignalSpy changed(&common, &CommonErrors::changed);
        common.apply(runs);
        QVERIFY(changed.wait(patience));
        common.apply(runs);
        QVERIFY(std::abs(runs[0].row.test_mse - runs[1].row.test_mse) < 1e-12);
        QCOMPARE(common.notes().size(), qsizetype{1});
        QVERIFY(common.notes().front().contains(QStringLiteral("160 of 169 windows")));
    }

    void problems_are_shown_in_the_form() {
        ShownAudit shown;
        shown.page.form().set_forecasts(shown.path("nothing"));
        shown.page.form().set_data(shown.path("ETTh9.csv"));
        shown.page.form().import_button()->click();
        QTRY_VERIFY_WITH_TIMEOUT(
            shown.page.form().problem().contains(QStringLiteral("there is no such file")), patience);
        QVERIFY(shown.page.form().import_button()->isEnabled());
    }

    /// Texts in files are no markup.
    void names_are_escaped() {
        audit::StoredAudit audit;
        audit.findings = {{"clean", "<b>bold</b>"}};
        audit.notes = {"<i>note</i>"};
        const auto html = audit_html(QStringLiteral("<img src=x>"), {}, audit);
        for (const char* tag : {"<img", "<b>bold", "<i>note"}) QVERIFY(!html.contains(QLatin1String(tag)));
    }
};

TEST_MAIN(TestAuditPage)
#include "test_audit_page.moc"
