// The paper's figures from numbers made by hand: what stands in them, and pictures against references.
//
// References are in tests/golden/figures. Fonts differ between machines, so both pictures are blurred to an
// eighth of their size, where text is a grey shade and marks keep their place and colour. The root mean
// square of the difference may be 9 of 255, but never more than half of what the figure's marks make of a
// picture with axes alone: sparse figures have little ink. Marks turned over, in another colour or in the
// other theme exceed it. CASP_GALLERY=folder keeps every figure to be looked at; CASP_NEW_REFERENCES=1 writes
// references.
#include <QFontDatabase>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include "charts/export_figure.h"
#include "figures/numbers.h"
#include "figures/scale.h"
#include "paper_samples.h"
#include "test_program.h"
#include "widgets/image_checks.h"

using namespace casp::figures;
using namespace casp::widgets;

namespace {

constexpr double max_tolerance = 9;

const std::vector<Figure>& all_figures() {
    static const samples::Sweep sweep;
    static const auto all = sweep.all();
    return all;
}

const Figure& figure(const QString& id) {
    for (const auto& one : all_figures())
        if (one.id == id) return one;
    qFatal("no such figure");
}

// The width of texts decides where axes begin and titles break. The program needs this one
// (fonts-dejavu-core).
constexpr auto font = "DejaVu Sans";

ExportOptions small(FigureStyle style) {
    ExportOptions options;
    options.width_mm = 84;
    options.dpi = 96;
    options.font_points = 7;
    options.font_family = QString::fromLatin1(font);
    options.style = style;
    return options;
}

QImage blurred(const QImage& image) {
    return image.convertToFormat(QImage::Format_RGB32)
        .scaled(std::max(1, image.width() / 8), std::max(1, image.height() / 8), Qt::IgnoreAspectRatio,
                Qt::SmoothTransformation);
}

/// The same axes without what is drawn between them.
Figure without_marks(const Figure& figure, const ExportOptions& options) {
    auto bare = with_options(figure, options);
    for (auto& plot : bare.plots) {
        const auto scales = scales_of(plot);
        if (!plot.heatmap) {
            if (plot.x.categories.isEmpty()) {
                plot.x.min = scales.x.min;
                plot.x.max = scales.x.max;
            }
            plot.y.min = scales.y.min;
            plot.y.max = scales.y.max;
        }
        for (auto& series : plot.series) {  // they stay in the legend
            series.x.clear();
            series.y.clear();
            series.low.clear();
            series.high.clear();
            series.ids.clear();
        }
        if (plot.heatmap)
            std::fill(plot.heatmap->values.begin(), plot.heatmap->values.end(),
                      std::numeric_limits<float>::quiet_NaN());
    }
    return bare;
}

double distance(const QImage& a, const QImage& b) {
    if (a.size() != b.size()) return 1e9;
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QColor p(a.pixel(x, y)), q(b.pixel(x, y));
            for (const int d : {p.red() - q.red(), p.green() - q.green(), p.blue() - q.blue()}) sum += d * d;
        }
    return std::sqrt(sum / (3.0 * a.width() * a.height()));
}

}  // namespace

class TestPaperFigures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void looks_like_its_reference_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("dark");
        for (const auto& one : all_figures())
            for (const bool dark : {false, true})
                QTest::newRow(qPrintable(one.id + (dark ? "-dark" : "-light"))) << one.id << dark;
    }

    void looks_like_its_reference() {
        QFETCH(QString, id);
        QFETCH(bool, dark);
        if (!QFontDatabase::families().contains(QString::fromLatin1(font)))
            QSKIP("the font of the references is not here (Debian: fonts-dejavu-core)");
        const auto options = small(dark ? FigureStyle::dark : FigureStyle::light);
        const auto image = blurred(figure_image(figure(id), options));
        const QString file = QStringLiteral(CASP_SOURCE_DIR "/tests/golden/figures/%1.png")
                                 .arg(QString::fromLatin1(QTest::currentDataTag()));
        if (qEnvironmentVariableIsSet("CASP_NEW_REFERENCES")) {
            QDir().mkpath(QFileInfo(file).path());
            QVERIFY(image.save(file));
        }
        const QImage reference(file);
        QVERIFY2(!reference.isNull(), qPrintable(file));
        const auto away = [&](const Figure& other) {
            return distance(blurred(figure_image(other, options)),
                            reference.convertToFormat(QImage::Format_RGB32));
        };
        const double far = away(figure(id)), bare = away(without_marks(figure(id), options));
        const double tolerance = std::min(max_tolerance, bare / 2);
        QVERIFY2(far <= tolerance,
                 qPrintable(QStringLiteral("%1 of 255, may be %2").arg(far).arg(tolerance)));
        // The comparison sees what matters.
        QVERIFY2(bare > 1.5, qPrintable(QStringLiteral("without marks only %1 away").arg(bare)));
    }

    void fits_every_width_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<int>("style");
        QTest::addColumn<double>("width");
        for (const auto& one : all_figures())
            for (int style = 0; style < 3; ++style)
                for (const double width : {84.0, 89.0, 174.0})
                    QTest::newRow(qPrintable(QStringLiteral("%1-%2-%3").arg(one.id).arg(style).arg(width)))
                        << one.id << style << width;
    }

    void fits_every_width() {
        QFETCH(QString, id);
        QFETCH(int, style);
        QFETCH(double, width);
        ExportOptions options;
        options.width_mm = width;
        options.dpi = 150;
        options.style = static_cast<FigureStyle>(style);
        options.show_caption = width > 100;
        options.show_title = width > 100;
        const auto image = figure_image(figure(id), options);
        if (const auto folder = qEnvironmentVariable("CASP_GALLERY"); !folder.isEmpty()) {
            QDir().mkpath(folder);
            QVERIFY(image.save(QDir(folder).filePath(QStringLiteral("%1.png").arg(QTest::currentDataTag()))));
        }
        QCOMPARE(casp::test::marks_on_border(image), 0);
    }

    void strips_fold_the_pool() {
        const auto& strips = figure("usage-strips");
        QCOMPARE(strips.plots.size(), std::size_t{2});
        const auto& map = *strips.plots[0].heatmap;
        QCOMPARE(map.rows * map.columns >= samples::pool, true);
        QVERIFY(map.columns > map.rows);
        // Frequencies: share of the rows that chose the anchor; each chooses K.
        double sum = 0;
        for (const float value : map.values)
            if (std::isfinite(value)) sum += static_cast<double>(value);
        QVERIFY(std::abs(sum - 100.0 * samples::top) < 1e-3);
        QCOMPARE(strips.numbers->rows.size(), static_cast<std::size_t>(2 * samples::pool));
    }

    void concentration_is_a_mean_over_seeds() {
        const auto& top = figure("concentration");
        QCOMPARE(top.plots.size(), std::size_t{2});
        const auto& numbers = *top.numbers;
        const auto rank = numbers.columns.indexOf("rank"), count = numbers.columns.indexOf("selections"),
                   condition = numbers.columns.indexOf("condition");
        double sum = 0;
        int n = 0;
        for (const auto& row : numbers.rows)
            if (row[rank] == "3" && row[condition] == QStringLiteral("λ_cov = 0")) {
                sum += row[count].toDouble();
                ++n;
            }
        QCOMPARE(n, 2);
        for (const auto& series : top.plots[0].series)
            if (series.name == QStringLiteral("λ_cov = 0")) QCOMPARE(series.y[2], sum / 2);
    }

    void heatmaps_share_one_scale() {
        for (const auto* id : {"usage-strips", "score-heatmap", "alignment"}) {
            const Heatmap* first = nullptr;
            float low = 1e9F, high = -1e9F;
            for (const auto& plot : figure(id).plots) {
                if (!plot.heatmap) continue;
                if (first == nullptr) first = &*plot.heatmap;
                QCOMPARE(plot.heatmap->min, first->min);
                QCOMPARE(plot.heatmap->max, first->max);
                for (const float value : plot.heatmap->values)
                    if (std::isfinite(value)) {
                        low = std::min(low, value);
                        high = std::max(high, value);
                    }
            }
            QVERIFY(first != nullptr);
            QVERIFY(*first->min <= static_cast<double>(low) && *first->max >= static_cast<double>(high));
        }
    }

    void kinds_have_the_papers_colours() {
        const auto& plot = figure("tsne").plots.front();
        QCOMPARE(plot.series.size(), std::size_t{3});
        // Anchors blue, series orange, prompts green, and a shape each.
        // Anchors last: they are few and must not be hidden by what is made of them.
        const QColor series = plot.series[0].colour, prompts = plot.series[1].colour,
                     anchors = plot.series[2].colour;
        QCOMPARE(plot.series[2].name, kind_name(kind_anchor));
        QVERIFY(anchors.blue() > anchors.red() && anchors.blue() > anchors.green());
        QVERIFY(series.red() > series.green() && series.green() > series.blue());
        QVERIFY(prompts.green() > prompts.red() && prompts.green() > prompts.blue());
        QSet<int> shapes;
        for (const auto& s : plot.series) shapes << static_cast<int>(s.marker);
        QCOMPARE(shapes.size(), 3);
        QCOMPARE(figure("tsne").plots[0].x.min, figure("tsne").plots[1].x.min);
    }

    void captions_describe_the_method() {
        const auto& tsne = figure("tsne").caption;
        for (const auto* words : {"Perplexity 30", "750 iterations", "seed 2021", "1.25 (λ_cov = 0)",
                                  "24 of 2785 test windows", "anchors and", "Training seed 2021, one of 2"})
            QVERIFY2(tsne.contains(QString::fromUtf8(words)), qPrintable(tsne));
        QVERIFY(figure("pca-variance").caption.contains(QStringLiteral("XᵀX / (n − 1)")));
        QVERIFY2(figure("strata").caption.contains(QStringLiteral("−3.25 % and −0.2 % (λ_cov = 0.1)")),
                 qPrintable(figure("strata").caption));
        QVERIFY(figure("alignment").caption.contains(QStringLiteral("0.9100 and 0.6200 (λ_cov = 0)")));
        for (const auto& one : all_figures())
            QVERIFY2(!one.caption.contains('%' + QString::number(1)), qPrintable(one.id));
    }

    void strata_change_is_paired() {
        const auto& strata = figure("strata");
        QCOMPARE(strata.plots.size(), std::size_t{3});
        // What the change is against stands in the plot and beside each number.
        QCOMPARE(strata.plots[1].title, QStringLiteral("(b) change relative to λ_cov = 0"));
        const auto of = strata.numbers->columns.indexOf("change_against"),
                   changes = strata.numbers->columns.indexOf("mse_change_percent");
        for (const auto& row : strata.numbers->rows)
            QCOMPARE(row[of], row[changes].isEmpty() ? QString() : QStringLiteral("λ_cov = 0"));
        // The base has no change of its own, but stands in the legend.
        QCOMPARE(strata.plots[1].series.front().name, QStringLiteral("λ_cov = 0"));
        QVERIFY(strata.plots[1].series.front().y.empty());
        const auto& change = strata.plots[1].series[1];
        QCOMPARE(change.y.size(), std::size_t{10});
        // Decile 10: −0.018 of 0.52 and of 0.53, in per cent.
        const double first = -1.8 / 0.52, second = -1.8 / 0.53;
        QVERIFY(std::abs(change.y[9] - (first + second) / 2) < 1e-9);
    }

    void strata_change_on_the_windows_of_the_base() {
        // Another decomposition puts other windows into the run's own deciles: what those differ by from the
        // base's is no change, and what was paired window by window stands in the plot.
        const samples::Sweep sweep;
        auto other = sweep.strata(1);
        other.runs[0].changes[9] = -3.6;
        other.runs[1].changes[9] = -3.4;
        const auto strata = difficulty_strata(sweep.cell.name, {sweep.strata(0), other});
        const auto& change = strata.plots[1].series[1];
        QVERIFY(std::abs(change.y[9] - -3.5) < 1e-9);
        const auto& numbers = *strata.numbers;
        const auto column = numbers.columns.indexOf(QStringLiteral("mse_change_percent"));
        const auto& last = numbers.rows[numbers.rows.size() - 3];  // the last decile of the last run
        QCOMPARE(last[3], QStringLiteral("10"));
        QVERIFY(std::abs(last[column].toDouble() - -3.4) < 1e-9);
    }

    void strata_caption_names_uncompared_runs() {
        const samples::Sweep sweep;
        auto other = sweep.strata(1);
        for (auto& run : other.runs) {
            run.changes.clear();
            run.change = run.easiest_change = run.hardest_change = casp::store::not_known;
        }
        other.not_compared = QStringLiteral("it was trained on a different data file");
        const auto strata = difficulty_strata(sweep.cell.name, {sweep.strata(0), other});
        // Errors and selection stand; there is no plot of changes.
        QCOMPARE(strata.plots.size(), std::size_t{2});
        for (const auto& plot : strata.plots) {
            QSet<QString> named;
            for (const auto& series : plot.series)
                if (!series.name.isEmpty()) named << series.name;
            QCOMPARE(named, (QSet<QString>{QStringLiteral("λ_cov = 0"), QStringLiteral("λ_cov = 0.1")}));
        }
        QVERIFY2(strata.caption.contains(QStringLiteral(
                     "Not compared with λ_cov = 0: λ_cov = 0.1 (it was trained on a different data file).")),
                 qPrintable(strata.caption));
        QVERIFY(!strata.caption.contains(QStringLiteral("its change relative to")));
        QVERIFY(!figure("strata").caption.contains(QStringLiteral("Not compared")));
        QVERIFY(strata.caption.contains(QStringLiteral("usage entropy")));
        // Models without anchors: no third plot, and no word of it. A rise has a sign.
        auto base = sweep.strata(0), worse = sweep.strata(1);
        for (auto* condition : {&base, &worse})
            for (auto& run : condition->runs) {
                run.entropy.clear();
                run.hardest_change = 2.5;
            }
        const auto without = difficulty_strata(sweep.cell.name, {base, worse});
        QCOMPARE(without.plots.size(), std::size_t{2});
        QVERIFY2(!without.caption.contains(QStringLiteral("entropy")) &&
                     without.caption.contains(QStringLiteral(": +2.5 % and ")),
                 qPrintable(without.caption));
    }

    void strata_by_another_label() {
        using casp::analysis::StrataLabel;
        const samples::Sweep sweep;
        const auto draw = [&](const casp::analysis::StrataAxis& axis) {
            return difficulty_strata(sweep.cell.name, {sweep.strata(0), sweep.strata(1)}, {}, axis);
        };
        const auto residual = draw({}), low = draw({StrataLabel::low_frequency}),
                   change = draw({StrataLabel::trend_change_union, 0.5});
        QCOMPARE(residual.id, QStringLiteral("strata"));
        QCOMPARE(low.id, QStringLiteral("strata-low-frequency"));
        QCOMPARE(change.id, QStringLiteral("strata-trend-change-union-0.5"));
        QCOMPARE(low.plots[0].x.title, QStringLiteral("decile of low-frequency fraction"));
        for (const auto* one : {&low, &change})
            QVERIFY2(one->caption.contains(QStringLiteral("never sees the target")),
                     qPrintable(one->caption));
        QVERIFY2(
            low.caption.contains(QStringLiteral("in the highest decile and in the three lowest: −3.25 %")),
            qPrintable(low.caption));
        QVERIFY2(change.caption.contains(QStringLiteral("the penalty 0.5 ln L")), qPrintable(change.caption));
        // The pooled test, over the two seeds.
        QVERIFY2(residual.caption.contains(
                     QStringLiteral("(λ_cov = 0.1), 2 pairs (too few for p < 0.05): W = 0, p = ")),
                 qPrintable(residual.caption));
        const auto rows_of = [](const Figure& figure, const char* stratum) {
            return std::count_if(figure.numbers->rows.begin(), figure.numbers->rows.end(),
                                 [&](const auto& row) { return row[3] == QLatin1String(stratum); });
        };
        // Of two groups, the first is no three tenths.
        QVERIFY(rows_of(low, "1-3") > 0 && rows_of(change, "1-3") == 0 && rows_of(change, "all") > 0);
        const auto column = [](const Figure& figure, const char* name) {
            return figure.numbers->rows.front()[figure.numbers->columns.indexOf(QLatin1String(name))];
        };
        QCOMPARE(column(low, "strata_of"), QStringLiteral("low-frequency"));
        QVERIFY(column(low, "residual_from").isEmpty() && !column(low, "label_from").isEmpty());
        QCOMPARE(column(residual, "label_from"), column(residual, "residual_from"));
    }

    void strips_caption_names_each_width() {
        QVERIFY2(
            figure("usage-strips").caption.contains(QStringLiteral("from the left, 50 per line; its shade")),
            qPrintable(figure("usage-strips").caption));
        // The pool was swept.
        samples::Sweep sweep;
        for (const int i : {2, 3}) {
            auto& anchors = sweep.records[static_cast<std::size_t>(i)]->anchors;
            anchors.pool_size = 1000;
            anchors.usage_train.resize(2000, 1);
        }
        const auto strips = usage_strips(sweep.cell);
        QCOMPARE(strips.plots.size(), std::size_t{2});
        for (std::size_t i = 0; i < 2; ++i) QCOMPARE(strips.plots[i].heatmap->columns, i == 0 ? 50 : 100);
        QVERIFY2(
            strips.caption.contains(QStringLiteral("from the left, 50 (a), 100 (b) per line; its shade")),
            qPrintable(strips.caption));
    }

    void table_is_latex_data() {
        QTest::addColumn<QString>("cell");
        QTest::addColumn<QString>("label");
        QTest::addColumn<QString>("cell_in_latex");
        QTest::addColumn<QString>("label_in_latex");
        QTest::newRow("the paper's") << QStringLiteral("ETTh1 · H 96") << QStringLiteral("λ_cov = 0.1")
                                     << QStringLiteral("ETTh1 $\\cdot$ H 96")
                                     << QStringLiteral("$\\lambda_{\\mathrm{cov}}$ = 0.1");
        QTest::newRow("underscore") << QStringLiteral("national_illness · H 24 · λ_sim 0.05")
                                    << QStringLiteral("model.top_k = 8")
                                    << QStringLiteral(
                                           "national\\_illness $\\cdot$ H 24 $\\cdot$ "
                                           "$\\lambda_{\\mathrm{sim}}$ 0.05")
                                    << QStringLiteral("model.top\\_k = 8");
        QTest::newRow("symbols") << QStringLiteral("100 % & #1 · {a} $5 ~ ^ \\x")
                                 << QStringLiteral("L_tr = 25 − β × τ < 3 …")
                                 << QStringLiteral(
                                        "100 \\% \\& \\#1 $\\cdot$ \\{a\\} \\$5 "
                                        "\\textasciitilde{} \\textasciicircum{} "
                                        "\\textbackslash{}x")
                                 << QStringLiteral(
                                        "L\\_tr = 25 $-$ $\\beta$ $\\times$ "
                                        "$\\tau$ $<$ 3 \\dots{}");
    }

    void table_is_latex() {
        QFETCH(QString, cell);
        QFETCH(QString, label);
        QFETCH(QString, cell_in_latex);
        QFETCH(QString, label_in_latex);
        const samples::Sweep sweep;
        auto first = sweep.planes(0), second = sweep.planes(1);
        second.of.label = label;
        const auto tex =
            pca_table_latex(cell, {first, second}, QStringLiteral(" Training seed 2021, one of 2."));
        QCOMPARE(tex.count("\\begin{table*}"), 2);
        QCOMPARE(tex.count("{"), tex.count("}"));
        QVERIFY2(tex.contains(cell_in_latex) && tex.contains(label_in_latex), qPrintable(tex));
        QVERIFY(tex.contains("Anchor embeddings & 0.9850 & 0.0013 & 0.5583 & 0.4096"));
        QVERIFY(tex.contains("\\textbf{0.9863}"));
        // A table that travels alone says what it is of.
        QVERIFY2(tex.contains("For 200 anchors, 8355 series, 8355 prompts (all 2785 test windows $\\times$ 3 "
                              "channels) at the best checkpoint. Training seed 2021, one of 2."),
                 qPrintable(tex));
        bool formula = false, escaped = false;
        for (const auto c : tex) {
            QVERIFY2(c.unicode() < 128, qPrintable(tex));
            if (c == '$' && !escaped) formula = !formula;
            QVERIFY2(c != '_' || formula || escaped, qPrintable(tex));
            escaped = c == '\\' && !escaped;
        }
        QVERIFY(!formula);
    }

    void table_captions_describe_the_table() {
        const samples::Sweep sweep;
        const auto& caption = figure("pca").caption;
        QVERIFY2(caption.contains(QStringLiteral("8355 series")) &&
                     caption.contains(
                         QStringLiteral("shown are all anchors and, of the other kinds, 24 of 2785 test")),
                 qPrintable(caption));
        const auto cell = [](const Figure& of, const QString& kind, const QString& column) {
            const auto& numbers = *of.numbers;
            for (const auto& row : numbers.rows)
                if (row[2] == kind) return row[numbers.columns.indexOf(column)];
            return QString();
        };
        const auto series = QStringLiteral("series");
        for (const auto* id : {"pca", "pca-variance"}) {
            const auto& of = figure(QString::fromLatin1(id));
            QCOMPARE(cell(of, series, QStringLiteral("n")), QStringLiteral("8355"));
            QCOMPARE(cell(of, QStringLiteral("anchors"), QStringLiteral("n")), QStringLiteral("200"));
            QCOMPARE(cell(of, series, QStringLiteral("training_seed")), QStringLiteral("2021"));
        }
        QVERIFY(
            cell(figure("pca"), series, QStringLiteral("sample")).startsWith(QStringLiteral("24 of 2785")));
        QCOMPARE(cell(figure("pca-variance"), series, QStringLiteral("sample")),
                 QStringLiteral("all 2785 test windows × 3 channels"));
        // Sets that differ are told run by run.
        auto other = sweep.planes(1);
        other.kinds[0].rows = 100;
        QVERIFY(pca_variance(sweep.cell.name, {sweep.planes(0), other})
                    .caption.contains(QStringLiteral("channels); λ_cov = 0.1: 100 anchors, 8355 series")));
    }

    void pictures_show_one_seed() {
        const samples::Sweep sweep;
        const auto& cell = sweep.cell;
        const auto shown = [&](const PaperCell& of, const QSet<QString>& gone) {
            return runs_to_show(of, [&](const RunInput& run) { return !gone.contains(run.folder); });
        };
        const auto names = [](const std::vector<const RunInput*>& runs) {
            QStringList list;
            for (const auto* run : runs) list << (run != nullptr ? run->folder.mid(6) : QString());
            return list;
        };
        QCOMPARE(names(shown(cell, {})), (QStringList{"0-0", "1-0"}));
        QVERIFY(seed_note(cell, shown(cell, {})).contains(QStringLiteral("Training seed 2021, one of 2.")));
        // The first seed of λ_cov = 0.1 is gone: not this one beside another one's.
        QCOMPARE(names(shown(cell, {"/runs/1-0"})), (QStringList{"0-1", "1-1"}));
        QCOMPARE(names(shown(cell, {"/runs/0-0"})), (QStringList{"0-1", "1-1"}));
        QVERIFY(seed_note(cell, shown(cell, {"/runs/1-0"})).contains(QStringLiteral("seed 2022, one of 2.")));
        // No seed in common: each says its own.
        const QSet<QString> crossed{"/runs/0-1", "/runs/1-0"};
        QCOMPARE(names(shown(cell, crossed)), (QStringList{"0-0", "1-1"}));
        const auto note = seed_note(cell, shown(cell, crossed));
        QVERIFY2(note.contains(QStringLiteral("2021 (λ_cov = 0), 2022 (λ_cov = 0.1)")), qPrintable(note));
        // A condition without any run takes no seed from the others.
        QCOMPARE(names(shown(cell, {"/runs/1-0", "/runs/1-1"})), (QStringList{"0-0", ""}));
        // The lowest seed, in whatever order they were swept.
        auto turned = cell;
        std::reverse(turned.conditions[0].runs.begin(), turned.conditions[0].runs.end());
        QCOMPARE(names(shown(turned, {})), (QStringList{"0-0", "1-0"}));
        // The strips of usage ask for runs with numbers.
        samples::Sweep without;
        without.records[2]->anchors.usage_train.assign(without.records[2]->anchors.usage_train.size(), 0);
        const auto strips = usage_strips(without.cell);
        QVERIFY2(strips.caption.contains(QStringLiteral("Training seed 2022, one of 2.")),
                 qPrintable(strips.caption));
        QCOMPARE(strips.numbers->rows.front()[1], without.inputs[1].label);
        QCOMPARE(strips.numbers->rows.back()[1], without.inputs[3].label);
    }
};

TEST_MAIN(TestPaperFigures)
#include "test_paper_figures.moc"
