#include "panels/view/apart_names.h"

#include <algorithm>

#include <QAbstractItemView>

#include "charts/elided_names.h"

namespace casp::widgets {

QString ApartNames::shown(const QStyleOptionViewItem& option, const QModelIndex& index, int width,
                          const std::function<QString(const QModelIndex&)>& name_of) const {
    const auto name = name_of(index);
    if (option.fontMetrics.horizontalAdvance(name) <= width) return name;
    QStringList names{name};
    if (const auto* view = qobject_cast<const QAbstractItemView*>(option.widget)) {
        const int height = view->viewport()->height();
        for (int y = 1; y < height; y += std::max(1, option.rect.height()))
            if (const auto row = view->indexAt({1, y}); row.isValid())
                names << name_of(row.siblingAtColumn(index.column()));
    }
    names.removeDuplicates();
    names.sort();
    if (names != names_ || width != width_) {
        names_ = names;
        width_ = width;
        shown_ = elided_apart(names, QFontMetricsF(option.fontMetrics), width);
    }
    return shown_[names_.indexOf(name)];
}

}  // namespace casp::widgets
