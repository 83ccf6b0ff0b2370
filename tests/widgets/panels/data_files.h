#pragma once
// Files for the tests of the Data page.

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace casp::test {

/// A folder with files written by a test.
class DataFolder {
public:
    QString write(const QString& name, const QByteArray& bytes) const {
        const QString path = folder_.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
};

/// `rows` hourly rows with two channels: a rises by 1, b repeats 0 … 9.
inline QByteArray hourly(int rows) {
    QByteArray text = "date,a,b\n";
    for (int i = 0; i < rows; ++i)
        text += QByteArray::fromStdString("2020-01-" + std::string(i / 24 % 28 < 9 ? "0" : "") +
                                          std::to_string(i / 24 % 28 + 1) + " " + (i % 24 < 10 ? "0" : "") +
                                          std::to_string(i % 24) + ":00:00") +
                "," + QByteArray::number(i) + "," + QByteArray::number(i % 10) + "\n";
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

}  // namespace casp::test
