// Whole numbers from JSON of unknown origin.

#include <QtTest>

#include "util/json_integer.h"

using namespace casp;

class TestJsonInteger : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whole_numbers_data();
    void whole_numbers();
    void members();
};

void TestJsonInteger::whole_numbers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("is_one");
    QTest::addColumn<qint64>("value");
    const auto row = [](const char* text, bool is_one, qint64 value = 0) {
        QTest::newRow(text) << QByteArray(text) << is_one << value;
    };
    row("0", true, 0);
    row("-7", true, -7);
    row("9223372036854775807", true, std::numeric_limits<qint64>::max());
    row("-9223372036854775808", true, std::numeric_limits<qint64>::min());
    row("9223372036854775808", false);
    row("18446744073709551615", false);
    row("999223372036854775808", false);
    row("-1e300", false);
    row("1.5", false);
    row("1e3", false);
    row("true", false);
    row("\"7\"", false);
    row("null", false);
    row("[1]", false);
}

void TestJsonInteger::whole_numbers() {
    QFETCH(QByteArray, text);
    QFETCH(bool, is_one);
    QFETCH(qint64, value);
    const auto json = nlohmann::json::parse(text.constData());
    const auto ordered = nlohmann::ordered_json::parse(text.constData());
    if (is_one) {
        QCOMPARE(qint64(json_integer(json)), value);
        QCOMPARE(qint64(json_integer(ordered)), value);
        return;
    }
    QVERIFY_EXCEPTION_THROWN((void)json_integer(json), nlohmann::json::type_error);
    QVERIFY_EXCEPTION_THROWN((void)json_integer(ordered), nlohmann::json::type_error);
}

void TestJsonInteger::members() {
    const auto json = nlohmann::json::parse(R"({"step": 3, "epoch": 1e99})");
    QCOMPARE(json_integer(json, "step", 5), 3);
    QCOMPARE(json_integer(json, "position", 5), 5);
    QVERIFY_EXCEPTION_THROWN((void)json_integer(json, "epoch", 5), nlohmann::json::type_error);
}

QTEST_APPLESS_MAIN(TestJsonInteger)
#include "test_json_integer.moc"
