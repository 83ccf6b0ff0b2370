// GPT-2's tokenizer and Python's numbers against the tokenizers package and Python (tests/golden/tokenizer,
// made by tests/oracle/make_tokenizer.py).
#include <bit>
#include <fstream>

#include <nlohmann/json.hpp>
#include <QtTest>

#include "core/store/store_test.h"
#include "test_program.h"
#include "text/gpt2_tokenizer.h"
#include "text/python_float.h"

using namespace casp;
namespace fs = std::filesystem;

class TestTokenizer : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        std::ifstream file(golden_ / "cases.json");
        cases_ = nlohmann::json::parse(file);
        QVERIFY(cases_.at("texts").size() >= 35);
    }

    void a_small_vocabulary() { compare(golden_ / "vocab.json", "small"); }

    void gpt2s_vocabulary() {
        const auto file = fs::path(CASP_SHARED_DATA) / "gpt2/vocab.json";
        if (!fs::exists(file)) QSKIP("GPT-2's vocabulary is not here (shared/data/gpt2)");
        compare(file, "gpt2");
    }

    void pieces_are_the_whole_text() {
        for (const std::string text : {"it's  12a\n\n b ", "a\xFF\xC3 b", "\xE2\x80", "x \xC2\xA0y"}) {
            std::string joined;
            for (const auto piece : text::gpt2_pieces(text)) joined += piece;
            QCOMPARE(joined, text);
        }
        const auto pieces = text::gpt2_pieces("we'll  see");
        QCOMPARE(pieces.size(), std::size_t{4});
        QCOMPARE(std::string(pieces[2]), std::string(" "));
        QCOMPARE(std::string(pieces[3]), std::string(" see"));
    }

    void bytes_that_are_not_utf8_are_kept() {
        const text::Gpt2Tokenizer tokenizer(text::Tokens::read(golden_ / "vocab.json"));
        QCOMPARE(tokenizer.encode("\xFF").size(), std::size_t{1});
        QVERIFY(tokenizer.encode("\xFF") != tokenizer.encode("\xFE"));
    }

    void a_vocabulary_without_bytes_is_refused() {
        const store_test::Folder folder;
        std::ofstream(folder / "vocab.json") << R"({"a": 0, "b": 1})";
        const auto error = store_test::error_of(
            [&] { const text::Gpt2Tokenizer t(text::Tokens::read(folder / "vocab.json")); });
        QVERIFY(error.find("vocab.json") != std::string::npos &&
                error.find("no token for the byte 0") != std::string::npos);
    }

    void floats_are_formatted_as_in_python() {
        for (const auto& entry : cases_.at("floats")) {
            const auto bits = std::stoull(entry.at(0).get<std::string>(), nullptr, 16);
            QCOMPARE(text::python_float(std::bit_cast<double>(static_cast<std::uint64_t>(bits))),
                     entry.at(1).get<std::string>());
        }
    }

private:
    void compare(const fs::path& vocabulary, const char* key) {
        const text::Gpt2Tokenizer tokenizer(text::Tokens::read(vocabulary));
        for (const auto& entry : cases_.at("texts")) {
            const auto text = entry.at("text").get<std::string>();
            QVERIFY2(tokenizer.encode(text) == entry.at(key).get<std::vector<std::int64_t>>(), text.c_str());
        }
    }

    fs::path golden_ = fs::path(CASP_SOURCE_DIR) / "tests/golden/tokenizer";
    nlohmann::json cases_;
};

TEST_MAIN_WITHOUT_GUI(TestTokenizer)
#include "test_tokenizer.moc"
