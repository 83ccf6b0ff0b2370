#pragma once
// Runs in memory with embeddings and forecasts of two channels, for tests of what is chosen on the pages.

#include <random>

#include <QLabel>
#include <QTest>

#include "analysis/pca.h"
#include "inspect/window_embeddings.h"
#include "panels/view/view_page.h"
#include "test_runs_memory.h"

namespace casp::widgets::testing {

inline constexpr std::int64_t pool = 6, width = 4, windows = 20;

/// Embeddings of 20 test windows of two channels; a row chooses the anchors row % 6 + `shift` and the next.
inline std::shared_ptr<EmbeddingSet> set_of(const QString& folder, std::int32_t shift = 0) {
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = folder;
    auto& v = set->values;
    v.dimension = width;
    v.pool_size = pool;
    v.top_k = 2;
    v.split = "test";
    v.weights = "best";
    v.channels = {0, 1};
    v.windows_total = windows;
    v.channels_total = 2;
    v.rows = 2 * windows;
    std::mt19937 random(static_cast<unsigned>(shift) + 1);
    std::normal_distribution<float> normal;
    const auto noise = [&](std::int64_t rows) {
        std::vector<float> values(static_cast<std::size_t>(rows * width));
        for (auto& value : values) value = normal(random);
        return values;
    };
    for (std::int64_t w = 0; w < windows; ++w) {
        v.windows.push_back(w);
        v.start.push_back(w);
    }
    for (std::int32_t row = 0; row < 2 * windows; ++row) {
        v.retrieved.push_back((row + shift) % pool);
        v.retrieved.push_back((row + shift + 1) % pool);
        v.mse.push_back(1);
        v.mae.push_back(1);
        v.residual.push_back(static_cast<float>(row));
    }
    v.anchors = noise(pool);
    v.series = noise(v.rows);
    v.prompt = noise(v.rows);
    v.usage.assign(pool, 1);
    v.pca = analysis::joint_layout(v.anchors, v.series, v.prompt, width, 3);
    return set;
}

class Run : public MemoryRun {
public:
    int computed = 0;
    inspect::EmbeddingRequest asked = {};   ///< by the latest compute_embeddings()
    std::int64_t stored_windows = windows;  ///< of the test split
    std::int64_t first_row = 0;             ///< of the first of them
    void compute_embeddings(const inspect::EmbeddingRequest& request) override {
        ++computed;
        asked = request;
    }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString& split) override {
        if (split != QStringLiteral("test") || !its_record.test) return nullptr;
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = stored_windows;
        a->channels = 2;
        a->mse.assign(static_cast<std::size_t>(2 * stored_windows), 0.5F);
        return a;
    }
    std::shared_ptr<const store::ForecastArrays> forecasts(const QString&, std::int64_t first,
                                                           std::int64_t count) override {
        auto a = std::make_shared<store::ForecastArrays>();
        a->windows = count;
        a->channels = static_cast<std::int64_t>(its_record.data.channel_names.size());
        a->horizon = 3;
        a->truth.assign(static_cast<std::size_t>(count * 3 * a->channels), 1);
        a->prediction.assign(a->truth.size(), 0.5F);
        for (std::int64_t w = first; w < first + count; ++w) a->start.push_back(first_row + w);
        return a;
    }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t,
                                                        std::int64_t count) override {
        return std::make_shared<std::vector<float>>(
            static_cast<std::size_t>(count) * 512 * its_record.data.channel_names.size(), 1.0F);
    }
};

class ChoicesLibrary : public MemoryLibrary {
public:
    Run& make(double lambda, int seed = 2021) {
        auto& run = add<Run>(QStringLiteral("x-96"), lambda, seed);
        run.its_record.data.channel_names = {"HUFL", "OT"};
        run.its_record.steps.step = {1, 2};
        run.its_record.test.emplace();
        run.its_set = set_of(run.folder(), static_cast<std::int32_t>(runs.size()));
        return run;
    }
};

/// A probe with forecasts of the validation windows 7 and 40.
inline std::shared_ptr<train::Probe> probe() {
    auto p = std::make_shared<train::Probe>();
    p->step = 5;
    p->windows = {7, 40};
    p->start = {107, 140};
    p->channels = {0, 1};
    p->rows = 4;
    p->lookback_length = 3;
    p->horizon = 2;
    p->lookback.assign(12, 1);
    p->truth.assign(8, 1);
    p->prediction.assign(8, 2);
    return p;
}

inline QString said(const ViewPage& page) {
    const auto* label = page.findChild<QLabel*>(QStringLiteral("problems"));
    return label->isVisible() ? label->toolTip() : QString();
}

inline void show(ViewPage& page) {
    page.resize(1100, 1200);
    page.show();
    if (!QTest::qWaitForWindowExposed(&page)) qFatal("no window");
    page.update_now();
}

}  // namespace casp::widgets::testing
