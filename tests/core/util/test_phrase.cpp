// Phrases: their English, in errors and in files.

#include <stdexcept>
#include <string>
#include <vector>

#include <QtTest>

#include "test_program.h"
#include "util/error.h"
#include "util/phrase_json.h"

using namespace casp;

class TestPhrase : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void english_is_the_pattern_with_its_arguments() {
        QCOMPARE(Phrase("only %1 of %2 are free", "3 GB", 4).english(),
                 std::string("only 3 GB of 4 are free"));
        QCOMPARE(Phrase("%2 before %1", std::string("b"), 'a').english(), std::string("a before b"));
        // What stands for a place is not read again, and a place without argument stays.
        QCOMPARE(Phrase("only %1 and %2", std::string("%2")).english(), std::string("only %2 and %2"));
        QCOMPARE(Phrase("100 % of %1", std::string("x %1 y")).english(), std::string("100 % of x %1 y"));
        QCOMPARE(Phrase("%1").english(), std::string("%1"));
        QCOMPARE(Phrase(std::string("%1"), std::vector<Phrase>{}).english(), std::string("%1"));
    }

    void literals_are_words_and_strings_are_values() {
        QVERIFY(!Phrase("training").is_value());
        QVERIFY(Phrase(std::string("training")).is_value());
        QVERIFY(Phrase(std::string_view("training")).is_value());
        QVERIFY(Phrase(3).is_value() && Phrase('a').is_value());
        const Phrase nested("the %1 rows of %2", "training", std::string("training"));
        QVERIFY(!nested.arguments()[0].is_value() && nested.arguments()[1].is_value());
    }

    void parts_are_put_together() {
        Phrase sum;
        QVERIFY(sum.empty());
        sum += "the rows";
        sum += Phrase(" after %1", 3);
        QCOMPARE(sum.english(), std::string("the rows after 3"));
        QCOMPARE((sum + " are gone").english(), std::string("the rows after 3 are gone"));
        // Flat, so that a long list is no deep one.
        QCOMPARE((sum + " are" + " gone").arguments().size(), std::size_t{4});
        QCOMPARE((Phrase(std::string("%*")) + "!").english(), std::string("%*!"));
        QCOMPARE(joined({"a", sum, std::string("c")}, ", ").english(), std::string("a, the rows after 3, c"));
        QCOMPARE(in_turn("First.", {}).english(), std::string("First."));
        QCOMPARE(in_turn("First.", "Second.").english(), std::string("First. Second."));
    }

    void errors_say_the_same_as_a_phrase() {
        const auto whole = input_error("a.csv", Phrase("only %1 rows", 3), "more; much more", "Add some.");
        QCOMPARE(whole.what(), "a.csv: only 3 rows; expected more; much more. Add some.");
        QCOMPARE(whole.phrase().english(), std::string(whole.what()));
        QCOMPARE(phrase_of(whole).arguments().back(), Phrase("Add some."));
        QCOMPARE(input_error({}, "it ends.").what(), "it ends.");
        QCOMPARE(Error(ErrorKind::run, {}).what(), "");
        QVERIFY(phrase_of(std::runtime_error("some words")).is_value());
        // A key that is called as a word of ours.
        QVERIFY(input_error("train", "is empty").phrase().arguments()[0].arguments()[0].is_value());
    }

    void files_keep_them_beside_their_english() {
        const Phrase said("only %1 of %2, %3", Phrase("%1 rows", 3), std::string("a \"%1\".csv"), "as usual");
        auto kept = nlohmann::ordered_json::object();
        keep(kept, said);
        keep(kept, std::string("a value"));
        QCOMPARE(kept.size(), std::size_t{1});
        const nlohmann::json document{{"phrases", nlohmann::json(kept)}};
        const auto read = kept_phrase(document, said.english());
        QCOMPARE(read.text(), said.text());
        QCOMPARE(read.arguments()[0].text(), std::string("%1 rows"));
        QVERIFY(read.arguments()[1].is_value() && !read.arguments()[2].is_value());
        // An older file, or one that was changed by hand.
        QVERIFY(kept_phrase(nlohmann::json::object(), "a value").is_value());
        nlohmann::json changed = document;
        changed["phrases"][said.english()][0] = "other words";
        QVERIFY(kept_phrase(changed, said.english()).is_value());
        QCOMPARE(kept_phrase(changed, said.english()).english(), said.english());
    }
};

TEST_MAIN(TestPhrase)
#include "test_phrase.moc"
