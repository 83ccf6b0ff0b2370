#include "figures/paper_input.h"

#include <algorithm>
#include <limits>
#include <set>

namespace casp::figures {

namespace {

std::optional<std::int64_t> seed_of(const RunInput& run) {
    return run.config ? std::optional(run.config->train.seed) : std::nullopt;
}

/// Unknown seeds come last; equal seeds keep the order of the sweep.
std::vector<const RunInput*> by_seed(const Condition& condition) {
    const auto rank = [](const RunInput* run) {
        return seed_of(*run).value_or(std::numeric_limits<std::int64_t>::max());
    };
    auto runs = condition.runs;
    std::stable_sort(runs.begin(), runs.end(),
                     [&](const RunInput* a, const RunInput* b) { return rank(a) < rank(b); });
    return runs;
}

/// Seeds of the non-null runs.
std::set<std::optional<std::int64_t>> seeds_of(const std::vector<const RunInput*>& runs) {
    std::set<std::optional<std::int64_t>> seeds;
    for (const auto* run : runs)
        if (run != nullptr) seeds.insert(seed_of(*run));
    return seeds;
}

}  // namespace

QString panel_letter(std::size_t index) {
    if (index < 26) return QStringLiteral("(%1) ").arg(QChar(static_cast<char16_t>(u'a' + index)));
    return QStringLiteral("(%1) ").arg(index + 1);
}

std::vector<const RunInput*> runs_to_show(const PaperCell& cell,
                                          const std::function<bool(const RunInput&)>& usable) {
    std::vector<std::vector<const RunInput*>> runs;
    std::vector<const RunInput*> first;
    for (const auto& condition : cell.conditions) {
        runs.push_back(by_seed(condition));
        const auto found = std::find_if(runs.back().begin(), runs.back().end(),
                                        [&](const RunInput* run) { return usable(*run); });
        first.push_back(found == runs.back().end() ? nullptr : *found);
    }
    if (seeds_of(first).size() < 2) return first;
    const auto some =
        std::find_if(first.begin(), first.end(), [](const auto* run) { return run != nullptr; });
    for (const auto* candidate : runs[static_cast<std::size_t>(some - first.begin())]) {
        const auto fits = [&](const RunInput* run) {
            return seed_of(*run) == seed_of(*candidate) && usable(*run);
        };
        std::vector<const RunInput*> shown(first.size(), nullptr);
        bool all = true;
        for (std::size_t c = 0; c < first.size() && all; ++c) {
            if (first[c] == nullptr) continue;
            const auto found = std::find_if(runs[c].begin(), runs[c].end(), fits);
            all = found != runs[c].end();
            if (all) shown[c] = *found;
        }
        if (all) return shown;
    }
    return first;
}

QString seed_note(const PaperCell& cell, const std::vector<const RunInput*>& shown) {
    std::vector<const RunInput*> all;
    for (const auto& condition : cell.conditions)
        all.insert(all.end(), condition.runs.begin(), condition.runs.end());
    const auto there = seeds_of(all), seen = seeds_of(shown);
    if (seen.empty() || (seen.size() == 1 && !*seen.begin())) return {};
    const auto text_of = [](const std::optional<std::int64_t>& seed) {
        return seed ? QString::number(*seed) : QStringLiteral("unknown");
    };
    if (seen.size() == 1)
        return QStringLiteral(" Training seed %1%2.")
            .arg(text_of(*seen.begin()),
                 there.size() > 1 ? QStringLiteral(", one of %1").arg(there.size()) : QString());
    QStringList seeds;
    for (const auto* run : shown)
        for (const auto& condition : cell.conditions)
            if (run != nullptr &&
                std::find(condition.runs.begin(), condition.runs.end(), run) != condition.runs.end())
                seeds << QStringLiteral("%1 (%2)").arg(text_of(seed_of(*run)), condition.label);
    return QStringLiteral(" No training seed is available for every plot; seeds differ: %1.")
        .arg(seeds.join(QStringLiteral(", ")));
}

QString spread_note(const std::vector<std::size_t>& runs) {
    const auto [least, most] = std::minmax_element(runs.begin(), runs.end());
    if (runs.empty() || *most < 2) return {};
    return QStringLiteral(" Mean and sample standard deviation over %1 seeds.")
        .arg(*least == *most ? QString::number(*most) : QStringLiteral("%1–%2").arg(*least).arg(*most));
}

}  // namespace casp::figures
