#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstring>

#include <QtTest>

#include "store/safetensors.h"
#include "store_test.h"
#include "test_program.h"
#include "util/digest.h"

using namespace casp::store;
using namespace store_test;

namespace {

std::string file_with(const std::string& header, const std::string& data) {
    const std::uint64_t size = header.size();
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &size, 8);
    return bytes + header + data;
}

std::string error_for(const Folder& folder, const std::string& bytes) {
    const auto path = folder / "bad.safetensors";
    put(path, bytes);
    return error_of([&] { SafetensorsFile file(path); });
}

}  // namespace

class TestSafetensors : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void round_trip_of_every_type() {
        Folder folder;
        const std::vector<double> doubles{1.5, -0.0, 1e300};
        const std::vector<std::int64_t> longs{INT64_MIN, 7};
        const std::vector<float> floats{1.0f, -2.5f, NAN, INFINITY, 1e-42f, 3.0f};
        const std::vector<std::int32_t> ints{-1};
        const std::vector<std::uint16_t> halves{0x3c00, 0xc000};
        const std::vector<std::uint8_t> bytes{0, 255, 3};
        std::string digest;
        {
            SafetensorsWriter writer(folder / "a.safetensors",
                                     {{"d", Dtype::f64, {3}},
                                      {"l", Dtype::i64, {2}},
                                      {"f", Dtype::f32, {2, 3}},
                                      {"i", Dtype::i32, {}},
                                      {"h", Dtype::f16, {2, 1}},
                                      {"b", Dtype::bf16, {2}},
                                      {"u", Dtype::u8, {3}},
                                      {"none", Dtype::f32, {0, 4}},
                                      {"t", Dtype::boolean, {1}}},
                                     {{"format", "pt"}, {"note", "größer \"x\""}});
            writer.write("d", doubles.data(), 24);
            writer.write("l", longs.data(), 16);
            writer.write("f", floats.data(), 24);
            writer.write("i", ints.data(), 4);
            writer.write("h", halves.data(), 4);
            writer.write("b", halves.data(), 4);
            writer.write("u", bytes.data(), 3);
            writer.write("none", nullptr, 0);
            QVERIFY(!std::filesystem::exists(folder / "a.safetensors"));
            writer.write("t", bytes.data() + 2, 1);
            digest = writer.finish();
        }
        QCOMPARE(digest, casp::sha256_of_file(folder / "a.safetensors"));
        const SafetensorsFile file(folder / "a.safetensors");
        QCOMPARE(file.tensors().size(), std::size_t{9});
        QCOMPARE(file.metadata().at("note"), std::string("größer \"x\""));
        const auto& f = file.at("f", std::vector<std::int64_t>{2, 3});
        const auto read = to_floats(f);
        QCOMPARE(std::memcmp(read.data(), floats.data(), 24), 0);
        std::array<std::byte, 24> raw{};
        read_bytes(file.at("l"), std::span(raw).first(16));
        QCOMPARE(std::memcmp(raw.data(), longs.data(), 16), 0);
        read_bytes(file.at("d"), raw);
        QCOMPARE(std::memcmp(raw.data(), doubles.data(), 24), 0);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, read_bytes(file.at("d"), std::span(raw).first(8)));
        QCOMPARE(file.at("i").elements(), std::int64_t{1});
        QVERIFY(file.at("i").shape.empty());
        QCOMPARE(file.at("none").elements(), std::int64_t{0});
        QCOMPARE(to_floats(file.at("h")), (std::vector<float>{1.0f, -2.0f}));
        QCOMPARE(to_floats(file.at("b")), (std::vector<float>{0.0078125f, -2.0f}));
        QCOMPARE(SafetensorsFile::sha256(file.at("u")), casp::sha256_of(std::string("\0\xff\x03", 3)));
    }

    /// All 65536 patterns of both formats against arithmetic that uses no bit tricks.
    void half_precision_is_exact() {
        for (unsigned bits = 0; bits < 65536; ++bits) {
            const int sign = (bits & 0x8000u) != 0 ? -1 : 1;
            const int exponent = static_cast<int>((bits >> 10) & 31u);
            const int mantissa = static_cast<int>(bits & 1023u);
            const float got = float_from_f16(static_cast<std::uint16_t>(bits));
            if (exponent == 31) {
                QVERIFY(mantissa == 0 ? std::isinf(got) : std::isnan(got));
            } else {
                const double expected = exponent == 0 ? sign * std::ldexp(mantissa, -24)
                                                      : sign * std::ldexp(1024 + mantissa, exponent - 25);
                QCOMPARE(static_cast<double>(got), expected);
            }
            QCOMPARE(std::signbit(got), sign < 0);
            QCOMPARE(std::bit_cast<std::uint32_t>(float_from_bf16(static_cast<std::uint16_t>(bits))),
                     bits << 16);
        }
    }

    /// OpenAI's GPT-2 has a header of 14283 bytes: its floats lie at odd addresses.
    void unaligned_data_are_read() {
        Folder folder;
        const float value = 1.25f;
        std::string data(4, '\0');
        std::memcpy(data.data(), &value, 4);
        std::string header = R"({"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
        while (header.size() % 8 != 3) header += ' ';
        put(folder / "odd.safetensors", file_with(header, data));
        const SafetensorsFile file(folder / "odd.safetensors");
        QCOMPARE(to_floats(file.at("x")).front(), value);
    }

    /// More than one piece of what is read at once.
    void large_tensors_of_half_precision() {
        Folder folder;
        std::vector<std::uint16_t> bits(1'500'001);
        for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i * 7919 % 31744);
        SafetensorsWriter writer(folder / "a", {{"h", Dtype::f16, {1'500'001}}});
        writer.write("h", bits.data(), 2 * bits.size());
        writer.finish();
        const SafetensorsFile file(folder / "a");
        const auto values = to_floats(file.at("h"));
        for (std::size_t i = 0; i < bits.size(); ++i)
            if (values[i] != float_from_f16(bits[i])) QFAIL(std::to_string(i).c_str());
        QCOMPARE(SafetensorsFile::sha256(file.at("h")),
                 casp::sha256_of({reinterpret_cast<const char*>(bits.data()), 2 * bits.size()}));
    }

    void a_file_that_shrinks_while_it_is_read() {
        Folder folder;
        const std::vector<float> values(3'000'000, 1.5f);
        SafetensorsWriter writer(folder / "a",
                                 {{"x", Dtype::f32, {1'000'000}}, {"y", Dtype::f32, {2'000'000}}});
        writer.write("x", values.data(), 4'000'000);
        writer.write("y", values.data(), 8'000'000);
        writer.finish();
        const SafetensorsFile file(folder / "a");
        std::filesystem::resize_file(folder / "a", 5'000'000);
        QCOMPARE(to_floats(file.at("x")).back(), 1.5f);
        CASP_SAYS(error_of([&] { (void)to_floats(file.at("y")); }),
                  "it became shorter while it was being read");
        CASP_SAYS(error_of([&] { (void)SafetensorsFile::sha256(file.at("y")); }), "it became shorter");
        // Removed, or replaced by another file of that name: what is open stays as it is.
        std::filesystem::remove(folder / "a");
        QCOMPARE(to_floats(file.at("x")).front(), 1.5f);
    }

    void bad_files_are_named_precisely() {
        Folder folder;
        const std::string four(4, '\0');
        CASP_SAYS(error_of([&] { SafetensorsFile file(folder / "none"); }), "input: ");
        CASP_SAYS(error_of([&] { SafetensorsFile file(folder.path()); }), "this is a folder");
        CASP_SAYS(error_for(folder, ""), "truncated or empty");
        CASP_SAYS(error_for(folder, std::string(8, '\xff')), "This is not a .safetensors file");
        CASP_SAYS(error_for(folder, file_with("{}", "").substr(0, 9)), "truncated");
        CASP_SAYS(error_for(folder, file_with("{\"x\":", "")), "the header is not JSON");
        CASP_SAYS(error_for(folder, file_with("[1]", "")), "not a JSON object");
        CASP_SAYS(error_for(folder, file_with(std::string(200000, '['), "")), "nested deeper");
        CASP_SAYS(error_for(folder, file_with(R"({"x":{"dtype":"F32","shape":[1]}})", four)), "incomplete");
        const auto one = [&](const std::string& dtype, const std::string& shape, const std::string& offsets,
                             const std::string& data) {
            return error_for(folder, file_with("{\"w.x\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
                                                   ",\"data_offsets\":" + offsets + "}}",
                                               data));
        };
        QCOMPARE(one("F32", "[1]", "[0,4]", four), std::string());
        CASP_SAYS(one("F8_E4M3", "[4]", "[0,4]", four),
                  "tensor \"w.x\": its type is F8_E4M3; expected F64, F32");
        CASP_SAYS(one("F32", "[2]", "[0,4]", four), "it has 4 bytes; expected 8 bytes for F32 [2]");
        CASP_SAYS(one("F32", "[1]", "[4,0]", four), "run backwards");
        CASP_SAYS(one("F32", "[1]", "[4,0]", four), "download or write it again.");
        CASP_SAYS(one("F32", "[1]", "[0,4]", "abc"), "the file holds 3 bytes of data");
        CASP_SAYS(one("F32", "[1]", "[4,8]", four + four), "after a gap; expected byte 0");
        CASP_SAYS(one("F32", "[-1]", "[0,4]", four), "a size in its shape is -1");
        CASP_SAYS(one("F32", "[1.5]", "[0,4]", four), "a size in its shape is 1.5");
        CASP_SAYS(one("F32", "[4294967296,4294967296]", "[0,4]", four), "larger than any memory");
        CASP_SAYS(one("F32", "[1]", "[0,4]", four + "x"), "1 bytes follow the last tensor");
        CASP_SAYS(one("F32", "[1]", "[0,\"4\"]", four), "data_offsets is \"4\"");
        const std::string entry = R"({"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
        CASP_SAYS(error_for(folder, file_with("{\"a\":" + entry + ",\"a\":" + entry + "}", four)),
                  "the header names \"a\" twice");
        CASP_SAYS(error_for(folder, file_with("{\"a\":" + entry + ",\"b\":" + entry + "}", four)),
                  "inside the tensor before");
        CASP_SAYS(error_for(folder, file_with(R"({"__metadata__":{"k":1}})", "")), "__metadata__ \"k\" is 1");
    }

    void bad_headers_have_specific_messages() {
        Folder folder;
        const std::string entry = R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
        CASP_SAYS(error_for(folder, file_with("7", "")), "not a JSON object");
        CASP_SAYS(error_for(folder, file_with("[1,[2,[3]]]", "")), "not a JSON object");
        CASP_SAYS(error_for(folder, file_with(R"({"a":7})", "")), "tensor \"a\": its entry is incomplete");
        CASP_SAYS(error_for(folder, file_with(R"({"a":[[1],2]})", "")),
                  "tensor \"a\": its entry is incomplete");
        CASP_SAYS(
            error_for(folder, file_with(R"({"a":{"dtype":"F32","shape":{},"data_offsets":[0,0]}})", "")),
            "its shape is not a list");
        CASP_SAYS(error_for(folder, file_with(R"({"a":{"dtype":"F32","dtype":"F32"}})", "")),
                  "names \"dtype\" twice");
        CASP_SAYS(error_for(folder, file_with(R"({"__metadata__":{"k":"1","k":"2"}})", "")),
                  "names \"k\" twice");
        CASP_SAYS(error_for(folder, file_with(R"({"__metadata__":{},"__metadata__":{}})", "")),
                  "names \"__metadata__\" twice");
        CASP_SAYS(error_for(folder, file_with(R"({"__metadata__":[]})", "")),
                  "__metadata__ is not an object");
        CASP_SAYS(error_for(folder, file_with(R"({"__metadata__":{"k":[1]}})", "")),
                  "\"k\" is a list or an object");
        CASP_SAYS(error_for(folder, file_with("{\"a\":" + entry + "}}", "")), "the header is not JSON");
        CASP_SAYS(error_for(folder, file_with("{\"a\":" + entry + ",\"" + std::string(1'000'000, 'x'), "")),
                  "the header is not JSON: syntax error at byte");
        // Keys that nobody knows, and what lies in them, are no fault.
        put(folder / "good.safetensors",
            file_with("{\"a\":" + entry.substr(0, entry.size() - 1) + ",\"x\":{\"y\":1,\"y\":2},\"z\":[1]}}",
                      ""));
        QCOMPARE(SafetensorsFile(folder / "good.safetensors").tensors().size(), std::size_t{1});
    }

    /// In a time that grows with the square of their number this would not end within the test's.
    void a_header_of_200_000_tensors() {
        Folder folder;
        constexpr int many = 200000;
        const std::string entry = R"({"dtype":"F32","shape":[0],"data_offsets":[0,0]})";
        std::string header = "{\"__metadata__\":{";
        for (int i = 0; i < many; ++i) header += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":\"\"";
        header += "}";
        for (int i = 0; i < many; ++i) header += ",\"" + std::to_string(i) + "\":" + entry;
        put(folder / "many.safetensors", file_with(header + "}", ""));
        const SafetensorsFile file(folder / "many.safetensors");
        QCOMPARE(file.tensors().size(), std::size_t{many});
        QCOMPARE(file.metadata().size(), std::size_t{many});
        QCOMPARE(file.at("123456").name, std::string("123456"));
        QVERIFY(file.find(std::to_string(many)) == nullptr);
    }

    void a_large_header_costs_bounded_memory_data() {
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<QByteArray>("piece");  // after a number in quotes
        QTest::newRow("numbers") << QByteArray("{\"x\":0") << QByteArray("0");
        QTest::newRow("texts") << QByteArray("{\"__metadata__\":{\"x\":\"\"") << QByteArray("\"\"");
        QTest::newRow("keys of an entry") << QByteArray("{\"x\":{\"x\":0") << QByteArray("0");
    }

    void a_large_header_costs_bounded_memory() {
#if defined(CASP_SANITIZES_MEMORY) || defined(CASP_SANITIZES_THREADS)
        QSKIP("a sanitizer's memory is its own");
#endif
        QFETCH(QByteArray, begin);
        QFETCH(QByteArray, piece);
        Folder folder;
        auto header = begin.toStdString();
        for (int i = 0; header.size() < 16'700'000; ++i)
            header += ",\"" + std::to_string(i) + "\":" + piece.toStdString();
        header += std::string(begin.count('{'), '}');
        put(folder / "large.safetensors", file_with(header, ""));
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(error_of([&] { SafetensorsFile file(folder / "large.safetensors"); }).empty() ==
                            begin.contains("metadata")
                        ? 0
                        : 1);
        int status = 0;
        rusage used{};
        ::wait4(child, &status, 0, &used);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
        constexpr long max_kb = 800000;
        QVERIFY2(used.ru_maxrss < max_kb, std::to_string(used.ru_maxrss).c_str());
    }

    void missing_tensors_and_shapes_are_named() {
        Folder folder;
        const float value = 0;
        SafetensorsWriter writer(folder / "a", {{"transformer.wte.weight", Dtype::f32, {1, 1}}});
        writer.write("transformer.wte.weight", &value, 4);
        writer.finish();
        const SafetensorsFile file(folder / "a");
        QVERIFY(file.find("wte.weight") == nullptr);
        CASP_SAYS(error_of([&] { (void)file.at("wte.weight"); }), "It has \"transformer.wte.weight\"");
        // The last part of a name alone says nothing.
        QVERIFY(!QByteArray(error_of([&] { (void)file.at("in_layer.weight"); }).c_str()).contains("It has"));
        CASP_SAYS(error_of([&] {
                      (void)file.at("transformer.wte.weight", std::vector<std::int64_t>{50257, 768});
                  }),
                  "its shape is [1, 1]; expected [50257, 768]");
        CASP_SAYS(
            error_of([&] {
                TensorView view = file.at("transformer.wte.weight");
                view.dtype = Dtype::i32;
                (void)to_floats(view);
            }),
            file.path().string() + ", tensor \"transformer.wte.weight\": its type is I32; expected F64, F32");
    }

    void doubles_are_rounded() {
        Folder folder;
        const std::vector<double> doubles{0.1, -0.0, 1e-50, NAN, INFINITY, 16777217.0};
        const double huge = 1e39;
        SafetensorsWriter writer(folder / "a.safetensors",
                                 {{"d", Dtype::f64, {6}}, {"huge", Dtype::f64, {}}});
        writer.write("d", doubles.data(), 48);
        writer.write("huge", &huge, 8);
        (void)writer.finish();
        const SafetensorsFile file(folder / "a.safetensors");
        const auto floats = to_floats(file.at("d"));
        const std::vector<float> expected{0.1f, -0.0f, 0.0f, NAN, INFINITY, 16777216.0f};
        for (std::size_t i = 0; i < floats.size(); ++i)
            QVERIFY(std::bit_cast<std::uint32_t>(floats[i]) == std::bit_cast<std::uint32_t>(expected[i]) ||
                    (std::isnan(floats[i]) && std::isnan(expected[i])));
        CASP_SAYS(error_of([&] { (void)to_floats(file.at("huge")); }),
                  "tensor \"huge\": its type is F64 and it has a value of 1e39; expected values in the "
                  "range of F32");
        CASP_SAYS(file.conversions(), "2 of its 2 tensors were converted from float64 to float32");
    }

    /// Many values: they are read in parts.
    void many_doubles() {
        Folder folder;
        std::vector<double> doubles(300'001);
        for (std::size_t i = 0; i < doubles.size(); ++i) doubles[i] = static_cast<double>(i) / 7;
        SafetensorsWriter writer(folder / "a.safetensors", {{"d", Dtype::f64, {300'001}}});
        writer.write("d", doubles.data(), 8 * doubles.size());
        (void)writer.finish();
        const auto floats = to_floats(SafetensorsFile(folder / "a.safetensors").at("d"));
        for (std::size_t i = 0; i < doubles.size(); ++i) QCOMPARE(floats[i], static_cast<float>(doubles[i]));
    }

    void wrappers_are_removed_where_names_then_fit() {
        Folder folder;
        const auto open = [&](const std::vector<std::string>& names) {
            std::vector<TensorSpec> specs;
            for (const auto& name : names) specs.push_back({name, Dtype::f32, {}});
            SafetensorsWriter writer(folder / "a.safetensors", specs);
            const float value = 1;
            for (const auto& name : names) writer.write(name, &value, 4);
            (void)writer.finish();
            SafetensorsFile file(folder / "a.safetensors");
            file.unwrap([](const SafetensorsFile& f) {
                return std::size_t{f.find("a.weight") != nullptr} + std::size_t{f.find("model.b") != nullptr};
            });
            return file;
        };
        for (const std::string prefix :
             {"module.", "model.", "_orig_mod.", "_orig_mod.module.", "module.model."}) {
            const auto file = open({prefix + "a.weight", prefix + "model.b", prefix + "more"});
            QCOMPARE(file.tensors().size(), std::size_t{3});
            QVERIFY(file.find("a.weight") != nullptr && file.find("model.b") != nullptr);
            QCOMPARE(file.at("more").name, std::string("more"));
            CASP_SAYS(file.conversions(), "the prefix \"" + prefix + "\" of its 3 tensor names was removed");
        }
        // A name of the model itself; a tensor without the prefix; names that do not fit in any way.
        QCOMPARE(open({"model.b"}).conversions(), std::string());
        QVERIFY(open({"model.b"}).find("model.b") != nullptr);
        QVERIFY(open({"module.a.weight", "other"}).find("module.a.weight") != nullptr);
        QVERIFY(open({"module.x", "module.y"}).find("module.x") != nullptr);
        QVERIFY(open({"module.module.module.a.weight"}).find("a.weight") != nullptr);
        QVERIFY(open({"model."}).find("model.") != nullptr);
    }

    void several_files_by_their_index() {
        Folder folder;
        const auto write = [&](const std::string& file, const std::string& name, float value) {
            SafetensorsWriter writer(folder / file, {{name, Dtype::f32, {}}}, {{"format", "pt"}});
            writer.write(name, &value, 4);
            (void)writer.finish();
        };
        write("model-00001-of-00002.safetensors", "a", 1);
        write("model-00002-of-00002.safetensors", "b", 2);
        const auto index = folder / "model.safetensors.index.json";
        const std::string first =
            R"({"metadata": {"total_size": 8}, "weight_map": {"a": "model-00001-of-00002.safetensors", "b": )";
        put(index, first + "\"model-00002-of-00002.safetensors\"}}");
        const SafetensorsFile file(index);
        QCOMPARE(file.tensors().size(), std::size_t{2});
        QCOMPARE(to_floats(file.at("a")), std::vector<float>{1});
        QCOMPARE(to_floats(file.at("b")), std::vector<float>{2});
        QCOMPARE(file.metadata().at("format"), std::string("pt"));
        put(index, first + "\"model-00001-of-00002.safetensors\"}}");
        CASP_SAYS(error_of([&] { SafetensorsFile f(index); }), "there is no tensor \"b\"");
        put(index, first + "\"model-00003-of-00003.safetensors\"}}");
        CASP_SAYS(error_of([&] { SafetensorsFile f(index); }), "there is no such file");
        for (const char* name : {"\"../x.safetensors\"", "\"/etc/passwd\"", "7", "\"x.bin\""}) {
            put(index, first + name + "}}");
            CASP_SAYS(error_of([&] { SafetensorsFile f(index); }), "the file of \"b\" is");
        }
        put(index, "{\"weight_map\"");
        CASP_SAYS(error_of([&] { SafetensorsFile f(index); }), "not JSON");
        put(index, "{}");
        CASP_SAYS(error_of([&] { SafetensorsFile f(index); }), "it has no \"weight_map\"");
    }

    void other_formats_are_named() {
        Folder folder;
        for (const auto& [bytes, name] : std::vector<std::pair<std::string, std::string>>{
                 {std::string("\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.", 15) +
                      std::string(30, 'a'),
                  "a PyTorch file (before version 1.6)"},
                 {"\x80\x02}q\x01(X\x06" + std::string(30, '\0'), "a Python pickle"},
                 {"\x89HDF\r\n\x1A\n" + std::string(30, '\0'), "an HDF5 file"},
                 {"GGUF\x03" + std::string(30, '\0'), "a GGUF file"},
                 {"\x08\x08\x12\x07pytorch", "an ONNX file"}}) {
            const auto text = error_for(folder, bytes);
            CASP_SAYS(text, "bad.safetensors: this is " + name + "; expected a .safetensors file. ");
            CASP_SAYS(text, "bad-converted.safetensors\")");
        }
        CASP_SAYS(error_for(folder, "a,b\n1,2\n3,4\n"), "its first bytes state a header");
    }

    void the_writer_refuses_disorder() {
        Folder folder;
        const float value = 0;
        SafetensorsWriter writer(folder / "a", {{"x", Dtype::f32, {1}}, {"y", Dtype::f32, {1}}});
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, writer.write("y", &value, 4));
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, writer.write("x", &value, 3));
        writer.write("x", &value, 4);
        QVERIFY_THROWS_EXCEPTION(std::invalid_argument, writer.finish());
        QVERIFY_THROWS_EXCEPTION(
            std::invalid_argument,
            SafetensorsWriter(folder / "b", {{"x", Dtype::f32, {1}}, {"x", Dtype::f32, {1}}}));
        CASP_SAYS(error_of([&] { SafetensorsWriter other(folder.path() / "no" / "a", {}); }), "run: ");
    }

    /// Any damage to the header is an error or leaves a file that is still consistent; nothing reads out of
    /// bounds.
    void flipped_bytes_never_crash() {
        Folder folder;
        std::string header =
            R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},)"
            R"("b":{"dtype":"F32","shape":[2],"data_offsets":[8,16]}})";
        const auto good = file_with(header, std::string(16, '\1'));
        std::mt19937 random(7);
        int refused = 0;
        for (int i = 0; i < 3000; ++i) {
            auto bad = good;
            const auto place = random() % (8 + header.size());
            bad[place] = static_cast<char>(bad[place] ^ static_cast<char>(1u << (random() % 8)));
            put(folder / "flip", bad);
            const auto message = error_of([&] {
                const SafetensorsFile file(folder / "flip");
                for (const auto& view : file.tensors())
                    if (view.dtype != Dtype::i64 && view.dtype != Dtype::i32 && view.dtype != Dtype::u8 &&
                        view.dtype != Dtype::f64)
                        (void)to_floats(view);
            });
            refused += message.empty() ? 0 : 1;
        }
        QVERIFY2(refused > 1500, std::to_string(refused).c_str());
    }

    void python_reads_what_is_written() {
        if (!python_has("safetensors.numpy")) QSKIP("Python has no safetensors");
        Folder folder;
        const std::vector<float> values{1, 2, 3, 4, 5, 6};
        const std::vector<std::int64_t> counts{5};
        SafetensorsWriter writer(folder / "a.safetensors",
                                 {{"n", Dtype::i64, {1}}, {"w", Dtype::f32, {2, 3}}}, {{"format", "pt"}});
        writer.write("n", counts.data(), 8);
        writer.write("w", values.data(), 24);
        writer.finish();
        const auto text = run_python(
            "import sys\nfrom safetensors import safe_open\n"
            "f = safe_open(sys.argv[1], 'np')\n"
            "print(f.metadata(), sorted(f.keys()), f.get_tensor('w').tolist(), f.get_tensor('n').tolist())\n"
            "from safetensors.numpy import save_file\nimport numpy as np\n"
            "save_file({'z': np.arange(3, dtype=np.float16)}, sys.argv[1] + '.np')",
            {QString::fromStdString((folder / "a.safetensors").string())});
        QCOMPARE(text, std::string("{'format': 'pt'} ['n', 'w'] [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [5]\n"));
        const SafetensorsFile back(folder / "a.safetensors.np");
        QCOMPARE(to_floats(back.at("z")), (std::vector<float>{0, 1, 2}));
    }
};

TEST_MAIN_WITHOUT_GUI(TestSafetensors)
#include "test_safetensors.moc"
