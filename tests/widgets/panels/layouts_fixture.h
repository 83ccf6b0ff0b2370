#pragma once
// Small sets of embeddings, a run in memory that has them, and the embeddings page over it.

#include <memory>
#include <random>
#include <vector>

#include <QTest>

#include "analysis/pca.h"
#include "panel_test.h"
#include "panels/embeddings/embeddings_layout.h"
#include "panels/embeddings/embeddings_page.h"
#include "panels/embeddings/embeddings_source.h"
#include "panels/embeddings/embeddings_space.h"
#include "panels/embeddings/layout_work.h"
#include "test_runs_memory.h"
#include "vtk/embedding_view.h"

namespace casp::widgets::testing::layouts {

inline constexpr std::int64_t width = 8;

inline std::vector<float> noise(std::size_t n, unsigned seed, float shift = 0) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(n);
    for (auto& value : values) value = shift + normal(random);
    return values;
}

/// 20 anchors, windows of two channels.
inline std::shared_ptr<EmbeddingSet> set_of(unsigned seed, const QString& folder = QStringLiteral("/a"),
                                            std::int64_t windows = 30) {
    const std::int64_t rows = 2 * windows;
    auto set = std::make_shared<EmbeddingSet>();
    set->folder = folder;
    auto& v = set->values;
    v.dimension = width;
    v.pool_size = 20;
    v.top_k = 2;
    v.split = "test";
    v.weights = "best";
    for (std::int64_t w = 0; w < windows; ++w) {
        v.windows.push_back(w);
        v.start.push_back(100 + w);
    }
    v.channels = {0, 1};
    v.windows_total = windows;
    v.channels_total = 2;
    v.rows = rows;
    const auto values = static_cast<std::size_t>(rows * width);
    v.anchors = noise(20 * width, seed);
    v.series = noise(values, seed + 1, 3);
    v.prompt = noise(values, seed + 2, -3);
    for (std::int64_t i = 0; i < 2 * rows; ++i) v.retrieved.push_back(static_cast<std::int32_t>(i % 20));
    v.usage.assign(20, 6);
    v.mse.assign(static_cast<std::size_t>(rows), 1);
    v.pca = analysis::joint_layout(v.anchors, v.series, v.prompt, width, 3);
    return set;
}

inline LayoutOptions tsne_options(std::int64_t iterations) {
    LayoutOptions options;
    options.method = LayoutMethod::tsne;
    options.perplexity = 10;
    options.iterations = iterations;
    return options;
}

inline bool reach(LayoutWork& work, LayoutWork::State state) {
    return QTest::qWaitFor([&] { return work.state() == state; }, patience);
}

inline std::shared_ptr<train::Probe> probe_of(std::int64_t step, unsigned seed) {
    auto probe = std::make_shared<train::Probe>();
    probe->split = "val";
    probe->weights = "last";
    probe->step = step;
    for (std::int64_t w = 0; w < 30; ++w) {
        probe->windows.push_back(10 * w);
        probe->start.push_back(10 * w);
    }
    probe->channels = {0, 1};
    probe->channels_total = 2;
    probe->rows = 60;
    probe->pool_size = 20;
    probe->top_k = 2;
    for (int i = 0; i < 120; ++i) probe->retrieved.push_back(i % 20);
    (void)probe->count_usage();
    probe->dimension = width;
    probe->anchors = noise(20 * width, 1);
    probe->series = noise(60 * width, 2, 3);
    probe->prompt = noise(60 * width, 3, -3);
    const auto moved = noise(60 * width, seed);
    for (std::size_t i = 0; i < moved.size(); ++i) probe->series[i] += 0.05F * moved[i];
    probe->pca = analysis::joint_layout(probe->anchors, probe->series, probe->prompt, width, 3);
    return probe;
}

/// The page over one run of two channels.
struct OnePage {
    MemoryLibrary library;
    Selection selection;
    std::shared_ptr<MemoryRun> run = std::make_shared<MemoryRun>();
    EmbeddingsPage page{&library, &selection};

    explicit OnePage(bool live) {
        run->its_summary.folder = QStringLiteral("/runs/x/a");
        run->its_summary.live = live;
        run->its_record.steps.step = {1};
        run->its_record.data.channel_names = {"HUFL", "OT"};
        if (live) run->its_probes = {probe_of(5, 1)};
        library.runs.push_back(run);
        Q_EMIT library.added(0, 0);
        page.resize(1000, 900);
    }
    void show() {
        selection.set_runs({run->folder()});
        page.show();
        page.update_now();
    }
    void changed(RunPart part) {
        Q_EMIT run->changed(part);
        page.update_now();
    }
    [[nodiscard]] const EmbeddingPoints& points() const { return page.space().view().points(); }
};

}  // namespace casp::widgets::testing::layouts
