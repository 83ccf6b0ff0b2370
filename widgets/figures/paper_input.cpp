#include "figures/paper_input.h"

#include <algorithm>

namespace casp::figures {

QString panel_letter(std::size_t index) {
    if (index < 26) return QStringLiteral("(%1) ").arg(QChar(static_cast<char16_t>(u'a' + index)));
    return QStringLiteral("(%1) ").arg(index + 1);
}

QString seed_note(const PaperCell& cell) {
    std::size_t most = 0;
    for (const auto& condition : cell.conditions) most = std::max(most, condition.runs.size());
    if (most < 2) return {};
    const auto* config = cell.conditions.front().runs.front()->config.get();
    return config != nullptr ? QStringLiteral(" Seed %1, one of %2.").arg(config->train.seed).arg(most)
                             : QStringLiteral(" The first of %1 seeds.").arg(most);
}

}  // namespace casp::figures
