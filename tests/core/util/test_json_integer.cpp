// Whole numbers from JSON of unknown origin.

#include <QtTest>

#include "test_program.h"
#include "util/json_text.h"

using namespace casp;

class TestJsonInteger : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whole_numbers_data() {
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

    void whole_numbers() {
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

    void members() {
        const auto json = nlohmann::json::parse(R"({"step": 3, "epoch": 1e99})");
        QCOMPARE(json_integer(json, "step", 5), 3);
        QCOMPARE(json_integer(json, "position", 5), 5);
        QVERIFY_EXCEPTION_THROWN((void)json_integer(json, "epoch", 5), nlohmann::json::type_error);
    }

    void deep_texts_are_refused() {
        const auto nested = [](std::size_t levels) {
            return std::string(levels, '[') + std::string(levels, ']');
        };
        QVERIFY(parse_json(nested(max_json_levels)).is_array());
        QVERIFY(parse_json<nlohmann::ordered_json>(nested(max_json_levels)).is_array());
        for (const std::size_t levels : {max_json_levels + 2, 1'000'000}) {
            QVERIFY_EXCEPTION_THROWN((void)parse_json(nested(levels)), nlohmann::json::exception);
            QVERIFY(parse_json_or_discard(nested(levels)).is_discarded());
            QVERIFY(parse_json_or_discard(std::string(levels, '[')).is_discarded());
        }
        QVERIFY(parse_json_or_discard("{").is_discarded());
        QCOMPARE(parse_json_or_discard(R"({"a": 1, "a": 2})").at("a").get<int>(), 2);
    }

    void messages_are_short() {
        QCOMPARE(beginning_of("short"), std::string("short"));
        QCOMPARE(beginning_of("abcdef", 3), std::string("abc…"));
        QCOMPARE(beginning_of("aäb", 2), std::string("a…"));  // no half of a character
        QCOMPARE(beginning_of(std::string(1'000'000, 'x')).size(), std::size_t{303});
    }
};

TEST_MAIN_WITHOUT_GUI(TestJsonInteger)
#include "test_json_integer.moc"
