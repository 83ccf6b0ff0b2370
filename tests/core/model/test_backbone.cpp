// GPT-2: dropout, attention, weights from files, sizes.
#include <fstream>
#include <optional>

#include <QTemporaryDir>
#include <QtTest>

#include <torch/torch.h>

#include <nlohmann/json.hpp>

#include "model/attention.h"
#include "model/backbone.h"
#include "model/casp_llm.h"
#include "model/cuda/blas_lt.h"
#include "model/dropout.h"
#include "model/gpt2.h"
#include "model/gpt2_weights.h"
#include "model/transformer_encoder.h"
#include "store/known_weights.h"
#include "store/safetensors.h"
#include "test_program.h"
#include "util/error.h"
#include "util/random.h"
#include "util/shared_library.h"

using namespace casp::model;

namespace {

casp::config::Config::Backbone tiny_shape(std::int64_t layers, std::int64_t seed = 1) {
    return {"untrained", layers, 20, 2, 61, 16, 0.0, seed, "gpt2"};
}

NamedTensors all_tensors(const Gpt2& gpt2) {
    auto tensors = gpt2.trainable();
    for (const auto& tensor : gpt2.frozen()) tensors.push_back(tensor);
    return tensors;
}

at::Tensor tensor_of(const casp::store::TensorView& view) {
    auto tensor = at::empty(view.shape, at::kFloat);
    casp::store::read_bytes(view, {static_cast<std::byte*>(tensor.data_ptr()), tensor.nbytes()});
    return tensor;
}

}  // namespace

class TestBackbone : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dropout_keeps_the_right_share_and_scales() {
        const auto x = at::ones({1000, 1000});
        const auto y = casp::model::dropout(x, 0.1, 42);
        const double kept = (y != 0).to(at::kDouble).mean().item<double>();
        QVERIFY2(std::abs(kept - 0.9) < 5 * std::sqrt(0.09 / 1e6), qPrintable(QString::number(kept)));
        QVERIFY(at::equal(y.masked_select(y != 0).max(), y.masked_select(y != 0).min()));
        QVERIFY(std::abs(y.max().item<double>() - 1 / 0.9) < 1e-6);
        QVERIFY(at::equal(casp::model::dropout(x, 0.1, 42), y));
        QVERIFY(!at::equal(casp::model::dropout(x, 0.1, 43), y));
    }

    void dropout_masks_do_not_depend_on_threads() {
        const auto x = at::ones({777, 333});
        const int threads = at::get_num_threads();
        at::set_num_threads(1);
        const auto one = casp::model::dropout(x, 0.3, 7);
        at::set_num_threads(3);
        const auto three = casp::model::dropout(x, 0.3, 7);
        at::set_num_threads(threads);
        QVERIFY(at::equal(one, three));
    }

    void dropout_masks_of_neighbouring_elements_and_keys_are_independent() {
        // Correlations of masks at distances 1, 64 and 768, and between consecutive keys of a step: |r| below
        // 5/√n.
        const std::int64_t n = 1 << 20;
        DropoutStream stream(2021, 5);
        const auto mask = [&](const casp::model::DropoutKey& key) {
            return casp::model::dropout(at::ones({n}), 0.1, key).ne(0).to(at::kDouble) - 0.9;
        };
        const auto a = mask(stream.next());
        const auto b = mask(stream.next());
        const auto correlation = [](const at::Tensor& x, const at::Tensor& y) {
            return ((x * y).mean() / 0.09).item<double>();
        };
        const double bound = 5 / std::sqrt(static_cast<double>(n));
        for (const std::int64_t distance : {1, 64, 768})
            QVERIFY(std::abs(correlation(a.slice(0, distance), a.slice(0, 0, n - distance))) < bound);
        QVERIFY(std::abs(correlation(a, b)) < bound);
    }

    void dropout_backward_uses_the_same_mask() {
        auto x = at::randn({50, 40}, casp::make_generator(1), at::kFloat).set_requires_grad(true);
        const auto y = casp::model::dropout(x, 0.25, 11);
        y.sum().backward();
        QVERIFY(at::allclose(x.grad() * x.detach(), y.detach(), 1e-6, 1e-7));
    }

    void part_of_a_batch_has_the_masks_of_the_whole() {
        // 10 windows of 7 rows, in parts of 3 and 7 windows; attention takes 32 rows at once, the
        // feed-forward layers 1024 (of 70 × 64).
        const std::int64_t windows = 10, rows = 7, tokens = 64, width = 16;
        const auto random = [](at::IntArrayRef sizes, std::uint64_t seed) {
            return at::randn(sizes, casp::make_generator(seed), at::kFloat);
        };
        const auto w1 = random({32, width}, 1), b1 = random({32}, 2);
        const auto w2 = random({width, 32}, 3), b2 = random({width}, 4);
        const auto x = random({windows * rows, tokens, 3 * width}, 5);
        const auto weight = random({windows * rows, tokens, width}, 6);
        const auto compute = [&](std::int64_t begin, std::int64_t end) {
            const BatchShare share{begin, end - begin, windows, {}, {}, {}};
            const TrainingStep step{2021, 3, {}, {}, end - begin < windows ? &share : nullptr};
            DropoutStream stream(step);
            auto leaf = x.slice(0, begin * rows, end * rows).clone().set_requires_grad(true);
            const auto dropped = dropout(leaf, 0.2, stream.next());
            const auto attended = causal_attention(dropped, 4, 0.3, stream.next());
            const auto out = feed_forward(attended.flatten(0, 1), w1, b1, w2, b2, 0.4, stream.next());
            (out.view_as(attended) * weight.slice(0, begin * rows, end * rows)).sum().backward();
            return std::pair(out.detach().view_as(attended), leaf.grad());
        };
        const auto [whole, whole_gradient] = compute(0, windows);
        const auto [front, front_gradient] = compute(0, 3);
        const auto [back, back_gradient] = compute(3, windows);
        QVERIFY(at::allclose(at::cat({front, back}), whole, 1e-5, 1e-5));
        QVERIFY(at::allclose(at::cat({front_gradient, back_gradient}), whole_gradient, 1e-4, 1e-5));
        // Without its place a part has other masks.
        DropoutStream stream(2021, 3);
        const auto ones = at::ones({7 * rows, 50});
        QVERIFY(!at::equal(
            dropout(ones, 0.2, stream.next()),
            dropout(at::ones({10 * rows, 50}), 0.2, DropoutStream(2021, 3).next()).slice(0, 3 * rows)));
    }

    void rows_of_an_evaluation_share_prefixes() {
        const torch::NoGradGuard no_gradient;
        casp::config::Config config;
        config.backbone.layers = 2;
        config.backbone.width = 32;
        config.backbone.heads = 4;
        config.backbone.vocabulary = 10;
        config.backbone.positions = 16;
        Backbone backbone(config, false);
        const std::int64_t rows = 12, prefixes = 4, length = 3;
        const auto prefix = at::randn({prefixes, length, 32}, casp::make_generator(1), at::kFloat);
        const auto rest = at::randn({rows, 9, 32}, casp::make_generator(2), at::kFloat);
        // The numbers of a prefix are its anchors, in order: {0, 1, 2} is not {1, 0, 2}.
        const auto which = at::arange(rows).remainder(prefixes);
        const auto anchors = at::tensor({0, 1, 2, 1, 0, 2, 7, 8, 9, 2, 1, 0}, at::kLong)
                                 .view({prefixes, length})
                                 .index_select(0, which);
        const Tokens tokens(prefix.index_select(0, which), rest);
        const auto expected = backbone.forward(tokens, nullptr, false);
        const auto shared = backbone.forward_prompted(tokens, anchors, false);
        QCOMPARE(shared.sizes(), expected.sizes());
        QVERIFY2(at::allclose(shared, expected, 1e-5, 1e-5),
                 qPrintable(QString::number((shared - expected).abs().max().item<double>())));

        // Shared indeed: of equal numbers the first row's prefix counts.
        const Tokens others(tokens.prefix.clone(), rest);
        others.prefix.slice(0, prefixes).zero_();
        QVERIFY(at::equal(backbone.forward_prompted(others, anchors, false), shared));
        // With more than half as many prefixes as rows, nothing is shared.
        constexpr auto most = 2 * prefixes - 1;
        const Tokens few(others.prefix.slice(0, 0, most), rest.slice(0, 0, most));
        QVERIFY(at::equal(backbone.forward_prompted(few, anchors.slice(0, 0, most), false),
                          backbone.forward(few, nullptr, false)));
    }

    void attention_without_dropout_is_the_formula() {
        const std::int64_t rows = 3, tokens = 10, heads = 2, width = 4;
        const auto qkv = at::randn({rows, tokens, 3 * heads * width}, casp::make_generator(2), at::kFloat);
        const auto out = causal_attention(qkv, heads, 0.0, 0);
        const auto x = qkv.to(at::kDouble);
        for (std::int64_t h = 0; h < heads; ++h) {
            const auto part = [&](std::int64_t which) {
                return x.narrow(2, which * heads * width + h * width, width);
            };
            auto scores =
                at::matmul(part(0), part(1).transpose(1, 2)) / std::sqrt(static_cast<double>(width));
            scores = scores.masked_fill(at::ones({tokens, tokens}, at::kBool).triu(1), -1e30);
            const auto expected = at::matmul(at::softmax(scores, -1), part(2));
            QVERIFY(at::allclose(out.narrow(2, h * width, width).to(at::kDouble), expected, 1e-5, 1e-6));
        }
    }

    void attention_with_dropout_has_exact_gradients() {
        // Central differences in float64 cannot be used (the masks are for fp32), so compare with autograd
        // through the same masks, which are read off by sending the identity through as values.
        const std::int64_t rows = 5, tokens = 9, heads = 3, width = 4;
        auto qkv = at::randn({rows, tokens, 3 * heads * width}, casp::make_generator(3), at::kFloat)
                       .set_requires_grad(true);
        const auto weight = at::randn({rows, tokens, heads * width}, casp::make_generator(4), at::kFloat);
        const auto out = causal_attention(qkv, heads, 0.4, 17);
        (out * weight).sum().backward();

        auto copy = qkv.detach().clone().set_requires_grad(true);
        const auto parts = copy.view({rows, tokens, 3, heads, width}).permute({2, 0, 3, 1, 4});
        auto scores = at::matmul(parts.select(0, 0), parts.select(0, 1).transpose(2, 3)) /
                      std::sqrt(static_cast<double>(width));
        scores = scores.masked_fill(at::ones({tokens, tokens}, at::kBool).triu(1),
                                    -std::numeric_limits<double>::infinity());
        // One slice of rows: its key is mixed with the first row, 0.
        const auto mask = dropout_masked(at::ones({rows, heads, tokens, tokens}), 0.4, casp::mix64(17));
        const auto plain =
            at::matmul(at::softmax(scores, -1) * mask, parts.select(0, 2)).transpose(1, 2).flatten(2);
        QVERIFY(at::allclose(out.detach(), plain.detach(), 1e-5, 1e-6));
        (plain * weight).sum().backward();
        QVERIFY(at::allclose(qkv.grad(), copy.grad(), 1e-4, 1e-5));
    }

    void row_slices_do_not_change_attention() {
        // More rows than attention with dropout takes at once (32 here); p so small that nothing is dropped.
        const auto qkv = at::randn({70, 64, 3 * 16}, casp::make_generator(5), at::kFloat);
        const auto weight = at::randn({70, 64, 16}, casp::make_generator(6), at::kFloat);
        const auto attend = [&](double p) {
            auto leaf = qkv.clone().set_requires_grad(true);
            const auto out = causal_attention(leaf, 4, p, 3);
            (out * weight).sum().backward();
            return std::pair(out.detach(), leaf.grad());
        };
        const auto [fused, fused_gradient] = attend(0.0);
        const auto [sliced, sliced_gradient] = attend(1e-10);
        QVERIFY(at::allclose(sliced, fused, 1e-5, 1e-6));
        QVERIFY(at::allclose(sliced_gradient, fused_gradient, 1e-4, 1e-5));

        // 1500 positions in the feed-forward layers, which take 1024 at once, and row by row.
        auto shape = tiny_shape(2);
        shape.dropout = 0;
        Gpt2 gpt2(shape);
        auto whole =
            at::randn({150, 10, shape.width}, casp::make_generator(7), at::kFloat).set_requires_grad(true);
        auto single = whole.detach().clone().set_requires_grad(true);
        casp::model::DropoutStream stream(1, 0);
        const auto out = gpt2.forward(whole, &stream, false);
        out.square().sum().backward();
        std::vector<at::Tensor> rows;
        for (std::int64_t row = 0; row < 150; ++row)
            rows.push_back(gpt2.forward(single.slice(0, row, row + 1), &stream, false));
        const auto expected = at::cat(rows);
        expected.square().sum().backward();
        QVERIFY(at::allclose(out, expected, 1e-5, 1e-5));
        QVERIFY(at::allclose(whole.grad(), single.grad(), 1e-4, 1e-5));
    }

    void weights_from_hugging_face_files_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("layers");
        QTest::addColumn<double>("bound");
        QTest::newRow("fp32") << "model.safetensors" << 3 << 1e-5;
        QTest::newRow("fp32, two of three blocks") << "model.safetensors" << 2 << 1e-5;
        QTest::newRow("fp32, one of three blocks") << "model.safetensors" << 1 << 1e-5;
        QTest::newRow("prefix and language-model head") << "with_prefix.safetensors" << 3 << 1e-5;
        QTest::newRow("fp16") << "fp16.safetensors" << 3 << 5e-3;
        QTest::newRow("bf16") << "bf16.safetensors" << 3 << 4e-2;
        QTest::newRow("folder") << "" << 3 << 1e-5;
    }

    void weights_from_hugging_face_files() {
        QFETCH(QString, file);
        QFETCH(int, layers);
        QFETCH(double, bound);
        Gpt2 gpt2(tiny_shape(layers));
        const auto path = find_backbone_file((tiny_ / file.toStdString()).string());
        QCOMPARE(load_backbone(path, all_tensors(gpt2)).kind, BackboneKind::unknown_checkpoint);
        const casp::store::SafetensorsFile expected(tiny_ / "expected.safetensors");
        const torch::NoGradGuard no_gradient;
        const auto hidden = gpt2.forward(tensor_of(expected.at("inputs")), nullptr, false);
        const auto truth = tensor_of(expected.at("hidden." + std::to_string(layers)));
        const double error = ((hidden - truth).abs().max() / truth.abs().max()).item<double>();
        QVERIFY2(error <= bound, qPrintable(QString::number(error)));
    }

    /// As float64 under other names, in one file and in two: the same weights to the bit, and both changes
    /// are said.
    void wrapped_names_and_doubles_are_read() {
        const QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        const casp::store::SafetensorsFile plain(tiny_ / "model.safetensors");
        const auto write = [&](const char* name, const std::string& prefix, std::size_t first,
                               std::size_t last) {
            std::vector<casp::store::TensorSpec> specs;
            for (std::size_t i = first; i < last; ++i)
                specs.push_back(
                    {prefix + plain.tensors()[i].name, casp::store::Dtype::f64, plain.tensors()[i].shape});
            casp::store::SafetensorsWriter writer(place / name, specs);
            for (std::size_t i = first; i < last; ++i) {
                const auto floats = to_floats(plain.tensors()[i]);
                const std::vector<double> doubles(floats.begin(), floats.end());
                writer.write(specs[i - first].name, doubles.data(), 8 * doubles.size());
            }
            (void)writer.finish();
        };
        const auto count = plain.tensors().size();
        const auto weights = [](Gpt2& model) {
            std::vector<at::Tensor> all;
            for (const auto& tensor : all_tensors(model)) all.push_back(tensor.value.detach().clone());
            return all;
        };
        Gpt2 expected(tiny_shape(3));
        (void)load_backbone(tiny_ / "model.safetensors", all_tensors(expected));
        for (const std::string prefix : {"module.", "_orig_mod.module.", "model.transformer.", ""}) {
            write("wrapped.safetensors", prefix, 0, count);
            Gpt2 gpt2(tiny_shape(3, 2));
            const auto loaded =
                load_backbone(find_backbone_file(place / "wrapped.safetensors"), all_tensors(gpt2));
            const auto a = weights(gpt2), b = weights(expected);
            for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(at::equal(a[i], b[i]));
            const auto said = QString::fromStdString(loaded.conversions);
            QVERIFY2(said.contains("converted from float64"), qPrintable(said));
            QCOMPARE(said.contains("was removed"), !prefix.empty());
        }
        write("model-00001-of-00002.safetensors", "", 0, count / 2);
        write("model-00002-of-00002.safetensors", "", count / 2, count);
        nlohmann::json index;
        for (std::size_t i = 0; i < count; ++i)
            index["weight_map"][plain.tensors()[i].name] =
                i < count / 2 ? "model-00001-of-00002.safetensors" : "model-00002-of-00002.safetensors";
        std::ofstream(place / "model.safetensors.index.json") << index.dump();
        Gpt2 gpt2(tiny_shape(3, 2));
        (void)load_backbone(find_backbone_file(place.string()), all_tensors(gpt2));
        const auto a = weights(gpt2), b = weights(expected);
        for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(at::equal(a[i], b[i]));
        try {
            (void)load_backbone(place / "model-00001-of-00002.safetensors", all_tensors(gpt2));
            QFAIL("a part was taken");
        } catch (const casp::Error& problem) {
            QVERIFY2(QByteArray(problem.what()).contains("one of several files"), problem.what());
        }
    }

    /// By a table made from the little file itself: that of the real one is of the same kind.
    void published_weights_are_recognised() {
        const casp::store::SafetensorsFile file(tiny_ / "model.safetensors");
        const auto table = [&](const std::string& altered) {
            nlohmann::json json;
            for (const auto& view : file.tensors())
                json[view.name]["sha256_fp32_le"] =
                    view.name == altered ? std::string(64, '0') : casp::store::SafetensorsFile::sha256(view);
            return casp::store::WeightDigests(json.dump());
        };
        Gpt2 gpt2(tiny_shape(3)), shorter(tiny_shape(1));
        const auto kind = [&](const char* name, Gpt2& model, const casp::store::WeightDigests& digests) {
            return load_backbone(tiny_ / name, all_tensors(model), {}, digests).kind;
        };
        QCOMPARE(kind("model.safetensors", gpt2, table("")), BackboneKind::openai_gpt2_small);
        QCOMPARE(kind("with_prefix.safetensors", gpt2, table("")), BackboneKind::openai_gpt2_small);
        QCOMPARE(kind("fp16.safetensors", gpt2, table("")), BackboneKind::unknown_checkpoint);
        QCOMPARE(kind("model.safetensors", gpt2, table("h.2.ln_1.weight")), BackboneKind::unknown_checkpoint);
        // Only what is taken counts.
        QCOMPARE(kind("model.safetensors", shorter, table("h.2.ln_1.weight")),
                 BackboneKind::openai_gpt2_small);
        QVERIFY(table("").match_all(file) && !table("h.2.ln_1.weight").match_all(file));
        QVERIFY(!casp::store::WeightDigests::openai_gpt2_small().match_all(file));
    }

    void wrong_files_are_explained() {
        auto shape = tiny_shape(3);
        shape.width = 24;
        Gpt2 wider(shape);
        try {
            (void)load_backbone(tiny_ / "model.safetensors", all_tensors(wider));
            QFAIL("a file of another width was taken");
        } catch (const casp::Error& problem) {
            const std::string text = problem.what();
            QVERIFY2(text.find("[16, 20]") != std::string::npos && text.find("[16, 24]") != std::string::npos,
                     text.c_str());
        }
        Gpt2 deeper(tiny_shape(4));
        try {
            (void)load_backbone(tiny_ / "model.safetensors", all_tensors(deeper));
            QFAIL("a file with too few blocks was taken");
        } catch (const casp::Error& problem) {
            QVERIFY2(std::string(problem.what()).find("h.3.") != std::string::npos, problem.what());
        }
        try {
            (void)find_backbone_file("/nowhere/model.safetensors");
            QFAIL("a missing file was found");
        } catch (const casp::Error& problem) {
            const std::string text = problem.what();
            for (const char* way : {"--fetch gpt2", "backbone.path", "untrained"})
                QVERIFY2(text.find(way) != std::string::npos, text.c_str());
        }
    }

    void full_size_has_the_papers_parameters() {
        CaspLlm model(casp::config::Config{}, 7);  // ETTh1-96
        const auto trainable = count_elements(model.trainable());
        QCOMPARE(trainable, 52871600);
        QCOMPARE(trainable + count_elements(model.frozen()), 133977776);
        for (const auto& tensor : model.frozen())
            QVERIFY2(!tensor.value.requires_grad(), tensor.name.c_str());
        for (const auto& tensor : model.trainable())
            QVERIFY2(tensor.value.requires_grad(), tensor.name.c_str());
    }

    void initialisation_is_hugging_faces() {
        const auto shape = [](std::int64_t seed) {
            return casp::config::Config::Backbone{"untrained", 2, 96, 4, 500, 64, 0.1, seed, "gpt2"};
        };
        const Gpt2 gpt2(shape(9));
        for (const auto& list : {gpt2.trainable(), gpt2.frozen()}) {
            for (const auto& [name, tensor] : list) {
                const auto t = tensor.detach();
                if (t.dim() == 2) {
                    const double expected = name.find("c_proj") != std::string::npos ? 0.02 / 2 : 0.02;
                    const double found = t.to(at::kDouble).std().item<double>();
                    QVERIFY2(std::abs(found / expected - 1) < 0.05, name.c_str());
                } else {
                    const bool ones =
                        name.find("ln_") != std::string::npos && name.find("weight") != std::string::npos;
                    QVERIFY2(at::equal(t, at::full_like(t, ones ? 1.0 : 0.0)), name.c_str());
                }
            }
        }
        const Gpt2 again(shape(9));
        QVERIFY(at::equal(again.token_table(), gpt2.token_table()));
        const Gpt2 other(shape(10));
        QVERIFY(!at::equal(other.token_table(), gpt2.token_table()));
    }

    /// Of blas_lt.h, in the library itself, which describes products without a GPU. Numbers that it does not
    /// know, and values of another size, are errors.
    void cublaslt_accepts_our_constants() {
        namespace lt = cuda::blas_lt;
        std::optional<lt::Functions> library;
        int (*get)(void*, int, void*, std::size_t, std::size_t*) = nullptr;
        try {
            library.emplace();
            casp::SharedLibrary({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"})
                .find(get, "cublasLtMatmulDescGetAttribute");
        } catch (const std::runtime_error& missing) {
            QSKIP(missing.what());
        }
        void* product = nullptr;
        QCOMPARE(library->create_product(&product, lt::compute_fp32, lt::type_fp32), 0);
        const auto set = [&](int attribute, auto value) {
            return library->set_attribute(product, attribute, &value, sizeof value);
        };
        int after = 0;
        std::size_t size = 0;
        QCOMPARE(get(product, lt::epilogue, &after, sizeof after, &size), 0);
        QCOMPARE(after, 1);  // CUBLASLT_EPILOGUE_DEFAULT
        QCOMPARE(set(lt::transpose_a, 1), 0);
        for (const int kind : {lt::gelu_aux_bias, lt::gelu_gradient}) QCOMPARE(set(lt::epilogue, kind), 0);
        for (const auto pointer : {lt::bias_pointer, lt::aux_pointer})
            QCOMPARE(set(pointer, static_cast<void*>(&after)), 0);
        QCOMPARE(set(lt::aux_line, std::int64_t{3072}), 0);
        QVERIFY(set(lt::aux_line, 3072) != 0);
        QVERIFY(set(lt::epilogue, std::int64_t{1}) != 0);
        QCOMPARE(library->destroy_product(product), 0);

        void* layout = nullptr;
        QCOMPARE(library->create_layout(&layout, lt::type_bf16, 3072, 448, 3072), 0);
        QCOMPARE(library->destroy_layout(layout), 0);
        void* preference = nullptr;
        QCOMPARE(library->create_preference(&preference), 0);
        const std::size_t most = 1 << 20;
        QCOMPARE(library->set_preference(preference, lt::workspace_limit, &most, sizeof most), 0);
        QCOMPARE(library->destroy_preference(preference), 0);
    }

private:
    std::filesystem::path tiny_ = std::filesystem::path(CASP_SOURCE_DIR) / "tests/golden/gpt2_tiny";
};

TEST_MAIN_WITHOUT_GUI(TestBackbone)
#include "test_backbone.moc"
