#pragma once
// The numbers behind a figure, as its CSV has them.

#include <utility>

#include <QList>
#include <QString>
#include <QStringList>

namespace casp::test {

/// A CSV (quotes, but no line breaks within), by the names of its columns.
struct Table {
    QStringList columns;
    QList<QStringList> rows;

    explicit Table(const QByteArray& csv) {
        for (const auto& line : QString::fromUtf8(csv).split('\n', Qt::SkipEmptyParts)) {
            QStringList cells{QString()};
            bool quoted = false;
            for (const auto c : line.trimmed()) {
                if (c == '"')
                    quoted = !quoted;
                else if (c == ',' && !quoted)
                    cells << QString();
                else
                    cells.back() += c;
            }
            if (columns.isEmpty())
                columns = cells;
            else
                rows << cells;
        }
    }
    [[nodiscard]] QString at(int row, const QString& column) const {
        return rows[row].value(columns.indexOf(column));
    }
    [[nodiscard]] double number(int row, const QString& column) const { return at(row, column).toDouble(); }
    /// Rows whose cells have these values.
    [[nodiscard]] QList<int> where(const QList<std::pair<QString, QString>>& wanted) const {
        QList<int> found;
        for (int r = 0; r < rows.size(); ++r) {
            bool all = true;
            for (const auto& [column, value] : wanted) all = all && at(r, column) == value;
            if (all) found << r;
        }
        return found;
    }
};

}  // namespace casp::test
