// Figures against the files that they are of: numbers of forecasts and alignments, sweeps over data, files
// that cannot be written.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <QtTest>

#include "batch_fixture.h"
#include "figure_table.h"
#include "test_program.h"
#include "verify_text.h"

using namespace casp;
using casp::test::Table;

namespace {

/// As many rows and channels as small_csv(), of the same names and hours.
QByteArray other_csv() {
    QByteArray text = "date,load,temperature\n";
    for (int r = 0; r < 400; ++r)
        text += QByteArray::number(1577836800LL + 3600LL * r) + "," +
                QByteArray::number(5 * std::cos(r * 2 * M_PI / 18) + 0.4 * std::cos(r * 1.3), 'f', 5) + "," +
                QByteArray::number(2 + std::sin(r * 2 * M_PI / 9) + 0.5 * std::sin(r * 2.1), 'f', 5) + "\n";
    return text;
}

/// The window that half of the others err less than in the last channel, which is drawn.
std::int64_t median_window(const store::ForecastArrays& arrays) {
    std::vector<double> error;
    for (std::int64_t w = 0; w < arrays.windows; ++w) {
        error.push_back(arrays.mse[static_cast<std::size_t>((w + 1) * arrays.channels - 1)]);
    }
    std::vector<std::int64_t> order(error.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return error[static_cast<std::size_t>(a)] < error[static_cast<std::size_t>(b)];
    });
    return order[order.size() / 2];
}

/// x and y of a series of a plot whose names begin like this.
std::vector<std::pair<double, double>> points(const Table& table, const QString& plot,
                                              const QString& series) {
    std::vector<std::pair<double, double>> found;
    for (int r = 0; r < table.rows.size(); ++r)
        if (table.at(r, "plot").startsWith(plot) && table.at(r, "series").startsWith(series))
            found.emplace_back(table.number(r, "x"), table.number(r, "y"));
    return found;
}

/// Last channel of window `w` of values [W, H, M].
double value(const store::ForecastArrays& arrays, const std::vector<float>& values, std::int64_t w,
             std::size_t step) {
    const auto row = static_cast<std::size_t>(w * arrays.horizon) + step;
    return static_cast<double>(values[(row + 1) * static_cast<std::size_t>(arrays.channels) - 1]);
}

double cosine(const std::vector<float>& a, std::size_t row, const std::vector<float>& b, std::size_t column,
              std::size_t d) {
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < d; ++i) {
        const double x = a[row * d + i], y = b[column * d + i];
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / std::sqrt(aa * bb);
}

}  // namespace

class TestFigureData : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        place_.write("series.csv", test::small_csv());
        place_.write("other.csv", other_csv());
        place_.write("lambda.toml",
                     test::quick("store_embeddings = true\n[sweep]\n\"loss.lambda_cov\" = [0, 0.1]\n"));
        const auto r = draw("lambda", "forecast,alignment");
        VERIFY_CODE(r, 0);
    }

    void forecasts_are_those_of_the_files() {
        check_forecast("lambda/figures/forecast", "series.csv",
                       {{"λ_cov = 0", "lambda/lambda_cov-0"}, {"λ_cov = 0.1", "lambda/lambda_cov-0.1"}});
    }

    void cosines_are_those_of_the_embeddings() {
        const auto numbers = table("lambda/figures/alignment");
        const auto text = caption("lambda/figures/alignment");
        for (const auto& [label, run] :
             {std::pair{"λ_cov = 0", "lambda_cov-0"}, {"λ_cov = 0.1", "lambda_cov-0.1"}}) {
            const auto all = store::read_embedding(
                place_.path(QString("out/lambda/%1/arrays.h5").arg(run)).toStdString(), "test");
            const auto d = static_cast<std::size_t>(all.dimension), rows = all.series.size() / d;
            const auto row_of = [&](const QString& window, const QString& channel) {
                return static_cast<std::size_t>(window.toInt() * 2 + (channel == "load" ? 0 : 1));
            };
            const auto cells = numbers.where({{"condition", label}, {"what", "cosine"}});
            QVERIFY(cells.size() > 1000);
            for (const int r : cells) {
                const double wanted =
                    cosine(all.series, row_of(numbers.at(r, "window"), numbers.at(r, "channel")), all.prompt,
                           row_of(numbers.at(r, "prompt_window"), numbers.at(r, "prompt_channel")), d);
                QVERIFY2(std::abs(numbers.number(r, "cosine") - wanted) < 1e-5,
                         qPrintable(QString("%1 %2").arg(numbers.number(r, "cosine")).arg(wanted)));
            }
            // The caption's means: the sample is every window of this small test split.
            double matching = 0, others = 0;
            for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t j = 0; j < rows; ++j)
                    (i == j ? matching : others) += cosine(all.series, i, all.prompt, j, d);
            matching /= static_cast<double>(rows);
            others /= static_cast<double>(rows * (rows - 1));
            const QRegularExpression words(QString("(\\S+) and (\\S+) \\(%1\\)")
                                               .arg(QRegularExpression::escape(QString::fromUtf8(label))));
            const auto said = words.match(text.section("of other rows: ", 1));
            const auto number = [&](int i) { return said.captured(i).replace(u'−', u'-').toDouble(); };
            QVERIFY2(said.hasMatch() && std::abs(number(1) - matching) < 6e-3 * std::abs(matching) + 1e-6 &&
                         std::abs(number(2) - others) < 6e-3 * std::abs(others) + 1e-6,
                     qPrintable(QString("%1: %2 %3").arg(text).arg(matching).arg(others)));
        }
    }

    void two_files_are_not_compared() {
        // As many windows, at the same rows, of as many channels.
        place_.write("paths.toml", test::quick("[sweep]\n\"data.path\" = [\"series.csv\", \"other.csv\"]\n"));
        const auto r = draw("paths", "strata,forecast");
        VERIFY_CODE(r, 0);
        check_without_change("paths/figures/strata", {"data = other.csv", "data = series.csv"});
        VERIFY_HAS(r.err,
                   "no change of data = series.csv against data = other.csv, it was trained on a "
                   "different data file");
        const auto text = caption("paths/figures/strata");
        VERIFY_HAS(text, "Not compared with data = other.csv: data = series.csv (it was trained",
                   "series, other · H 24");
        // Each with its own window and truth.
        check_forecast("paths/figures/forecast", "other.csv", {{"data = other.csv", "paths/path-other.csv"}});
        check_forecast("paths/figures/forecast-data-series.csv", "series.csv",
                       {{"data = series.csv", "paths/path-series.csv"}});
        QVERIFY(caption("paths/figures/forecast-data-series.csv").contains("data = series.csv"));
    }

    void blocked_file_fails_only_its_figure() {
        const auto folder = QStringLiteral("out/lambda/figures/");
        QVERIFY(QDir().mkpath(place_.path(folder + "usage-strips.png")));
        const auto weights = place_.path("out/lambda/lambda_cov-0.1/best.safetensors");
        QVERIFY(QFile::rename(weights, weights + ".away"));
        QFile::remove(place_.path(folder + "concentration.csv"));
        const auto r = draw("lambda", "usage-strips,strata,concentration");
        QVERIFY(QFile::rename(weights + ".away", weights));
        QVERIFY(QDir(place_.path(folder + "usage-strips.png")).removeRecursively());
        VERIFY_CODE(r, 1);
        VERIFY_HAS(r.err, "usage-strips.png: the figure could not be written");
        // What was noted before is not forgotten, and what came after is there.
        VERIFY_HAS(r.err, "lambda_cov-0.1 is omitted from figures of strata");
        QVERIFY(QFile::exists(place_.path(folder + "concentration.csv")));
    }

private:
    [[nodiscard]] store::ForecastArrays arrays(const QString& run) const {
        return store::read_forecast(place_.path("out/" + run + "/arrays.h5").toStdString(), "test");
    }
    [[nodiscard]] Table table(const QString& figure) const {
        return Table(place_.read("out/" + figure + ".csv"));
    }
    [[nodiscard]] QString caption(const QString& figure) const {
        return QString::fromUtf8(place_.read("out/" + figure + ".txt"));
    }
    [[nodiscard]] test::Finished draw(const QString& experiment, const QString& names) const {
        return place_.run({"--batch", experiment + ".toml", "--out", "out", "--figures", names});
    }

    /// That the figure shows the window with the median error of the first run and of no other file.
    void check_forecast(const QString& figure, const QString& csv,
                        const std::vector<std::pair<QString, QString>>& labels_and_runs) const {
        const auto numbers = table(figure);
        const auto& first = labels_and_runs.front().second;
        const auto all = arrays(first);
        const auto w = median_window(all);
        const auto record = store::read_run_file(place_.path("out/" + first + "/run.h5").toStdString());
        const Table data(place_.read(csv));
        const auto plot = QString("%1 · test window %2")
                              .arg(QString::fromStdString(record.data.channel_names.back()))
                              .arg(w);
        QVERIFY2(numbers.where({{"plot", plot}}).size() > 0, qPrintable(numbers.at(0, "plot")));

        const auto past = points(numbers, plot, "lookback"), truth = points(numbers, plot, "truth");
        QCOMPARE(past.size(), std::size_t{48});
        const auto start = static_cast<int>(all.start[static_cast<std::size_t>(w)]);
        for (int t = 0; t < 48; ++t) {
            const auto& [x, y] = past[static_cast<std::size_t>(t)];
            QCOMPARE(x, data.number(start + t, "date"));
            const double scaled =
                (data.rows[start + t].back().toDouble() - record.data.mean.back()) / record.data.std.back();
            QVERIFY2(std::abs(y - scaled) < 1e-5, qPrintable(QString("%1 %2").arg(y).arg(scaled)));
        }
        const auto horizon = static_cast<std::size_t>(all.horizon);
        QCOMPARE(truth.size(), horizon + 1);  // it goes on where the lookback ends
        QCOMPARE(truth.front(), past.back());
        int predictions = 0;
        for (const auto& [label, run] : labels_and_runs) {
            const auto own = arrays(run);
            const auto forecast = points(numbers, plot, label + ":"),
                       error = points(numbers, "forecast", label + ":");
            QCOMPARE(forecast.size(), horizon);
            QCOMPARE(error.size(), horizon);
            predictions += static_cast<int>(horizon);
            double mse = 0;
            for (std::size_t h = 0; h < horizon; ++h) {
                const double wanted = value(own, own.prediction, w, h), real = value(own, own.truth, w, h);
                QCOMPARE(truth[h + 1].second, real);
                QCOMPARE(forecast[h].second, wanted);
                QCOMPARE(error[h].second, wanted - real);
                QCOMPARE(forecast[h].first, truth[h + 1].first);
                mse += (wanted - real) * (wanted - real) / static_cast<double>(horizon);
            }
            // What the legend says is what the file says.
            const auto name = numbers.where({{"plot", plot}});
            const auto row = std::find_if(name.begin(), name.end(), [&, label = label](int r) {
                return numbers.at(r, "series").startsWith(label + ": MSE ");
            });
            QVERIFY(row != name.end());
            const double told = numbers.at(*row, "series").section(' ', -1).toDouble();
            const double stored =
                own.mse[static_cast<std::size_t>((w + 1) * own.channels - 1)];  // of the last channel
            QVERIFY2(std::abs(told - stored) < 1e-3 * stored && std::abs(mse - stored) < 1e-5 * stored,
                     qPrintable(QString("%1 %2 %3").arg(told).arg(stored).arg(mse)));
        }
        // And nothing else: no forecast of another run.
        QCOMPARE(numbers.rows.size(), 48 + static_cast<int>(horizon) + 1 + 2 * predictions);
    }

    /// Ten deciles of error and entropy of each, and no change.
    void check_without_change(const QString& figure, const QStringList& conditions) const {
        const auto numbers = table(figure);
        for (const auto& condition : conditions) {
            const auto rows = numbers.where({{"condition", condition}});
            QCOMPARE(rows.size(), 10);
            for (const int r : rows) {
                QVERIFY(numbers.number(r, "mse") > 0 && numbers.number(r, "usage_entropy") > 0);
                QCOMPARE(numbers.at(r, "mse_change_percent"), QString());
                QCOMPARE(numbers.at(r, "change_against"), QString());
            }
        }
        QCOMPARE(numbers.rows.size(), 10 * conditions.size());
    }
    test::Workplace place_;
};

TEST_MAIN_WITHOUT_GUI(TestFigureData)
#include "test_figure_data.moc"
