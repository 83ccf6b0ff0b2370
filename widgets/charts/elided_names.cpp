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

    /// The words that distinguish the names, and of the others as many as fit beside them, the first first.
    /// Empty: there is no room.
    [[nodiscard]] QStringList labels(const QFontMetricsF& metrics, double width) {
        auto best = labels_without(common_);
        if (!fit(best, metrics, width)) return {};
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

bool differ(const QStringList& labels) {
    return !labels.isEmpty() && QSet<QString>(labels.begin(), labels.end()).size() == labels.size();
}

}  // namespace

QStringList elided_apart(const QStringList& names, const QFontMetricsF& metrics, double width) {
    QStringList shown;
    QHash<QString, QStringList> alike;  // different names by what is shown of them
    for (const auto& name : names) {
        shown << metrics.elidedText(name, Qt::ElideMiddle, width);
        auto& same = alike[shown.back()];
        if (!same.contains(name)) same << name;
    }
    QStringList unclear;
    for (const auto& label : std::as_const(shown))
        if (const auto same = alike.take(label); same.size() > 1) unclear += same;
    if (unclear.isEmpty()) return shown;
    auto labels = Words(unclear).labels(metrics, width);
    if (!differ(labels)) labels = without_common_ends(unclear, metrics, width);
    if (labels.isEmpty()) return shown;
    for (qsizetype i = 0; i < names.size(); ++i)
        if (const auto at = unclear.indexOf(names[i]); at >= 0) shown[i] = labels[at];
    return shown;
}

}  // namespace casp::widgets
