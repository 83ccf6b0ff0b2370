#include "figures/recipe_input.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace casp::figures {

QColor neutral_colour() { return QColor(0x80, 0x80, 0x80); }

QString join_names(const std::vector<RunInput>& runs, std::size_t most) {
    QStringList names;
    for (const auto& run : runs) names << run.label;
    if (runs.size() <= most) return names.join(QStringLiteral(", "));
    const auto rest = runs.size() - most;
    return names.mid(0, static_cast<qsizetype>(most)).join(QStringLiteral(", ")) +
           QStringLiteral(" and %1 more").arg(rest);
}

std::int64_t top_k(const RunInput& run) {
    if (run.config) return run.config->model.prompt ? run.config->model.top_k : 0;
    for (const auto& probe : run.probes)
        if (probe) return probe->top_k;
    return 0;
}

QString channel_name(const store::DataSection& data, std::int64_t index) {
    if (index >= 0 && index < static_cast<std::int64_t>(data.channel_names.size()))
        return QString::fromStdString(data.channel_names[static_cast<std::size_t>(index)]);
    return QStringLiteral("channel %1").arg(index);
}

namespace {

/// Bits, so that NaN equals itself.
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

std::size_t shared_steps(const RunInput& run) {
    if (!run.record || !run.parent || run.record == run.parent) return 0;
    const auto &a = run.record->steps, &b = run.parent->steps;
    const auto n = std::min(
        {a.step.size(), b.step.size(), a.total.size(), b.total.size(), a.seconds.size(), b.seconds.size()});
    std::size_t i = 0;
    // Wall times too: two runs with one seed may agree in their losses, but not in these.
    while (i < n && a.step[i] == b.step[i] && same(a.total[i], b.total[i]) &&
           same(a.seconds[i], b.seconds[i]))
        ++i;
    return i;
}

std::size_t shared_epochs(const RunInput& run) {
    if (!run.record || !run.parent || run.record == run.parent) return 0;
    const auto &a = run.record->epochs, &b = run.parent->epochs;
    const auto n = std::min({a.val_mse.size(), b.val_mse.size(), a.seconds.size(), b.seconds.size(),
                             a.epoch.size(), b.epoch.size()});
    std::size_t i = 0;
    while (i < n && a.epoch[i] == b.epoch[i] && same(a.val_mse[i], b.val_mse[i]) &&
           same(a.seconds[i], b.seconds[i]))
        ++i;
    return i;
}

std::shared_ptr<const train::Probe> probe_at(const RunInput& run, std::optional<std::int64_t> step) {
    if (run.probes.empty()) return nullptr;
    if (!step) return run.probes.back();
    auto found = run.probes.front();
    for (const auto& probe : run.probes)
        if (probe->step <= *step) found = probe;
    return found;
}

}  // namespace casp::figures
