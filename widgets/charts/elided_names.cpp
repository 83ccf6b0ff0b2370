#include "charts/elided_names.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <vector>

namespace casp::widgets {

namespace {

const QChar dots(0x2026);

bool fit(const QStringList& labels, const QFontMetricsF& metrics, double width) {
    return std::all_of(labels.begin(), labels.end(),
                       [&](const QString& label) { return metrics.horizontalAdvance(label) <= width; });
}

/// The words of names, and which of them all names have.
class Words {
public:
    explicit Words(const QStringList& names) {
        static const QRegularExpression word(QStringLiteral("[^\\s_\\-/,;:=·]+"));
        for (const auto& name : names) {
            auto& one = names_.emplace_back(Name{name, {}});
            for (const auto& match : word.globalMatch(name))
                one.words.push_back({match.capturedStart(), match.capturedEnd()});
            by_place_ = by_place_ && one.words.size() == names_.front().words.size();
        }
        for (std::size_t i = 0; i < names_.front().words.size(); ++i) common_.insert(key(names_.front(), i));
        for (const auto& name : names_) {
            QSet<QString> own;
            for (std::size_t i = 0; i < name.words.size(); ++i) own.insert(key(name, i));
            common_.intersect(own);
        }
    }

    /// As the names of a sweep: equally many words.
    [[nodiscard]] bool are_regular() const { return by_place_; }

    /// The words that distinguish the names, and of the others as many as fit beside them, the first first.
    /// Empty: there is no room, or a name has no such word.
    [[nodiscard]] QStringList labels(const QFontMetricsF& metrics, double width) {
        auto best = labels_without(common_);
        if (best.contains(QString(dots))) return {};
        if (!fit(best, metrics, width)) {
            // Every character counts.
            for (auto& label : best) {
                if (label.startsWith(dots)) label.remove(0, 1);
                if (label.endsWith(dots)) label.chop(1);
            }
            return fit(best, metrics, width) ? best : QStringList();
        }
        for (std::size_t i = 0; i < names_.front().words.size(); ++i) {
            auto fewer = common_;
            if (!fewer.remove(key(names_.front(), i))) continue;
            auto longer = labels_without(fewer);
            if (!fit(longer, metrics, width)) continue;
            common_ = std::move(fewer);
            best = std::move(longer);
        }
        return best;
    }

private:
    struct Name {
        QString text;
        std::vector<std::pair<qsizetype, qsizetype>> words;  ///< begin and end
    };
    /// In a sweep the words of a place belong together; other names are compared by their words alone.
    [[nodiscard]] QString key(const Name& name, std::size_t i) const {
        const auto [from, to] = name.words[i];
        const auto word = name.text.mid(from, to - from);
        return by_place_ ? QString::number(i) + QLatin1Char(' ') + word : word;
    }
    [[nodiscard]] QStringList labels_without(const QSet<QString>& left_out) const {
        QStringList labels;
        for (const auto& name : names_) {
            QString label;
            qsizetype end = 0;  // of what the label has
            for (std::size_t i = 0; i < name.words.size(); ++i) {
                if (left_out.contains(key(name, i))) continue;
                const auto [from, to] = name.words[i];
                const bool follows = i == 0 || end == name.words[i - 1].second;
                label += follows ? name.text.mid(end, to - end) : dots + name.text.mid(from, to - from);
                end = to;
            }
            const bool is_last = !name.words.empty() && end == name.words.back().second;
            labels << (is_last ? label + name.text.mid(end) : label + dots);
        }
        return labels;
    }

    std::vector<Name> names_;
    bool by_place_ = true;
    QSet<QString> common_;
};

/// The characters [from, to) of a name.
QString part_of(const QString& name, qsizetype from, qsizetype to) {
    auto part = name.mid(from, to - from);
    if (from > 0) part.prepend(dots);
    return to < name.size() ? part + dots : part;
}

/// Names without what all have at their beginning and end, elided again where they are still too long.
QStringList without_common_ends(const QStringList& names, const QFontMetricsF& metrics, double width) {
    qsizetype start = names.front().size(), end = start;
    for (const auto& name : names) {
        const auto& other = names.front();
        const auto first = std::mismatch(name.begin(), name.end(), other.begin(), other.end());
        start = std::min<qsizetype>(start, first.first - name.begin());
        const auto last = std::mismatch(name.rbegin(), name.rend(), other.rbegin(), other.rend());
        end = std::min<qsizetype>(end, last.first - name.rbegin());
    }
    for (const auto& name : names) end = std::min(end, name.size() - start);
    if (start + end == 0) return {};
    const auto parts = [&] {
        QStringList result;
        for (const auto& name : names) result << part_of(name, start, name.size() - end);
        return result;
    };
    if (auto best = parts(); fit(best, metrics, width)) {
        // With as much as fits around what differs.
        for (bool grew = true; grew;) {
            grew = false;
            for (auto* edge : {&start, &end}) {
                if (*edge == 0) continue;
                --*edge;
                auto wider = parts();
                if (fit(wider, metrics, width)) {
                    best = std::move(wider);
                    grew = true;
                } else {
                    ++*edge;
                }
            }
        }
        return best;
    }
    QStringList cores;
    for (const auto& name : names) cores << name.mid(start, name.size() - end - start);
    cores = elided_apart(cores, metrics, width - metrics.horizontalAdvance(QString(2, dots)));
    for (auto& core : cores) {
        if (start > 0) core.prepend(dots);
        if (end > 0) core.append(dots);
    }
    return cores;
}

qsizetype count_different(const QStringList& labels) {
    return QSet<QString>(labels.begin(), labels.end()).size();
}

/// Elided in the middle; those that are then alike, together or each group of them, in another way.
QStringList elided_in_the_middle(const QStringList& names, const QFontMetricsF& metrics, double width) {
    QStringList labels, unclear;
    QHash<QString, QStringList> alike;  // names by what is shown of them
    for (const auto& name : names) {
        labels << metrics.elidedText(name, Qt::ElideMiddle, width);
        alike[labels.back()] << name;
    }
    alike.removeIf([](const auto& same) { return same.value().size() < 2; });
    for (const auto& same : std::as_const(alike)) unclear += same;
    auto best = labels;
    const auto offer = [&](const std::vector<std::pair<QStringList, QStringList>>& parts) {
        auto other = labels;
        for (const auto& [of, shown] : parts)
            for (qsizetype i = 0; i < shown.size(); ++i) other[names.indexOf(of[i])] = shown[i];
        if (count_different(other) > count_different(best)) best = std::move(other);
    };
    if (unclear.isEmpty()) return best;
    offer({{unclear, Words(unclear).labels(metrics, width)}});
    if (count_different(best) < names.size())
        offer({{unclear, without_common_ends(unclear, metrics, width)}});
    if (count_different(best) == names.size()) return best;
    std::vector<std::pair<QStringList, QStringList>> groups;
    for (const auto& same : std::as_const(alike))
        groups.emplace_back(same, without_common_ends(same, metrics, width));
    offer(groups);
    return best;
}

}  // namespace

QStringList elided_apart(const QStringList& names, const QFontMetricsF& metrics, double width) {
    if (fit(names, metrics, width)) return names;
    auto distinct = names;
    distinct.removeDuplicates();
    QStringList labels;
    if (Words words(distinct); distinct.size() > 1 && words.are_regular())
        labels = words.labels(metrics, width);
    if (count_different(labels) < distinct.size()) labels = elided_in_the_middle(distinct, metrics, width);
    QStringList shown;
    for (const auto& name : names) shown << labels[distinct.indexOf(name)];
    return shown;
}

}  // namespace casp::widgets
