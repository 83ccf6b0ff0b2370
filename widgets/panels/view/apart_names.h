#pragma once
// Names in rows that are too narrow for them: shortened so that those on the screen stay different.

#include <functional>

#include <QStringList>
#include <QStyleOptionViewItem>

class QModelIndex;

namespace casp::widgets {

/// Part of a delegate. Shortens the names of all visible rows together, once for all that have the same
/// width.
class ApartNames {
public:
    /// `name_of`: of an index of this column.
    [[nodiscard]] QString shown(const QStyleOptionViewItem& option, const QModelIndex& index, int width,
                                const std::function<QString(const QModelIndex&)>& name_of) const;

private:
    mutable QStringList names_, shown_;
    mutable int width_ = 0;
};

}  // namespace casp::widgets
