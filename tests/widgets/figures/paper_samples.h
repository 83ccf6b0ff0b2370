#pragma once
// A sweep over λ_cov made by hand: usage, embeddings, layouts, scores and strata of two conditions, the same
// on every machine.

#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "figures/paper_input.h"
#include "figures/recipe_compare.h"
#include "figures/recipe_forecasts.h"
#include "figures/recipe_paper_embeddings.h"
#include "figures/recipe_strata.h"
#include "figures/style.h"

namespace samples {

using namespace casp;
using namespace casp::figures;

/// 0 … 1, reproducible without the library's distributions.
class Numbers01 {
public:
    explicit Numbers01(std::uint64_t seed) : state_(seed * 2654435769U + 12345U) {}
    double next() {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<double>(state_ >> 11U) / 9007199254740992.0;
    }
    /// Sum of twelve: about normal, mean 0, standard deviation 1.
    double normal() {
        double sum = -6;
        for (int i = 0; i < 12; ++i) sum += next();
        return sum;
    }

private:
    std::uint64_t state_;
};

inline constexpr std::int64_t pool = 200, windows = 24, channels = 3, rows = windows * channels, top = 8;

/// Two conditions with two seeds each; `strength` says how evenly anchors are used.
struct Sweep {
    std::vector<std::unique_ptr<store::RunRecord>> records;
    std::vector<RunInput> inputs;
    PaperCell cell;

    Sweep() {
        const double lambdas[] = {0, 0.1};
        inputs.reserve(4);
        for (int c = 0; c < 2; ++c)
            for (int seed = 0; seed < 2; ++seed) {
                auto record = std::make_unique<store::RunRecord>();
                auto& anchors = record->anchors;
                anchors.pool_size = pool;
                anchors.snapshot_step = {100, 200};
                Numbers01 random(static_cast<std::uint64_t>(10 * c + seed));
                for (int snapshot = 0; snapshot < 2; ++snapshot)
                    for (std::int64_t a = 0; a < pool; ++a) {
                        const bool narrow = c == 0;
                        const bool used = random.next() < (narrow ? 0.15 : 0.6);
                        const double most = narrow ? 900 : 260;
                        anchors.usage_train.push_back(
                            used ? static_cast<std::int64_t>(most * random.next() * random.next()) : 0);
                        anchors.coverage_statistic.push_back(0.1F);
                    }
                record->data.channel_names = {"HUFL", "HULL", "OT"};
                RunInput run;
                run.folder = QStringLiteral("/runs/%1-%2").arg(c).arg(seed);
                run.label = QStringLiteral("λ_cov %1 · seed %2").arg(lambdas[c]).arg(2021 + seed);
                run.colour = run_colour(c);
                run.record = record.get();
                auto config = std::make_shared<config::Config>();
                config->loss.lambda_cov = lambdas[c];
                config->train.seed = 2021 + seed;
                config->model.top_k = top;
                run.config = config;
                records.push_back(std::move(record));
                inputs.push_back(run);
            }
        cell.name = QStringLiteral("ETTh1 · H 96");
        cell.key = QStringLiteral("λ_cov");
        for (int c = 0; c < 2; ++c)
            cell.conditions.push_back(
                {QStringLiteral("λ_cov = %1").arg(lambdas[c]),
                 lambdas[c],
                 run_colour(c),
                 {&inputs[static_cast<std::size_t>(2 * c)], &inputs[static_cast<std::size_t>(2 * c + 1)]}});
    }
    Sweep(const Sweep&) = delete;
    Sweep& operator=(const Sweep&) = delete;

    [[nodiscard]] EmbeddedRun embedded(int condition) const {
        auto values = std::make_shared<store::Embeddings>();
        values->dimension = 2;
        values->pool_size = pool;
        values->top_k = top;
        values->rows = rows;
        values->windows_total = 2785;
        values->channels_total = channels;
        values->split = "test";
        values->weights = "best";
        for (std::int64_t w = 0; w < windows; ++w) values->windows.push_back(w * 121);
        values->channels = {0, 1, 2};
        const auto& of = cell.conditions[static_cast<std::size_t>(condition)];
        return {of.label, of.runs.front(), values};
    }

    /// Points of the kinds in some clusters.
    [[nodiscard]] store::EmbeddingLayout layout(int condition, bool anchors, bool series,
                                                bool prompts) const {
        store::EmbeddingLayout result;
        result.kl = 1.25 + condition;
        result.perplexity = 30;
        result.iterations = 750;
        result.seed = 2021;
        Numbers01 random(static_cast<std::uint64_t>(77 + condition));
        const auto add = [&](int kind, std::int64_t n, double x, double y, double spread) {
            for (std::int64_t i = 0; i < n; ++i) {
                const double angle = 2 * M_PI * static_cast<double>(i % 5) / 5;
                result.points.push_back(
                    static_cast<float>(x + 4 * std::cos(angle) + spread * random.normal()));
                result.points.push_back(
                    static_cast<float>(y + 4 * std::sin(angle) + spread * random.normal()));
                result.kind.push_back(kind);
                result.row.push_back(static_cast<std::int32_t>(i));
            }
        };
        if (anchors) add(kind_anchor, pool, -6, 4, condition == 0 ? 0.5 : 2.5);
        if (series) add(kind_series, rows, 7, 2, 1);
        if (prompts) add(kind_prompt, rows, 2, -8, 0.8);
        return result;
    }

    [[nodiscard]] PlanesOfRun planes(int condition) const {
        PlanesOfRun result{embedded(condition), {}, true};
        Numbers01 random(static_cast<std::uint64_t>(5 + condition));
        for (const int kind : {kind_anchor, kind_series, kind_prompt}) {
            KindPlane plane;
            plane.kind = kind;
            const auto n = kind == kind_anchor ? pool : rows;
            plane.rows = kind == kind_anchor ? pool : 2785 * channels;  // a sample of them is drawn
            for (std::int64_t i = 0; i < n; ++i) {
                plane.points.push_back(3 * random.normal());
                plane.points.push_back((kind == kind_anchor && condition == 0 ? 0.1 : 1.5) * random.normal());
            }
            plane.centred = condition == 0 ? std::array{0.985, 0.0013} : std::array{0.5583, 0.4096};
            plane.uncentred = condition == 0 ? std::array{0.99, 0.001} : std::array{0.7, 0.25};
            result.kinds.push_back(plane);
        }
        return result;
    }

    [[nodiscard]] AlignmentOfRun aligned(int condition) const {
        AlignmentOfRun result;
        result.of = embedded(condition);
        result.series = layout(condition, false, true, false);
        result.prompts = layout(condition, false, false, true);
        for (std::int64_t r = 0; r < rows; ++r) result.map_rows.push_back(r);
        for (std::int64_t i = 0; i < rows; ++i)
            for (std::int64_t j = 0; j < rows; ++j)
                result.cosine.push_back(static_cast<float>(
                    0.6 + 0.3 * std::cos(2 * M_PI * static_cast<double>(i - j) / 12) + 0.05 * condition));
        result.matching = 0.91;
        result.others = 0.62;
        return result;
    }

    [[nodiscard]] ScoresOfRun scores(int condition) const {
        ScoresOfRun result;
        result.of = embedded(condition);
        Numbers01 random(static_cast<std::uint64_t>(21 + condition));
        for (std::int64_t a = 0; a < 40; ++a) result.anchors.push_back(3 * a);
        for (std::int64_t r = 0; r < rows; ++r) result.rows.push_back(r);
        for (std::int64_t a = 0; a < 40; ++a) {
            const double band = condition == 0 && a % 7 == 0 ? 0.5 : 0;
            for (std::int64_t r = 0; r < rows; ++r)
                result.values.push_back(static_cast<float>(0.1 + band + 0.1 * random.next()));
        }
        return result;
    }

    [[nodiscard]] DistributionOfRun distribution(int condition) const {
        DistributionOfRun result;
        result.of = embedded(condition);
        result.colour = cell.conditions[static_cast<std::size_t>(condition)].colour;
        for (int b = 0; b <= 20; ++b) result.edges.push_back(-0.5 + 0.075 * b);
        for (int b = 0; b < 20; ++b) {
            const double x = (b - 8.0 - 2 * condition) / 3, y = (b - 15.0 + 2 * condition) / 1.5;
            result.all.push_back(static_cast<std::int64_t>(1000 * std::exp(-x * x)));
            result.retrieved.push_back(static_cast<std::int64_t>(200 * std::exp(-y * y)));
        }
        result.mean_all = 0.1;
        result.mean_retrieved = 0.6;
        return result;
    }

    [[nodiscard]] StrataOfCondition strata(int condition) const {
        const auto& of = cell.conditions[static_cast<std::size_t>(condition)];
        StrataOfCondition result{of.label, of.colour, {}};
        for (int seed = 0; seed < 2; ++seed) {
            StrataOfRun run;
            run.run = of.runs[static_cast<std::size_t>(seed)];
            run.seed = 2021 + seed;
            for (int i = 0; i <= 10; ++i) run.edges.push_back(0.05 + 0.02 * i);
            for (int i = 0; i < 10; ++i) {
                run.windows.push_back(i < 5 ? 279 : 278);
                run.mse.push_back(0.25 + 0.03 * i + 0.01 * seed - (condition == 1 ? 0.002 * i : 0));
                run.mae.push_back(0.3 + 0.02 * i);
                run.entropy.push_back(std::log(8.0) + 0.01 * i * condition);
                run.distinct.push_back(8 + i * condition);
            }
            if (condition > 0) {
                for (int i = 0; i < 10; ++i)
                    run.changes.push_back(-0.2 * i / (0.25 + 0.03 * i + 0.01 * seed));
                run.change = -1.5;
                run.easiest_change = -0.2;
                run.hardest_change = -3.25;
            }
            result.runs.push_back(run);
        }
        return result;
    }

    /// One window, as both conditions forecast it.
    [[nodiscard]] Figure forecast() const {
        std::vector<ForecastWindow> shown;
        for (int c = 0; c < 2; ++c) {
            const auto& of = cell.conditions[static_cast<std::size_t>(c)];
            ForecastWindow w;
            w.folder = of.runs.front()->folder;
            w.label = of.label;
            w.colour = of.colour;
            w.number = 1200;
            w.start = 15000;
            w.lookback_length = 192;
            w.horizon = 96;
            w.channels = channels;
            for (std::int64_t t = 0; t < w.lookback_length + w.horizon; ++t)
                for (std::int64_t m = 0; m < channels; ++m) {
                    const double day = std::sin(2 * M_PI * static_cast<double>(t) / 24),
                                 slow = static_cast<double>(t) / 150;
                    const auto value = static_cast<float>(day + slow);
                    if (t < w.lookback_length) {
                        w.lookback.push_back(value);
                        continue;
                    }
                    w.truth.push_back(value);
                    w.prediction.push_back(static_cast<float>((0.6 + 0.25 * c) * day + slow - 0.3 + 0.2 * c));
                }
            shown.push_back(std::move(w));
        }
        store::DataSection data;
        data.channel_names = {"HUFL", "HULL", "OT"};
        data.mean = {0, 0, 0};
        data.std = {1, 1, 1};
        ForecastOptions options;
        options.split = QStringLiteral("test");
        options.errors = true;
        auto figure = forecast_windows(shown, data, options);
        figure.id = QStringLiteral("forecast");
        return figure;
    }

    /// Four λ_cov with three seeds each.
    [[nodiscard]] static Figure sensitivity() {
        std::vector<CompareRun> runs;
        const double lambdas[] = {0, 0.01, 0.1, 0.5};
        for (int c = 0; c < 4; ++c)
            for (int seed = 0; seed < 3; ++seed) {
                auto config = std::make_shared<config::Config>();
                config->data.path = "/data/ETTh1.csv";
                config->loss.lambda_cov = lambdas[c];
                config->train.seed = 2021 + seed;
                CompareRun run;
                run.folder = QStringLiteral("/runs/%1-%2").arg(c).arg(seed);
                run.row.state = store::RunState::finished;
                run.row.data = "ETTh1";
                run.row.model = "casp-llm";
                run.row.horizon = 96;
                run.row.lambda_cov = lambdas[c];
                run.row.seed = 2021 + seed;
                run.row.test_mse = 0.40 - 0.02 * c + 0.01 * c * c + 0.004 * seed;
                run.row.test_mae = 0.42 + 0.01 * c;
                run.row.val_mse = 0.7;
                run.row.usage_entropy = 2.1 + 0.8 * c + 0.1 * seed;
                run.row.distinct_anchors = 8 + 20 * c;
                run.row.key_cosine = 0.9 - 0.2 * c + 0.01 * seed;
                run.row.seconds = 1000;
                run.config = config;
                runs.push_back(std::move(run));
            }
        return figures::sensitivity(runs, {QStringLiteral("loss.lambda_cov")});
    }

    /// Every recipe of the paper's figures once.
    [[nodiscard]] std::vector<Figure> all() const {
        std::vector<Figure> figures;
        const auto note = seed_note(cell, {cell.conditions[0].runs[0], cell.conditions[1].runs[0]});
        figures.push_back(usage_strips(cell));
        figures.push_back(top_concentration({cell}));
        figures.push_back(pca_planes(cell.name, {planes(0), planes(1)}, note));
        figures.push_back(pca_variance(cell.name, {planes(0), planes(1)}, note));
        figures.push_back(tsne_planes(
            cell.name,
            {{embedded(0), layout(0, true, true, true)}, {embedded(1), layout(1, true, true, true)}}, note));
        figures.push_back(alignment(cell.name, {aligned(0), aligned(1)}, note));
        figures.push_back(score_heatmaps(cell.name, {scores(0), scores(1)}, note));
        figures.push_back(score_distributions(cell.name, {distribution(0), distribution(1)}, note));
        figures.push_back(difficulty_strata(cell.name, {strata(0), strata(1)}));
        figures.push_back(forecast());
        figures.push_back(sensitivity());
        return figures;
    }
};

}  // namespace samples
