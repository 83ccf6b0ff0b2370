// Labels of a run's windows, from its data file.
#include <cmath>
#include <fstream>
#include <numbers>

#include <QTemporaryDir>
#include <QtTest>

#include "analysis/strata_labels.h"
#include "analysis/window_labels.h"
#include "config/experiment.h"
#include "data/prepared.h"
#include "test_program.h"
#include "util/error.h"

using namespace casp;
using analysis::StrataLabel;
namespace fs = std::filesystem;

class TestStrataLabels : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        hourly_ = make_run("hourly", true);
        windows_.start = {0, 150, 250, 304};
        windows_.channels = {1, 0};
    }

    void labels_are_those_of_scaled_windows() {
        const auto config_file = hourly_ / "config.toml";
        std::ifstream in(config_file);
        const std::string toml{std::istreambuf_iterator<char>(in), {}};
        const auto prepared = *data::prepare_data(config::load_text(toml, "config.toml", {}).base);
        const auto series = data::scaled_values(prepared.table, prepared.scaler);
        const analysis::LookBacks of{series, 2, windows_.start, windows_.channels, 96};
        const auto labels = [&](StrataLabel label, double factor = 2) {
            return analysis::strata_labels(hourly_, {label, factor}, windows_);
        };
        QVERIFY(labels(StrataLabel::residual).empty());
        const auto average = analysis::trend_changes(of, {13, analysis::ChangeTreatment::channel_average, 8});
        const auto either = analysis::trend_changes(of, {13, analysis::ChangeTreatment::channel_union, 8});
        QVERIFY(labels(StrataLabel::trend_change, 8) == average);
        QVERIFY(labels(StrataLabel::trend_change_union, 8) == either);
        QVERIFY(either[2] > 0);  // the step at row 300
        QVERIFY(labels(StrataLabel::trend_strength) == analysis::trend_strengths(of, 13, 24));
        QVERIFY(labels(StrataLabel::low_frequency) == analysis::low_frequency_shares(of, 24));
    }

    void no_season_no_cutoff() {
        const auto run = make_run("timeless", false);
        QCOMPARE(analysis::strata_labels(run, {StrataLabel::trend_strength}, windows_).size(),
                 std::size_t{4});
        try {
            (void)analysis::strata_labels(run, {StrataLabel::low_frequency}, windows_);
            QFAIL("a cutoff was made up");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::input);
            QVERIFY2(QString(error.what()).contains("the time between rows is unknown"), error.what());
        }
    }

    void cancelled() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN((void)analysis::strata_labels(hourly_, {StrataLabel::trend_strength},
                                                               windows_, {}, stop.get_token()),
                                 Cancelled);
    }

private:
    /// A run's folder with its settings, for a file of hourly rows (`time`) or of rows without times.
    [[nodiscard]] fs::path make_run(const std::string& name, bool time) const {
        const fs::path folder = fs::path(dir_.path().toStdString()) / name;
        fs::create_directories(folder);
        std::ofstream csv(folder / "series.csv");
        csv << (time ? "date,a,b\n" : "a,b\n");
        for (int row = 0; row < 400; ++row) {
            if (time) csv << 1577836800LL + 3600LL * row << ',';
            csv << 20 + 5 * std::sin(2 * std::numbers::pi * row / 48) + 0.1 * (row % 7) << ','
                << (row < 300 ? 1 : 9) + 0.3 * std::cos(1.7 * row) << '\n';
        }
        std::ofstream(folder / "config.toml")
            << "[data]\npath = \"" << (folder / "series.csv").string()
            << "\"\nsplit = \"ratio\"\nlookback = 96\nhorizon = 8\n[backbone]\npath = \"untrained\"\n"
               "[model]\ntrend_length = 13\nseasonal_length = 24\n";
        return folder;
    }
    QTemporaryDir dir_;
    fs::path hourly_;
    store::Embeddings windows_;
};

TEST_MAIN_WITHOUT_GUI(TestStrataLabels)
#include "test_strata_labels.moc"
