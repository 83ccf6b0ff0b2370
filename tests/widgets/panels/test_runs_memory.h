#pragma once
// Runs in memory behind the interfaces that the panels are written against.

#include <map>
#include <memory>

#include "config/experiment.h"
#include "config/options.h"
#include "state/embedding_set.h"
#include "state/run_library.h"

namespace casp::widgets::testing {

class MemoryRun : public RunData {
public:
    RunSummary its_summary;
    store::RunRecord its_record;
    RunPace its_pace;
    QString its_problem;
    bool loaded = true;
    int loads = 0;
    std::vector<std::shared_ptr<const train::Probe>> its_probes;
    std::shared_ptr<const EmbeddingSet> its_set;

    const RunSummary& summary() const override { return its_summary; }
    const store::RunRecord& record() const override { return its_record; }
    const std::vector<std::shared_ptr<const train::Probe>>& probes() const override { return its_probes; }
    std::shared_ptr<const EmbeddingSet> embeddings() override { return its_set; }
    const RunPace& pace() const override { return its_pace; }
    bool is_loaded() const override { return loaded; }
    QString problem() const override { return its_problem; }
    void load() override { ++loads; }
    std::shared_ptr<const store::ForecastArrays> forecasts(const QString&, std::int64_t,
                                                           std::int64_t) override {
        return nullptr;
    }
    std::shared_ptr<const store::ForecastArrays> window_errors(const QString&) override { return nullptr; }
    std::shared_ptr<const std::vector<float>> lookbacks(const QString&, std::int64_t, std::int64_t) override {
        return nullptr;
    }
    QString problem_with_data() const override { return {}; }
};

class MemoryLibrary : public RunLibrary {
public:
    std::vector<std::shared_ptr<MemoryRun>> runs;
    std::map<QString, std::shared_ptr<MemoryRun>> basket;

    QString folder() const override { return QStringLiteral("/runs"); }
    void open(const QString&) override {}
    void refresh() override {}
    int size() const override { return static_cast<int>(runs.size()); }
    const RunSummary& at(int index) const override {
        return runs[static_cast<std::size_t>(index)]->its_summary;
    }
    int index_of(const QString& folder) const override {
        for (std::size_t i = 0; i < runs.size(); ++i)
            if (runs[i]->its_summary.folder == folder) return static_cast<int>(i);
        return -1;
    }
    MemoryRun* run(const QString& folder) const {
        const int i = index_of(folder);
        return i < 0 ? nullptr : runs[static_cast<std::size_t>(i)].get();
    }
    RunData* data(const QString& folder) override { return run(folder); }
    bool set_note(const QString& folder, const QString& note) override {
        if (run(folder) == nullptr) return false;
        run(folder)->its_summary.note = note;
        Q_EMIT changed(index_of(folder));
        return true;
    }
    QString why_empty() const override { return its_why_empty; }
    QString its_why_empty;
    bool set_colour(const QString& folder, const QColor& colour) override {
        if (run(folder) == nullptr || is_leaving(folder)) return false;
        run(folder)->its_summary.colour = colour;
        Q_EMIT changed(index_of(folder));
        return true;
    }
    QStringList discard(const QStringList& folders) {
        QStringList problems;
        for (const auto& folder : folders) {
            const int i = index_of(folder);
            if (i < 0) continue;
            if (at(i).live) {
                problems += at(i).name + QStringLiteral(" goes on: cancel it first.");
                continue;
            }
            basket[folder] = runs[static_cast<std::size_t>(i)];
            runs.erase(runs.begin() + i);
            Q_EMIT removed(folder);
        }
        return problems;
    }
    QStringList discarded() const override {
        QStringList folders;
        for (const auto& [folder, run] : basket) folders += folder;
        return folders;
    }
    QStringList restore(const QStringList& folders) {
        for (const auto& folder : folders) {
            const auto it = basket.find(folder);
            if (it == basket.end()) continue;
            runs.push_back(it->second);
            basket.erase(it);
            Q_EMIT added(size() - 1, size() - 1);
        }
        return {};
    }
    void start_discard(const QStringList& folders) override { report(folders, false, discard(folders)); }
    void start_restore(const QStringList& folders) override { report(folders, true, restore(folders)); }
    void report(const QStringList& folders, bool back, const QStringList& problems) {
        RunMoves moves{folder(), back, {}, {}, problems};
        for (const auto& run : folders) ((basket.count(run) > 0) == back ? moves.failed : moves.moved) << run;
        Q_EMIT moves_ended(moves);
    }
    void empty_wastebasket() override { basket.clear(); }

    /// A finished run of the experiment `batch`; the error depends on λ and seed in a known way.
    template <class Run = MemoryRun>
    Run& add(const QString& batch, double lambda, int seed, const QString& extra = {}) {
        auto run = std::make_shared<Run>();
        auto& s = run->its_summary;
        s.batch = batch;
        s.name = QStringLiteral("lambda_cov-%1_seed-%2").arg(lambda).arg(seed) + extra;
        s.folder = QStringLiteral("/runs/%1/%2").arg(batch, s.name);
        s.row.run = s.name.toStdString();
        s.row.state = store::RunState::finished;
        s.row.data = batch.section(QLatin1Char('-'), 0, 0).toStdString();
        s.row.model = "casp-llm";
        s.row.lookback = 512;
        s.row.horizon = 96;
        s.row.lambda_sim = 0.05;
        s.row.lambda_cov = lambda;
        s.row.seed = seed;
        s.row.epochs = 12;
        s.row.best_epoch = 9;
        s.row.steps = 1260;
        s.row.val_mse = 0.40 - 0.1 * lambda + 0.001 * (seed - 2021);
        s.row.test_mse = 0.37 - 0.1 * lambda + 0.002 * (seed - 2021);
        s.row.test_mae = 0.39 - 0.05 * lambda + 0.001 * (seed - 2021);
        s.row.last_value_mse = 0.7134;
        s.row.usage_entropy = 3.1 + lambda;
        s.row.distinct_anchors = 120;
        s.row.key_cosine = 0.82 - lambda;
        s.row.seconds = 421.5;
        s.row.backbone = "openai-gpt2-small";
        s.row.swept = {{"loss.lambda_cov", QString::number(lambda).toStdString()},
                       {"train.seed", std::to_string(seed)}};
        s.updated = QStringLiteral("2026-03-01T12:00:%1Z").arg(runs.size() % 60, 2, 10, QLatin1Char('0'));
        s.created = s.updated;
        s.colour = QColor::fromHsv(static_cast<int>(runs.size() * 47 % 360), 170, 200);
        config::Config config;
        config.name = batch.toStdString();
        config.data.path = "/data/" + s.row.data + ".csv";
        config.loss.lambda_cov = lambda;
        config.train.seed = seed;
        run->its_record.attributes.config = config::to_toml(config);
        runs.push_back(run);
        return *run;
    }
};

}  // namespace casp::widgets::testing
