// Tokens, an anchor's neighbours, who chooses it and when.
#include <algorithm>
#include <cmath>

#include <QtTest>

#include "analysis/anchor_inspector.h"
#include "analysis_test.h"
#include "config/experiment.h"
#include "core/analysis/analysis_golden.h"
#include "core/store/store_test.h"
#include "test_program.h"
#include "text/tokens.h"

using namespace casp;
using casp::test::near;
using casp::test::says;
namespace fs = std::filesystem;
using store_test::Folder;
using Numbers = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t token_width = 20, tokens = 97;

void write_table(const fs::path& file, const std::string& name, const std::vector<float>& values,
                 std::int64_t d = token_width) {
    store::SafetensorsWriter writer(
        file, {{name, store::Dtype::f32, {static_cast<std::int64_t>(values.size()) / d, d}}},
        {{"format", "pt"}});
    writer.write(name, values.data(), values.size() * 4);
    writer.finish();
}

void write_config(const fs::path& folder, const std::string& backbone) {
    store_test::put(
        folder / "config.toml",
        config::to_toml(config::load_text(
                            "[data]\npath = \"x.csv\"\n[backbone]\npath = \"" + backbone + "\"\n", "test", {})
                            .base));
}

}  // namespace

class TestAnchorInspector : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        // No vocabulary of the machine's own user.
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache_.path().string()));
    }

    void bytes_and_labels() {
        Folder folder;
        // "Ġ" is a space, "Ċ" a line feed, "ĉ" a tab; "Ã©" the two bytes of "é", "Ã" the first alone; "ł" is
        // 0xA0.
        store_test::put(
            folder / "vocab.json",
            "{\"Ġthe\": 0, \"a\": 1, \"Ċ\": 2, \"Ã©\": 3, \"Ã\": 4, \"ĠĠ\": 5, \"Ãł\": 6, \"ĉ\\\"\": 7, "
            "\"\\u20ac\": 8, \"ð\\u0141ĺĢ\": 9, \"Ā\": 10}");
        const auto t = text::Tokens::read(folder / "vocab.json");
        QCOMPARE(t.count(), std::int64_t{11});
        QVERIFY(t.bytes(0) == " the" && t.bytes(2) == "\n" && t.bytes(3) == "é" && t.bytes(4) == "\xC3");
        QVERIFY(t.bytes(6) == "\xC3\xA0" && t.bytes(10) == std::string_view("\0", 1));
        QCOMPARE(QString::fromStdString(t.label(0)), QString::fromUtf8("␣the"));
        QCOMPARE(QString::fromStdString(t.label(1)), QString("a"));
        QCOMPARE(QString::fromStdString(t.label(2)), QString("\\n"));
        QCOMPARE(QString::fromStdString(t.label(3)), QString::fromUtf8("é"));
        QCOMPARE(QString::fromStdString(t.label(4)), QString("\\xC3"));
        QCOMPARE(QString::fromStdString(t.label(5)), QString::fromUtf8("␣␣"));
        QCOMPARE(QString::fromStdString(t.label(6)), QString::fromUtf8("à"));
        QCOMPARE(QString::fromStdString(t.label(7)), QString("\\t\""));
        QCOMPARE(QString::fromStdString(t.label(8)), QString::fromUtf8("€"));  // no byte stands behind it
        QCOMPARE(QString::fromStdString(t.label(9)), QString::fromUtf8("😀"));
        QCOMPARE(QString::fromStdString(t.label(10)), QString("\\x00"));
        QCOMPARE(QString::fromStdString(t.label(11)), QString("#11"));
        QVERIFY(!t.bytes(-1) && !t.bytes(11));
        QCOMPARE(QString::fromStdString(text::Tokens().label(262)), QString("#262"));
    }

    void damaged_vocabularies_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("words");
        QTest::newRow("no json") << "{\"a\": 0"
                                 << "this is not a vocabulary";
        QTest::newRow("a list") << "[\"a\"]"
                                << "this is not a vocabulary";
        QTest::newRow("empty") << "{}"
                               << "this is not a vocabulary";
        QTest::newRow("text") << "{\"a\": \"0\"}"
                              << "the number of a token is \"0\"";
        QTest::newRow("negative") << "{\"a\": -1}"
                                  << "the number of a token is -1";
        QTest::newRow("twice") << "{\"a\": 0, \"b\": 0}"
                               << "the number 0 is used twice";
        QTest::newRow("gap") << "{\"a\": 0, \"b\": 2}"
                             << "the number 2 is too large; expected each number from 0 to 1 once";
    }

    void damaged_vocabularies() {
        QFETCH(QString, text);
        QFETCH(QString, words);
        Folder folder;
        store_test::put(folder / "vocab.json", text.toStdString());
        const auto error = store_test::error_of([&] { (void)text::Tokens::read(folder / "vocab.json"); });
        QVERIFY(says(error, "input: ") && says(error, words.toUtf8()) && says(error, "vocab.json"));
    }

    void gpt2s_own_vocabulary() {
        const fs::path file = fs::path(CASP_SHARED_DATA) / "gpt2" / "vocab.json";
        if (!fs::exists(file)) QSKIP("the shared data has no gpt2/vocab.json");
        const auto t = text::Tokens::read(file);
        QCOMPARE(t.count(), std::int64_t{50257});
        QVERIFY(t.bytes(262) == " the" && t.bytes(198) == "\n" && t.bytes(0) == "!" &&
                t.bytes(50256) == "<|endoftext|>");
        std::int64_t spaced = 0, bytes = 0;
        for (std::int64_t i = 0; i < t.count(); ++i) {
            spaced += t.bytes(i)->starts_with(' ') ? 1 : 0;
            bytes += t.bytes(i)->size() == 1 ? 1 : 0;
            const auto label = t.label(i);
            QCOMPARE(
                QString::fromUtf8(label.data(), static_cast<qsizetype>(label.size())).toUtf8().toStdString(),
                label);
        }
        QCOMPARE(bytes, std::int64_t{256});  // every byte is a token
        QVERIFY(spaced > 30000);
    }

    void where_the_vocabulary_is() {
        Folder folder;
        const auto checkpoint = folder / "model.safetensors";
        QVERIFY(!text::find_vocabulary({}, checkpoint) && !text::find_vocabulary({}, {}));
        const auto kept = cache_ / "caspstudio/backbones/gpt2/vocab.json";
        fs::create_directories(kept.parent_path());
        store_test::put(kept, "{\"a\": 0}");
        QVERIFY(text::find_vocabulary({}, checkpoint) == kept);
        store_test::put(folder / "vocab.json", "{\"a\": 0}");
        QVERIFY(text::find_vocabulary({}, checkpoint) == folder / "vocab.json");
        QVERIFY(text::find_vocabulary(kept.parent_path(), checkpoint) == kept);
        QVERIFY(text::find_vocabulary(kept, checkpoint) == kept);
        QVERIFY(
            says(store_test::error_of([&] { (void)text::find_vocabulary(folder / "no.json", checkpoint); }),
                 "there is no such file"));
        fs::remove(kept);
    }

    void nearest_tokens_agree_with_sklearn() {
        Folder folder;
        write_config(folder.path(), (folder / "gpt2.safetensors").string());
        write_table(folder / "gpt2.safetensors", "wte.weight", golden_.floats("table"));
        const analysis::TokenNeighbours near_tokens(folder.path());
        QVERIFY(near_tokens.dimension() == token_width && near_tokens.vocabulary() == tokens);
        const auto anchors = golden_.floats("anchors");
        const auto expected = golden_.get<std::int64_t>("tokens.nearest");
        const auto cosine = golden_.doubles("tokens.cosine");
        for (std::size_t a = 0; a < 40; ++a) {
            const auto found =
                near_tokens.nearest(std::span(anchors).subspan(a * token_width, token_width), 6);
            QCOMPARE(found.size(), std::size_t{6});
            for (std::size_t i = 0; i < 6; ++i) {
                QCOMPARE(found[i].token, expected[a * 6 + i]);
                QVERIFY(near(found[i].cosine, cosine[a * 6 + i]));
            }
        }
        QCOMPARE(near_tokens.nearest(std::span(anchors).first(token_width), 1000).size(),
                 static_cast<std::size_t>(tokens));
        QVERIFY_EXCEPTION_THROWN((void)near_tokens.nearest(std::span(anchors).first(token_width - 1)),
                                 std::invalid_argument);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(
            (void)near_tokens.nearest(std::span(anchors).first(token_width), 5, stop.get_token()), Cancelled);
    }

    void nearest_tokens_report_progress() {
        constexpr std::int64_t many = 2000;
        Folder folder;
        write_config(folder.path(), (folder / "gpt2.safetensors").string());
        std::vector<float> table;
        for (std::int64_t i = 0; i < 2 * many; ++i)
            table.push_back(static_cast<float>(std::sin(static_cast<double>(i * i % 1009))));
        write_table(folder / "gpt2.safetensors", "wte.weight", table, 2);
        const analysis::TokenNeighbours near_tokens(folder.path());
        const std::vector<float> query{1, 0.5F};
        const auto silent = near_tokens.nearest(query, 9);
        Numbers done;
        const auto heard = near_tokens.nearest(query, 9, {}, [&](const Progress& p) {
            QCOMPARE(p.total, many);
            QCOMPARE(QString::fromStdString(p.unit), QStringLiteral("tokens"));
            done.push_back(p.done);
        });
        QVERIFY(done == (Numbers{512, 1024, 1536, many}));
        QVERIFY(std::equal(silent.begin(), silent.end(), heard.begin(), heard.end(), [](auto& a, auto& b) {
            return a.token == b.token && a.cosine == b.cosine && a.label == b.label;
        }));
        std::stop_source stop;
        done.clear();
        const auto stop_at_once = [&](const Progress& p) {
            done.push_back(p.done);
            stop.request_stop();
        };
        QVERIFY_EXCEPTION_THROWN((void)near_tokens.nearest(query, 9, stop.get_token(), stop_at_once),
                                 Cancelled);
        QVERIFY(done == Numbers{512});
    }

    void table_of_the_run_or_of_the_backbone() {
        Folder folder;
        const std::vector<float> east{1, 0, 0, 1}, north{0, 1, 1, 0}, query{1, 0};
        const auto backbone = folder / "gpt2" / "model.safetensors";
        fs::create_directories(backbone.parent_path());
        write_config(folder.path(), backbone.parent_path().string());
        write_table(backbone, "transformer.wte.weight", east, 2);
        store_test::put(backbone.parent_path() / "vocab.json", "{\"Ġeast\": 0, \"Ġnorth\": 1}");
        auto found = analysis::TokenNeighbours(folder.path()).nearest(query, 1);
        QVERIFY(found[0].token == 0 && found[0].cosine == 1);
        QCOMPARE(QString::fromStdString(found[0].label), QString::fromUtf8("␣east"));
        // What the run was trained with comes first, and stays when the backbone's file goes.
        write_table(folder / "best.safetensors", "gpt2.wte.weight", north, 2);
        QCOMPARE(analysis::TokenNeighbours(folder.path()).nearest(query, 1)[0].token, std::int64_t{1});
        fs::remove(backbone);
        QCOMPARE(analysis::TokenNeighbours(folder.path()).nearest(query, 1)[0].token, std::int64_t{1});
        write_table(folder / "best.safetensors", "in_layer.weight", north, 2);
        QVERIFY(says(store_test::error_of([&] { (void)analysis::TokenNeighbours(folder.path()); }),
                     "token table is neither in best.safetensors nor at"));
    }

    void remarks() {
        Folder folder;
        const auto backbone = folder / "gpt2.safetensors";
        write_config(folder.path(), backbone.string());
        write_table(backbone, "wte.weight", {1, 0, 0, 1}, 2);
        QVERIFY(says(analysis::TokenNeighbours(folder.path()).remark(), "there is no vocab.json beside"));
        QCOMPARE(QString::fromStdString(
                     analysis::TokenNeighbours(folder.path()).nearest(std::vector<float>{0, 1}, 1)[0].label),
                 QString("#1"));
        store_test::put(folder / "vocab.json", "{\"a\": 0, \"b\": 1, \"c\": 2}");
        QVERIFY(says(analysis::TokenNeighbours(folder.path()).remark(),
                     "has 3 tokens, the backbone's table has 2"));
        store_test::put(folder / "vocab.json", "{\"a\": 0, \"b\": 1}");
        QVERIFY(analysis::TokenNeighbours(folder.path()).remark().empty());
        write_config(folder.path(), "untrained");
        write_table(folder / "best.safetensors", "gpt2.wte.weight", {1, 0, 0, 1}, 2);
        QVERIFY(says(analysis::TokenNeighbours(folder.path()).remark(),
                     "untrained: its tokens carry no meaning"));
    }

    void neighbours_in_the_pool() {
        const auto anchors = golden_.floats("anchors");
        const auto expected = golden_.get<std::int64_t>("anchors.nearest");
        for (std::int64_t a = 0; a < 40; ++a) {
            const auto found = analysis::near_anchors(anchors, token_width, a, 5);
            for (std::size_t i = 0; i < 5; ++i)
                QCOMPARE(found[i].anchor, expected[static_cast<std::size_t>(a) * 5 + i]);
        }
        const std::vector<float> three{2, 0, 5, 0, 0, 0};
        const auto found = analysis::near_anchors(three, 2, 0);
        QVERIFY(found.size() == 2 && found[0].anchor == 1 && found[0].cosine == 1 && found[1].cosine == 0);
        QVERIFY_EXCEPTION_THROWN((void)analysis::near_anchors(three, 2, 3), std::invalid_argument);
    }

    void rows_retrieving_it() {
        const std::vector<std::int32_t> selected{3, 1, 0, 2, 1, 3};
        const std::vector<float> similarity{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        const auto rows = analysis::rows_retrieving(1, selected, 2, similarity, 4);
        QCOMPARE(rows.size(), std::size_t{2});
        QVERIFY(rows[0].row == 0 && rows[0].rank == 1 && rows[0].similarity == 1);
        QVERIFY(rows[1].row == 2 && rows[1].rank == 0 && rows[1].similarity == 9);
        QVERIFY(analysis::rows_retrieving(7, selected, 2).empty());
        QVERIFY(std::isnan(analysis::rows_retrieving(2, selected, 2)[0].similarity));
        QVERIFY_EXCEPTION_THROWN((void)analysis::rows_retrieving(1, selected, 4), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)analysis::rows_retrieving(1, selected, 2, similarity, 5),
                                 std::invalid_argument);
    }

    void usage_over_time() {
        store::AnchorHistory h;
        h.pool_size = 3;
        h.snapshot_step = {5, 10, 15};
        h.usage_train = {2, 2, 0, 0, 0, 0, 1, 0, 9};
        h.coverage_statistic = {0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F, 0.7F, 0.8F, 0.9F};
        h.usage_test = {0, 0, 12};
        const auto u = analysis::anchor_usage(h, 2);
        QVERIFY(u.step == (Numbers{5, 10, 15}) && u.count == (Numbers{0, 0, 9}));
        QVERIFY(u.share[0] == 0 && std::isnan(u.share[1]) && u.share[2] == 0.9);
        QVERIFY(u.coverage == (std::vector<float>{0.3F, 0.6F, 0.9F}) && u.test == 12 && u.test_share == 1);
        h.usage_test.clear();
        h.coverage_statistic.clear();
        const auto less = analysis::anchor_usage(h, 0);
        QVERIFY(less.coverage.empty() && less.test == -1 && std::isnan(less.test_share) &&
                less.share[0] == 0.5);
        QVERIFY_EXCEPTION_THROWN((void)analysis::anchor_usage(h, 3), std::invalid_argument);
    }

private:
    const test::AnalysisGolden golden_;
    Folder cache_;
};

TEST_MAIN_WITHOUT_GUI(TestAnchorInspector)
#include "test_anchor_inspector.moc"
