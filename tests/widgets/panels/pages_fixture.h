#pragma once
// Runs in memory with curves, anchors, probes and forecasts of six windows, and one page over them.

#include <QTest>

#include "charts/figure_view.h"
#include "panels/view/view_page.h"
#include "test_runs_memory.h"

namespace casp::widgets::testing {

/// A run with probes and stored forecasts of 6 windows; what it was asked for is counted.
class ViewRun : public MemoryRun {
public:
    bool arrays_are_there = true;
    std::vector<float> errors{0.3F, 0.1F, 0.9F, 0.4F, 0.5F, 0.2F};  ///< of the windows

    std::shared_ptr<const store::ForecastArrays> forecasts(const QString& split, std::int64_t first,
                                                           std::int64_t count) override {
        if (!arrays_are_there || split != QStringLiteral("test")) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = count;
        a->horizon = 2;
        a->channels = 2;
        for (std::int64_t w = first; w < first + count; ++w) {
            a->start.push_back(100 + w);
            for (int i = 0; i < 4; ++i) {
                a->truth.push_back(static_cast<float>(w));
                a->prediction.push_back(static_cast<float>(w) + 0.5F);
            }
        }
        return a;
    }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        if (!arrays_are_there || split != QStringLiteral("test")) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = 6;
        a->channels = 2;
        // Over both channels, window 0 is the worst.
        for (const float mse : errors) a->mse.insert(a->mse.end(), {mse == 0.3F ? 5 : mse, mse});
        return a;
    }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t,
                                                        std::int64_t count) override {
        return arrays_are_there
                   ? std::make_shared<std::vector<float>>(static_cast<std::size_t>(count * 3 * 2), 1.0F)
                   : nullptr;
    }
};

inline std::shared_ptr<const train::Probe> probe_of(std::int64_t step) {
    auto p = std::make_shared<train::Probe>();
    p->split = "val";
    p->weights = "last";
    p->step = step;
    p->windows = {7, 40};
    p->start = {107, 140};
    p->channels = {0, 1};
    p->channels_total = 2;
    p->rows = 4;
    p->lookback_length = 3;
    p->horizon = 2;
    p->pool_size = 4;
    p->top_k = 1;
    p->lookback.assign(12, 1);
    p->truth.assign(8, 1);
    p->prediction = {1, 1, 1, 1, 2, 2, 2, 2};
    for (int i = 0; i < 16; ++i) p->similarity.push_back(static_cast<float>(i) / 16);
    p->mse = p->mae = {0, 0, 1, 1};
    p->usage.assign(4, 0);
    p->pca.components = 2;
    for (int i = 0; i < 12; ++i) {
        p->pca.points.insert(p->pca.points.end(), {static_cast<float>(i), static_cast<float>(i % 3)});
        p->pca.kind.push_back(i < 4 ? 0 : i < 8 ? 1 : 2);
        p->pca.row.push_back(i % 4);
    }
    p->pca.variance_ratio = {0.5, 0.25, 0.5, 0.25, 0.5, 0.25};
    return p;
}

inline std::string its_config() {
    config::Config config;
    config.data.path = "/data/x.csv";
    config.data.lookback = 3;
    config.data.horizon = 2;
    config.model.patch_length = 2;
    config.model.patch_stride = 1;
    config.model.trend_length = 2;
    config.model.seasonal_length = 2;
    config.model.pool_size = 4;
    config.model.top_k = 1;
    return config::to_toml(config);
}

class PagesLibrary : public MemoryLibrary {
public:
    ViewRun& make(const QString& name, bool evaluated = true) {
        auto run = std::make_shared<ViewRun>();
        run->its_summary.folder = QStringLiteral("/runs/x/") + name;
        run->its_summary.batch = QStringLiteral("x");
        run->its_summary.name = name;
        run->its_summary.row.data = name.toStdString();
        run->its_summary.colour = QColor(Qt::darkGreen);
        auto& r = run->its_record;
        static const auto config = its_config();
        r.attributes.config = config;
        extend(*run, 10);
        r.anchors.pool_size = 4;
        r.anchors.snapshot_step = {5, 10};
        r.anchors.usage_train = {1, 0, 3, 0, 0, 0, 8, 0};
        r.anchors.coverage_statistic = {0.1F, 0.2F, 0.3F, 0.4F, 0.1F, 0.2F, 0.3F, 0.4F};
        r.data.channel_names = {"HUFL", "OT"};
        r.data.mean = {10, 20};
        r.data.std = {2, 4};
        if (evaluated) {
            r.test.emplace();
            r.test->mse_per_step = {0.5, 0.6};
            r.test->mse_per_channel = {0.5, 0.6};
        }
        run->its_probes = {probe_of(5), probe_of(10)};
        runs.push_back(run);
        Q_EMIT added(size() - 1, size() - 1);
        return *run;
    }
    static void extend(ViewRun& run, std::int64_t steps) {
        auto& h = run.its_record.steps;
        for (std::int64_t s = 0; s < steps; ++s) {
            h.step.push_back(static_cast<std::int64_t>(h.step.size()) + 1);
            h.epoch.push_back(1);
            for (auto* column : {&h.learning_rate, &h.forecast, &h.term("similarity"), &h.term("coverage"),
                                 &h.total, &h.gate_share, &h.seconds})
                column->push_back(0.5);
        }
    }
};

template <class Page>
struct Shown {
    PagesLibrary library;
    Selection selection;
    ViewRun& run = library.make(QStringLiteral("a"));
    Page page{&library, &selection};
    Shown() {
        selection.set_runs({run.folder()});
        page.resize(1100, 800);
        page.show();
        page.update_now();
    }
    const figures::Figure& figure(const char* id) {
        page.update_now();
        return page.view(QString::fromLatin1(id))->figure();
    }
};

}  // namespace casp::widgets::testing
