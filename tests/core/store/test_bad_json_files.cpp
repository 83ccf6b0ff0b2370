// run.json and marks.json of unknown origin: an input Error that names the file, or what can be read; never
// the end of the program, and no more memory than the file's own few bytes deserve.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "core/store/store_test.h"
#include "store/run_folder.h"
#include "store/run_marks.h"
#include "test_program.h"

using namespace casp;
using namespace casp::store;
using store_test::bytes_of;
using store_test::error_of;
using store_test::Folder;
using store_test::put;
namespace fs = std::filesystem;

namespace {

using Json = nlohmann::ordered_json;

constexpr int many_levels = 250'000;  // within the limit of 1 MiB

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

/// JSON of every kind, far from what is expected somewhere.
std::vector<std::string> hostile_values() {
    return {"null",
            "true",
            "-1",
            "1.5",
            "1e3",
            "1e300",
            "1e999",
            "-1e999",
            "9223372036854775808",
            "99999999999999999999999999",
            repeated("9", 100'000),
            "0." + repeated("0", 100'000) + "1",
            R"("")",
            R"("text")",
            R"("\u0000\ud83d\ude00")",
            R"("\ud800")",
            '"' + repeated("x", 500'000) + '"',
            "[]",
            "{}",
            R"([null, 1, "a", {}])",
            R"({"key": 1, "value": 2})",
            "[" + repeated("0,", 200'000) + "0]",
            repeated("[", 30) + repeated("]", 30),
            repeated("[", many_levels) + repeated("]", many_levels),
            repeated("[", 2 * many_levels),
            repeated(R"({"a":)", many_levels / 2) + "1" + repeated("}", many_levels / 2)};
}

bool is_deep(const std::string& value) {
    return value.starts_with("[[") ? value.size() > 100 : value.starts_with(R"({"a":{)");
}

/// `document` with `value`, which need be no JSON, in the place of a member.
std::string with(Json document, const Json::json_pointer& member, const std::string& value) {
    document[member] = "@here@";
    auto text = document.dump();
    const std::string mark = "\"@here@\"";
    return text.replace(text.find(mark), mark.size(), value);
}

/// Every member of the object and of the objects in it.
std::vector<Json::json_pointer> members_of(const Json& document,
                                           const Json::json_pointer& at = Json::json_pointer()) {
    std::vector<Json::json_pointer> found;
    for (const auto& [name, value] : document.items()) {
        found.push_back(at / name);
        if (!value.is_object()) continue;
        for (auto& inner : members_of(value, at / name)) found.push_back(std::move(inner));
    }
    return found;
}

RunStatus some_status() {
    RunStatus status;
    status.row.run = "lambda_cov-0.1";
    status.row.state = RunState::finished;
    status.row.steps = 12;
    status.row.swept = {{"loss.lambda_cov", "0.1"}};
    status.message = "a message";
    return status;
}

}  // namespace

class TestBadJsonFiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void hostile_values_in_run_json() {
        Folder folder;
        const RunFolder run(folder.path());
        write_run_status(run, some_status());
        const auto good = Json::parse(bytes_of(run.run_json()));
        const auto members = members_of(good);
        QVERIFY(members.size() > 15);
        int refused = 0;
        for (const auto& member : members)
            for (const auto& value : hostile_values()) {
                put(run.run_json(), with(good, member, value));
                const auto label = member.to_string() + " = " + value.substr(0, 30);
                std::optional<RunStatus> read;
                const auto message = error_of([&] { read = read_run_status(run); });
                if (message.empty()) {
                    QVERIFY2(!is_deep(value), label.c_str());
                    // What is understood can be written, and reads back.
                    QVERIFY2(error_of([&] { write_run_status(run, *read); }).empty(), label.c_str());
                    QVERIFY2(read_run_status(run)->row.state == read->row.state, label.c_str());
                    continue;
                }
                QVERIFY2(message.starts_with("input: ") && message.find("run.json: ") != std::string::npos,
                         (label + ": " + message.substr(0, 300)).c_str());
                // The message is for a person, whatever stands in the file.
                QVERIFY2(message.size() < 5000, (label + ": " + message.substr(0, 300)).c_str());
                if (is_deep(value) && value.ends_with(value.front() == '[' ? ']' : '}'))
                    CASP_SAYS(message, "it nests deeper than 32 levels");
                ++refused;
            }
        QVERIFY(refused > 100);
    }

    void a_run_json_that_is_no_object() {
        Folder folder;
        const RunFolder run(folder.path());
        for (const auto& value : hostile_values()) {
            put(run.run_json(), value);
            const auto message = error_of([&] { (void)read_run_status(run); });
            QVERIFY2(message.starts_with("input: ") && message.find("run.json: ") != std::string::npos,
                     (value.substr(0, 30) + ": " + message.substr(0, 300)).c_str());
        }
    }

    /// As nlohmann-json reads them: no half of the one and half of the other.
    void last_of_equal_keys_is_used() {
        Folder folder;
        const RunFolder run(folder.path());
        write_run_status(run, some_status());
        auto text = bytes_of(run.run_json());
        const auto end = text.rfind('}');
        put(run.run_json(), text.substr(0, end) + R"(, "message": "the last"})");
        QCOMPARE(read_run_status(run)->message, std::string("the last"));
        put(run.run_json(), text.substr(0, end) + R"(, "format_version": 99})");
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "A newer CASP Studio");
        put(run.run_json(), text.substr(0, end) + R"(, "row": {}})");
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "it cannot be parsed");
        put(folder / "marks.json",
            R"({"note": "first", "note": "second", "colour_index": 2, "colour_index": 3})");
        const auto marks = read_marks(folder.path());
        QCOMPARE(marks.note, std::string("second"));
        QCOMPARE(marks.colour_index, 3);
    }

    /// 100 MB, of which nothing is read. (A hole takes no room on the disk.)
    void large_files() {
        Folder folder;
        const RunFolder run(folder.path());
        for (const auto& file : {run.run_json(), folder / "marks.json"}) {
            put(file, "{");
            fs::resize_file(file, 100'000'000);
        }
        CASP_SAYS(error_of([&] { (void)read_run_status(run); }), "run.json: is larger than 1048576 bytes");
        CASP_SAYS(error_of([&] { (void)read_marks(folder.path()); }),
                  "marks.json: is larger than 1048576 bytes");
        // Nobody's note is worth a file of this size.
        CASP_SAYS(error_of([&] { write_marks(folder.path(), {"note", 1, {}}); }), "is larger than");
    }

    void hostile_values_in_marks_json() {
        Folder folder;
        write_marks(folder.path(), {"a note", 2, "#0072b2"});
        const auto good = Json::parse(bytes_of(folder / "marks.json"));
        int refused = 0;
        for (const auto& member : members_of(good))
            for (const auto& value : hostile_values()) {
                put(folder / "marks.json", with(good, member, value));
                const auto label = member.to_string() + " = " + value.substr(0, 30);
                RunMarks read;
                const auto message = error_of([&] { read = read_marks(folder.path()); });
                if (message.empty()) {
                    QVERIFY2(!is_deep(value), label.c_str());
                    QVERIFY2(read.colour_index >= -1, label.c_str());
                } else {
                    QVERIFY2(
                        message.starts_with("input: ") && message.find("marks.json: ") != std::string::npos,
                        (label + ": " + message.substr(0, 300)).c_str());
                    ++refused;
                }
                // A new note replaces what is there, or is kept beside it.
                QVERIFY2(error_of([&] {
                             write_marks(folder.path(), {"new", 1, {}}, false);
                         }).empty(),
                         label.c_str());
                QVERIFY2(read_marks(folder.path()) == (RunMarks{"new", 1, {}}), label.c_str());
            }
        QVERIFY(refused > 20);
    }

    void a_marks_json_that_is_no_object() {
        Folder folder;
        for (const auto& value : hostile_values()) {
            put(folder / "marks.json", value);
            RunMarks read;
            const auto message = error_of([&] { read = read_marks(folder.path()); });
            QVERIFY2(message.empty() ? read == RunMarks() : message.starts_with("input: "),
                     (value.substr(0, 30) + ": " + message.substr(0, 300)).c_str());
            QVERIFY2(error_of([&] {
                         write_marks(folder.path(), {"new", 1, {}}, false);
                     }).empty(),
                     value.substr(0, 30).c_str());
            QVERIFY2(read_marks(folder.path()) == (RunMarks{"new", 1, {}}), value.substr(0, 30).c_str());
        }
    }
};

TEST_MAIN_WITHOUT_GUI(TestBadJsonFiles)
#include "test_bad_json_files.moc"
