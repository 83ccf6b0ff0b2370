#pragma once
// Files for the tests of the Data page.

#include <vector>

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

namespace casp::test {

inline void write_file(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (!QDir().mkpath(QFileInfo(path).path()) || !file.open(QIODevice::WriteOnly) ||
        file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// A folder with files written by a test.
class DataFolder {
public:
    QString write(const QString& name, const QByteArray& bytes) const {
        const QString path = folder_.filePath(name);
        write_file(path, bytes);
        return path;
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
};

/// `rows` hourly rows with two channels: a rises by 1, b repeats 0 … 9.
inline QByteArray hourly(int rows) {
    const QDateTime first(QDate(2020, 1, 1), QTime(0, 0), Qt::UTC);
    QByteArray text = "date,a,b\n";
    for (int i = 0; i < rows; ++i)
        text += first.addSecs(3600 * i).toString("yyyy-MM-dd HH:mm:ss").toUtf8() + "," +
                QByteArray::number(i) + "," + QByteArray::number(i % 10) + "\n";
    return text;
}

struct MadeSeries {
    QByteArray id;
    int training = 0;  ///< number of training values
};

/// Lines of an M4 file: `count` values of each series from value `first(series)` on. Value j of series i is
/// 1000 i + j.
template <class First, class Count>
QByteArray m4_lines(const std::vector<MadeSeries>& series, First first, Count count) {
    QByteArray text = "\"V1\",\"V2\"\n";
    for (std::size_t i = 0; i < series.size(); ++i) {
        text += '"' + series[i].id + '"';
        for (int j = 0; j < count(series[i]); ++j)
            text += ',' + QByteArray::number(1000 * static_cast<int>(i) + first(series[i]) + j);
        text += '\n';
    }
    return text;
}

/// Writes the training and the test file of a frequency of M4. Returns the training file.
inline QString write_m4(const QString& folder, const QString& frequency,
                        const std::vector<MadeSeries>& series, int horizon) {
    const auto train = folder + "/Train/" + frequency + "-train.csv";
    const auto training = [](const MadeSeries& one) { return one.training; };
    write_file(train, m4_lines(
                          series, [](const MadeSeries&) { return 0; }, training));
    write_file(folder + "/Test/" + frequency + "-test.csv",
               m4_lines(series, training, [horizon](const MadeSeries&) { return horizon; }));
    return train;
}

/// A CSV with a row per value and a date per year. Value j of series i is 1000 i + j.
inline QByteArray yearly_rows(const std::vector<MadeSeries>& series, int horizon) {
    QByteArray text = "unique_id,ds,y\n";
    for (std::size_t i = 0; i < series.size(); ++i)
        for (int j = 0; j < series[i].training + horizon; ++j)
            text += series[i].id + ',' + QByteArray::number(1950 + j) + "-01-01," +
                    QByteArray::number(1000 * static_cast<int>(i) + j) + '\n';
    return text;
}

/// Tens of megabytes, so that reading takes a while: whole numbers without a time column.
inline QByteArray large(int rows) {
    QByteArray text = "a,b,c,d\n";
    text.reserve(rows * 36);
    for (int i = 0; i < rows; ++i) {
        text += QByteArray::number(i) + ".125," + QByteArray::number(i % 977) + ".5," +
                QByteArray::number(i % 10007) + "," + QByteArray::number(-i) + "\n";
    }
    return text;
}

/// A file of ../shared/data; a test without it is skipped.
inline QString shared_file(const char* name) { return QStringLiteral(CASP_SHARED_DATA "/") + name; }

}  // namespace casp::test
