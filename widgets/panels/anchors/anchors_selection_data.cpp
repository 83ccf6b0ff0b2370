#include "panels/anchors/anchors_selection_data.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "config/text_utils.h"
#include "evidence/latex.h"
#include "figures/numbers.h"
#include "panels/runs/runs_columns.h"
#include "state/embedding_set.h"
#include "words/core_text.h"

namespace casp::widgets {

namespace {

constexpr std::int64_t top = 20;
QString dash() { return QStringLiteral("–"); }

QString fixed(double value, int decimals) {
    if (!std::isfinite(value)) return dash();
    auto text = QString::number(value, 'f', decimals);
    // Avoids "−0.0000" and uses a true minus sign.
    if (text.startsWith(QLatin1Char('-')))
        text = text.mid(1).toDouble() == 0 ? text.mid(1) : QStringLiteral("−") + text.mid(1);
    return text;
}

QString usage_name(figures::UsageOf of) {
    constexpr std::array names{QT_TRANSLATE_NOOP("core", "training"),
                               QT_TRANSLATE_NOOP("core", "since previous snapshot"),
                               QT_TRANSLATE_NOOP("core", "test")};
    return translated(names.at(static_cast<std::size_t>(of)));
}

/// Short form of the same.
QString short_usage_name(figures::UsageOf of) {
    constexpr std::array names{QT_TRANSLATE_NOOP("core", "train"), QT_TRANSLATE_NOOP("core", "snapshot"),
                               QT_TRANSLATE_NOOP("core", "test")};
    return translated(names.at(static_cast<std::size_t>(of)));
}

std::optional<RetrievalRow> row_of(const figures::RunInput& run, figures::UsageOf of,
                                   std::optional<std::int64_t> step) {
    RetrievalRow row;
    row.counts = figures::usage_counts(run.record->anchors, of, step);
    row.usage = analysis::summarise_usage(row.counts);
    if (row.usage.retrievals == 0) return std::nullopt;
    row.folder = run.folder;
    row.run = run.label;
    row.colour = run.colour;
    row.lambda_cov = dash();
    row.top_k = figures::top_k(run);
    row.of = of;
    row.top_share = analysis::top_share(row.counts, top);
    if (of != figures::UsageOf::test)
        row.step =
            run.record->anchors
                .snapshot_step[static_cast<std::size_t>(figures::snapshot_at(run.record->anchors, step))];
    else if (run.record->test)
        row.key_cosine = run.record->test->key_cosine;
    if (run.config) {
        const auto& config = *run.config;
        row.lambda_cov = model::capabilities(config).coverage
                             ? QString::fromStdString(config::shortest(config.loss.lambda_cov))
                             : QObject::tr("off");
        row.seed = config.train.seed;
    }
    return row;
}

/// "a, b and 3 more", each once.
QString names(QStringList list) {
    list.removeDuplicates();
    const auto more = list.size() - 3;
    const auto text = list.mid(0, 3).join(QStringLiteral(", "));
    return more > 0 ? QObject::tr("%1 and %2 more").arg(text).arg(more) : text;
}

QStringList warnings(const std::vector<RetrievalRow>& rows) {
    QStringList list;
    std::set<std::size_t> pools;
    std::set<std::int64_t> seeds;
    for (const auto& row : rows) {
        pools.insert(row.counts.size());
        if (row.seed) seeds.insert(*row.seed);
    }
    if (pools.size() > 1) {
        QStringList sizes;
        for (const auto pool : pools) sizes << counted(static_cast<std::int64_t>(pool));
        list << QObject::tr("Pools of different sizes (V' = %1) are not compared with each other.")
                    .arg(sizes.join(QStringLiteral(", ")));
    }
    if (seeds.size() > 1)
        list << QObject::tr(
            "Runs with different seeds start from different anchors: their overlap counts matching anchor "
            "numbers, not similar anchors. Compare runs with the same seed.");
    return list;
}

}  // namespace

RetrievalStatistics retrieval_statistics(const std::vector<figures::RunInput>& runs, figures::UsageOf of,
                                         std::optional<std::int64_t> step, bool both) {
    RetrievalStatistics statistics;
    auto& rows = statistics.rows;
    std::vector<figures::UsageOf> wanted{of};
    if (both && of == figures::UsageOf::test) wanted.insert(wanted.begin(), figures::UsageOf::training);
    if (both && of != figures::UsageOf::test) wanted.push_back(figures::UsageOf::test);
    QStringList without_anchors, without_training, without_test;
    std::size_t left_out = 0;
    for (const auto& run : runs) {
        if (!run.record) continue;
        if (!figures::capabilities(run).anchors) {
            without_anchors << run.label;
            continue;
        }
        for (const auto kind : wanted) {
            auto row = row_of(run, kind, step);
            if (!row)
                (kind == figures::UsageOf::test ? without_test : without_training) << run.label;
            else if (rows.size() == max_retrieval_rows)
                ++left_out;
            else
                rows.push_back(std::move(*row));
        }
    }
    const bool several = std::any_of(rows.begin(), rows.end(),
                                     [&](const RetrievalRow& row) { return row.run != rows.front().run; });
    for (auto& row : rows) {
        row.name = row.run;
        if (wanted.size() > 1)
            row.name =
                several ? row.run + QStringLiteral(", ") + short_usage_name(row.of) : usage_name(row.of);
    }
    std::vector<std::vector<std::int64_t>> usages;
    for (const auto& row : rows) usages.push_back(row.counts);
    statistics.overlaps = analysis::retrieval_overlaps(usages, top);

    auto& notes = statistics.notes;
    notes = warnings(rows);
    if (!without_anchors.isEmpty()) notes << QObject::tr("No anchors: %1.").arg(names(without_anchors));
    if (!without_training.isEmpty())
        notes << QObject::tr("No snapshot yet: %1.").arg(names(without_training));
    if (!without_test.isEmpty())
        notes << QObject::tr("Not evaluated on the test split yet: %1.").arg(names(without_test));
    if (left_out > 0)
        notes << QObject::tr("Only the first %1 of %2 rows are shown. Show fewer runs to see others.")
                     .arg(rows.size())
                     .arg(rows.size() + left_out);
    return statistics;
}

const std::vector<RetrievalColumn>& retrieval_columns() {
    static const std::vector<RetrievalColumn> columns{
        {QObject::tr("run"), QObject::tr("Run whose retrievals are counted"), false},
        {QObject::tr("counted"),
         QObject::tr(
             "Which retrievals are counted: in training, or over the test windows at the best checkpoint"),
         false},
        {QStringLiteral("λ_cov"), QObject::tr("λ_cov: weight of the coverage term L_cov"), true},
        {QObject::tr("entropy (nats)"),
         QObject::tr(
             "Usage entropy of the hard assignments, −Σ p ln p, where p is each anchor's fraction of the "
             "retrievals. Minimum ln K: the same K anchors for all windows; maximum ln V': uniform usage"),
         true},
        {QObject::tr("entropy / ln V'"), QObject::tr("Usage entropy as a fraction of its maximum ln V'"),
         true},
        {QObject::tr("distinct"), QObject::tr("Number of the pool's V' anchors retrieved at least once"),
         true},
        {QObject::tr("top 20"),
         QObject::tr("Fraction of all retrievals that fall on the 20 most used anchors"), true},
        {QObject::tr("key cosine"),
         QObject::tr("Mean pairwise cosine of the K retrieved anchors' keys over the test windows at the "
                     "best checkpoint; not measured in training"),
         true},
        {QStringLiteral("Jaccard"),
         QObject::tr("|A ∩ B| / |A ∪ B| of the anchors retrieved at least once by this row and by the "
                     "reference: 1 for identical sets, 0 for disjoint sets"),
         true},
        {QObject::tr("Jaccard, top 20"), QObject::tr("|A ∩ B| / |A ∪ B| of the 20 most used anchors of each"),
         true},
        {QObject::tr("moved"),
         QObject::tr("½ Σ |p − p of the reference|: the fraction of retrievals that fall on different "
                     "anchors than in the reference"),
         true},
    };
    return columns;
}

namespace {

/// Comparison with the reference; unknown for pools of different sizes.
std::optional<analysis::UsageComparison> compared(const RetrievalStatistics& statistics, std::size_t row,
                                                  std::size_t reference) {
    const auto& rows = statistics.rows;
    if (reference >= rows.size() || rows[row].counts.size() != rows[reference].counts.size())
        return std::nullopt;
    return analysis::compare_usage(rows[reference].counts, rows[row].counts, top);
}

}  // namespace

QStringList retrieval_cells(const RetrievalStatistics& statistics, std::size_t row, std::size_t reference) {
    const auto& r = statistics.rows[row];
    const bool steps_differ =
        r.step >= 0 && std::any_of(statistics.rows.begin(), statistics.rows.end(), [&](const auto& other) {
            return other.step >= 0 && other.step != r.step;
        });
    QStringList cells{
        r.run,
        steps_differ ? QObject::tr("%1, step %2").arg(usage_name(r.of)).arg(r.step) : usage_name(r.of),
        r.lambda_cov,
        fixed(r.usage.entropy, 4),
        std::isfinite(r.usage.evenness) ? fixed(100 * r.usage.evenness, 1) + QStringLiteral(" %") : dash(),
        QObject::tr("%1 of %2")
            .arg(counted(r.usage.distinct), counted(static_cast<std::int64_t>(r.counts.size()))),
        fixed(100 * r.top_share, 1) + QStringLiteral(" %"),
        fixed(r.key_cosine, 4)};
    if (row == reference) {
        cells << QObject::tr("reference") << QString() << QString();
    } else if (const auto c = compared(statistics, row, reference)) {
        cells << fixed(c->jaccard, 3) << fixed(c->jaccard_top, 3)
              << fixed(100 * c->total_variation, 1) + QStringLiteral(" %");
    } else {
        cells << QObject::tr("different pool") << QString() << QString();
    }
    return cells;
}

QString retrieval_comparison_text(const RetrievalStatistics& statistics, std::size_t row,
                                  std::size_t reference) {
    if (row == reference) return QObject::tr("All other rows are compared with this one");
    const auto c = compared(statistics, row, reference);
    if (!c)
        return QObject::tr(
            "Not compared: the reference's pool has a different size (V'), so its anchor numbers refer to "
            "different anchors");
    return QObject::tr("%1 anchors in both, %2 only here, %3 only in the reference (%4)")
        .arg(counted(c->both), counted(c->only_b), counted(c->only_a), statistics.rows[reference].name);
}

QString retrieval_markdown(const RetrievalStatistics& statistics, std::size_t reference) {
    QStringList header;
    for (const auto& column : retrieval_columns()) header << column.title;
    std::vector<QStringList> rows;
    for (std::size_t i = 0; i < statistics.rows.size(); ++i)
        rows.push_back(retrieval_cells(statistics, i, reference));
    return table_markdown(header, rows);
}

QString retrieval_latex(const RetrievalStatistics& statistics, std::size_t reference) {
    QString text = QStringLiteral("\\begin{tabular}{llrrrrrrrrr}\n\\toprule\n");
    text += QStringLiteral(
        "Run & Counted & $\\lambda_{\\mathrm{cov}}$ & Entropy (nats) & Entropy $/ \\ln V'$ & Distinct & Top "
        "20 & Key "
        "cosine & Jaccard & Jaccard, top 20 & Moved \\\\\n\\midrule\n");
    for (std::size_t i = 0; i < statistics.rows.size(); ++i) {
        QStringList cells;
        for (const auto& cell : retrieval_cells(statistics, i, reference))
            cells << QString::fromStdString(evidence::latex_escaped(cell.toStdString()));
        text += cells.join(QStringLiteral(" & ")) + QStringLiteral(" \\\\\n");
    }
    return text + QStringLiteral("\\bottomrule\n\\end{tabular}\n");
}

namespace {

figures::Numbers numbers_of(const RetrievalStatistics& statistics) {
    using figures::exact_text;
    figures::Numbers numbers;
    for (const auto* column : {"selection", "run", "counted", "step", "lambda_cov", "seed", "K", "pool_size",
                               "selections", "usage_entropy", "entropy_of_maximum", "effective_anchors",
                               "distinct_anchors", "top20_share", "key_cosine"})
        numbers.columns << QString::fromLatin1(column);
    const auto& rows = statistics.rows;
    const auto n = rows.size();
    for (const auto& row : rows) numbers.columns << QStringLiteral("jaccard: ") + row.name;
    for (const auto& row : rows) numbers.columns << QStringLiteral("jaccard_top20: ") + row.name;
    for (std::size_t i = 0; i < n; ++i) {
        const auto& r = rows[i];
        QStringList cells{r.name,
                          r.run,
                          usage_name(r.of),
                          r.step < 0 ? QString() : QString::number(r.step),
                          r.lambda_cov == dash() ? QString() : r.lambda_cov,
                          r.seed ? QString::number(*r.seed) : QString(),
                          r.top_k > 0 ? QString::number(r.top_k) : QString(),
                          QString::number(r.counts.size()),
                          QString::number(r.usage.retrievals),
                          exact_text(r.usage.entropy),
                          exact_text(r.usage.evenness),
                          exact_text(r.usage.effective),
                          QString::number(r.usage.distinct),
                          exact_text(r.top_share),
                          exact_text(r.key_cosine)};
        for (std::size_t j = 0; j < n; ++j) cells << exact_text(statistics.overlaps.jaccard[i * n + j]);
        for (std::size_t j = 0; j < n; ++j) cells << exact_text(statistics.overlaps.jaccard_top[i * n + j]);
        numbers.rows.push_back(std::move(cells));
    }
    return numbers;
}

}  // namespace

figures::Figure retrieval_figure(const RetrievalStatistics& statistics) {
    figures::Figure figure{QStringLiteral("selection"), QStringLiteral("Overlap of retrieved anchors")};
    const auto& rows = statistics.rows;
    const auto n = rows.size();
    if (n == 0) return figure;
    figure.numbers = numbers_of(statistics);
    if (n < 2) return figure;
    QStringList row_names, runs;
    for (const auto& row : rows) {
        row_names << row.name;
        runs << row.run;
    }
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < n; ++i) ids.push_back(static_cast<std::int64_t>(i));
    for (const bool only_top : {false, true}) {
        figures::Heatmap map;
        map.rows = map.columns = static_cast<std::int64_t>(n);
        for (const double value : only_top ? statistics.overlaps.jaccard_top : statistics.overlaps.jaccard)
            map.values.push_back(static_cast<float>(value));
        map.value_title = QStringLiteral("Jaccard overlap");
        map.colour_map = QStringLiteral("cividis");
        map.min = 0;
        map.max = 1;
        map.row_names = map.column_names = row_names;
        map.row_ids = map.column_ids = ids;
        figures::Plot plot;
        plot.title = only_top ? QStringLiteral("(b) the 20 most used anchors")
                              : QStringLiteral("(a) all retrieved anchors");
        plot.legend = false;
        plot.heatmap = std::move(map);
        figure.plots.push_back(std::move(plot));
    }
    figure.columns = 2;
    runs.removeDuplicates();
    figure.caption = QStringLiteral(
                         "Jaccard overlap |A ∩ B| / |A ∪ B| of the sets of anchors retrieved at least once "
                         "(a) and of the 20 most used anchors (b), for %1. Training: accumulated up to the "
                         "snapshot; test: over the test windows at the best checkpoint.")
                         .arg(names(runs));
    return figure;
}

}  // namespace casp::widgets
