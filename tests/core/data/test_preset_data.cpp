// Presets on files that are not their catalogue data set: pinned split and batches, and the warning.

#include "config/experiment.h"
#include "core/data/helpers.h"
#include "data/catalog.h"
#include "data/catalog_rules.h"
#include "data/prepared.h"
#include "data/preset_data.h"
#include "test_program.h"

using namespace casp;
using namespace casp::data;

namespace {

/// A CSV with Unix times; every row is `minutes` after the one before.
QByteArray series(int rows, int channels, int minutes, const QByteArray& line_end = "\n") {
    QByteArray text = "date";
    for (int c = 0; c < channels; ++c) text += ",c" + QByteArray::number(c);
    for (int r = 0; r < rows; ++r) {
        text += line_end + QByteArray::number(1467331200LL + 60LL * minutes * r);
        for (int c = 0; c < channels; ++c) text += "," + QByteArray::number((r * 7 + c) % 13);
    }
    return text + line_end;
}

FileFacts like(const char* name) {
    const auto& entry = catalog_entry(name);
    return {entry.rows, entry.channels, {entry.step_seconds}, nullptr};
}

config::Config of_preset(const std::string& preset, const std::string& path = {}) {
    std::vector<std::string> sets;
    if (!path.empty()) sets.push_back("data.path=" + path);
    return config::load_text("preset = \"" + preset + "\"", "test", "/", sets).base;
}

std::vector<std::string> mismatches(const PreparedData& data) {
    std::vector<std::string> texts;
    for (const auto& warning : data.table.warnings)
        if (has(warning.text, "the preset")) texts.push_back(warning.text);
    return texts;
}

}  // namespace

class TestPresetData : public QObject {
    Q_OBJECT

private:
    QTemporaryDir dir_;
    std::string write(const char* name, const QByteArray& text) {
        QFile file(dir_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) qFatal("the disk is full");
        return file.fileName().toStdString();
    }

private Q_SLOTS:
    void a_renamed_copy_is_split_as_the_data_set() {
        const auto copy = write("transformer two.csv", series(69680, 7, 15));
        const auto data = *prepare_data(of_preset("ettm2-96", copy));
        QVERIFY(data.entry == nullptr);  // neither its digest nor its values are known
        QCOMPARE(data.plan.rule.rule, std::string("ett-minutely"));
        QCOMPARE(data.plan.train.windows, std::int64_t{33953});
        QVERIFY(!data.single_channel);
        QVERIFY(mismatches(data).empty());
        // Without the preset it is anybody's file.
        config::Config plain;
        plain.data.path = copy;
        QCOMPARE(prepare_data(plain)->plan.rule.rule, std::string("ratio"));
    }

    void a_file_of_another_size_is_reported_and_used() {
        const auto path = write("short.csv", series(3000, 21, 10));
        const auto data = *prepare_data(of_preset("weather-96", path));
        QVERIFY(data.single_channel);  // 21 channels would be together by themselves
        QCOMPARE(data.plan.rule.rule, std::string("ratio"));
        QCOMPARE(mismatches(data),
                 std::vector<std::string>{
                     "the preset weather-96 is for Weather (52,696 rows and 21 channels at intervals of 10 "
                     "minutes), but the file has 3,000 rows and 21 channels at intervals of 10 minutes"});
        // Too short for the pinned split: the error has it.
        const auto message = input_message([&] { (void)prepare_data(of_preset("etth1-96", path)); });
        VERIFY_MESSAGE(message, "at least 8640 + 2880 + 2880 rows");
        VERIFY_MESSAGE(message, "the preset etth1-96 is for ETTh1");
    }

    void a_re_encoded_weather_file_is_recognised() {
        QFile file(QStringLiteral(CASP_SHARED_DATA) + "/weather.csv");
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the file is not here (shared/data/weather.csv)");
        const auto path = write("re-encoded.csv", file.readAll().replace("\r\n", "\n"));
        const auto data = *prepare_data(of_preset("weather-96", path));
        QVERIFY(data.entry == &catalog_entry("Weather") && data.single_channel);
        QVERIFY(mismatches(data).empty());
        auto plain = of_preset("weather-96", path);
        plain.preset.clear();
        plain.data.batching = "auto";
        QVERIFY(prepare_data(plain)->single_channel);
        VERIFY_MESSAGE(mismatches(*prepare_data(of_preset("etth1-96", path))).front(), "and is Weather");
    }

    void auto_is_the_rule_of_the_catalogue() {
        config::Config config;
        QVERIFY(with_catalog_rules(config) == config);
        config.data.path = "/data/renamed.csv";
        QVERIFY(needs_digest(config));
        QVERIFY(with_catalog_rules(config) == config);
        auto found = with_catalog_rules(config, catalog_entry("ETTh1").sha256);
        QCOMPARE(found.data.split.rule, std::string("ett-hourly"));
        QCOMPARE(found.data.batching, std::string("multi-channel"));
        QCOMPARE(with_catalog_rules(config, "", "ETTm1").data.split.rule, std::string("ett-minutely"));
        QCOMPARE(with_catalog_rules(config, "", "ILI").data.batching, std::string("auto"));
        config.data.path = "catalog:Electricity";
        QVERIFY(!needs_digest(config));
        found = with_catalog_rules(config);
        QCOMPARE(found.data.split.rule, std::string("ratio"));
        QCOMPARE(found.data.batching, std::string("single-channel"));
        config.data.batching = "multi-channel";  // given
        QCOMPARE(with_catalog_rules(config).data.batching, std::string("multi-channel"));
    }

    void sentence() {
        const auto config = of_preset("ettm2-96");
        QCOMPARE(preset_mismatch(config, like("ETTm2")), std::string());
        QCOMPARE(preset_mismatch(config, like("ETTm1")), std::string());  // the same size: no telling apart
        QCOMPARE(preset_mismatch(config, like("ETTh1")),
                 std::string("the preset ettm2-96 is for ETTm2 (69,680 rows and 7 channels at intervals of "
                             "15 minutes), but the file has 17,420 rows and 7 channels at intervals of 1 "
                             "hour; it looks like ETTh1 or ETTh2"));
        VERIFY_MESSAGE(preset_mismatch(config, like("Electricity")), "; it looks like Electricity");
        // The frequency alone.
        auto hourly = like("ETTm2");
        hourly.step = {3600};
        VERIFY_MESSAGE(preset_mismatch(config, hourly), "channels at intervals of 1 hour");
        hourly.step = {};  // no time axis: nothing to compare
        QCOMPARE(preset_mismatch(config, hourly), std::string());
        // A known digest decides, whatever the size.
        auto known = like("ETTm1");
        known.entry = &catalog_entry("ETTm1");
        VERIFY_MESSAGE(preset_mismatch(config, known), "and is ETTm1");
        known.entry = &catalog_entry("ETTm2");
        QCOMPARE(preset_mismatch(config, known), std::string());
        QCOMPARE(preset_mismatch(config::Config{}, like("ETTh1")), std::string());  // no preset
    }
};

TEST_MAIN_WITHOUT_GUI(TestPresetData)
#include "test_preset_data.moc"
