// casp_embed: t-SNE and PCA of the points in a file, with times, for the scripts that put them beside other
// programs' (tests/oracle/tsne_compare.py, tests/bench/compare_embeddings.py).
//
//     casp_embed pca  VALUES ROWS COLUMNS OUT [components=2]
//     casp_embed tsne VALUES ROWS COLUMNS OUT [perplexity=30 iterations=750 early=250 exaggeration=12 rate=0
//                                             early-momentum=0.5 momentum=0.8 components=2 seed=0
//                                             method=auto|exact|fft start=FILE]
//
// VALUES and FILE: float32, row by row. OUT gets the layout likewise; standard output a line of JSON.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/pca.h"
#include "analysis/tsne.h"
#include "util/memory.h"

namespace {

using casp::analysis::TsneMethod;

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<float> read_floats(const std::string& path, std::size_t count) {
    std::vector<float> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(float)));
    if (!file) throw std::runtime_error(path + " cannot be read or is too short");
    return values;
}

void write_floats(const std::string& path, const std::vector<float>& values) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(float)));
    if (!file.flush()) throw std::runtime_error(path + " cannot be written");
}

/// name=value from the end of the command line; what is left over is refused.
class Settings {
public:
    Settings(int argc, char** argv, int first) {
        for (int i = first; i < argc; ++i) {
            const std::string text = argv[i];
            const auto equals = text.find('=');
            if (equals == std::string::npos) throw std::runtime_error(text + ": expected name=value");
            values_[text.substr(0, equals)] = text.substr(equals + 1);
        }
    }
    std::string text(const std::string& name, const std::string& otherwise) {
        const auto found = values_.find(name);
        if (found == values_.end()) return otherwise;
        const auto value = found->second;
        values_.erase(found);
        return value;
    }
    double number(const std::string& name, double otherwise) {
        const auto value = text(name, "");
        return value.empty() ? otherwise : std::stod(value);
    }
    std::int64_t whole(const std::string& name, std::int64_t otherwise) {
        return static_cast<std::int64_t>(number(name, static_cast<double>(otherwise)));
    }
    void finish() const {
        if (!values_.empty()) throw std::runtime_error(values_.begin()->first + " is no setting");
    }

private:
    std::map<std::string, std::string> values_;
};

template <class T>
T one_of(const std::string& value, const std::map<std::string, T>& choices) {
    const auto found = choices.find(value);
    if (found == choices.end()) throw std::runtime_error(value + " is no choice");
    return found->second;
}

void embed_pca(const std::vector<float>& values, std::int64_t rows, std::int64_t columns,
               const std::string& out, Settings& settings) {
    const auto components = settings.whole("components", 2);
    settings.finish();
    // Threads and libraries are there in a running program.
    static_cast<void>(casp::analysis::principal_axes(
        std::span(values).first(static_cast<std::size_t>(std::min<std::int64_t>(rows, 100) * columns)),
        std::min<std::int64_t>(rows, 100), columns, components));
    const double start = now();
    const auto result = casp::analysis::principal_axes(values, rows, columns, components);
    const auto points = result.points(values);
    const double seconds = now() - start;
    write_floats(out, std::vector<float>(points.begin(), points.end()));
    std::printf("{\"seconds\": %.6f, \"variance_ratio\": [", seconds);
    for (std::size_t i = 0; i < result.shares.centred.size(); ++i)
        std::printf("%s%.9g", i == 0 ? "" : ", ", result.shares.centred[i]);
    std::printf("]}\n");
}

void embed_tsne(std::vector<float> values, std::int64_t rows, std::int64_t columns, const std::string& out,
                Settings& settings) {
    casp::analysis::TsneOptions o;
    o.components = settings.whole("components", o.components);
    o.perplexity = settings.number("perplexity", o.perplexity);
    o.iterations = settings.whole("iterations", o.iterations);
    o.early_iterations = settings.whole("early", o.early_iterations);
    o.early_exaggeration = settings.number("exaggeration", o.early_exaggeration);
    o.learning_rate = settings.number("rate", o.learning_rate);
    o.early_momentum = settings.number("early-momentum", o.early_momentum);
    o.momentum = settings.number("momentum", o.momentum);
    o.seed = settings.whole("seed", o.seed);
    o.method = one_of<TsneMethod>(
        settings.text("method", "auto"),
        {{"auto", TsneMethod::automatic}, {"exact", TsneMethod::exact}, {"fft", TsneMethod::fft}});
    if (const auto file = settings.text("start", ""); !file.empty())
        o.start = read_floats(file, static_cast<std::size_t>(rows * o.components));
    settings.finish();
    const double start = now();
    casp::analysis::Tsne tsne(std::move(values), rows, columns, o);
    tsne.prepare();
    const double prepared = now();
    tsne.advance(o.iterations);
    const double done = now();
    const double kl = tsne.kl();
    write_floats(out, tsne.layout());
    std::printf(
        "{\"seconds\": %.6f, \"prepare\": %.6f, \"iterate\": %.6f, \"kl\": %.9g, \"perplexity\": %.9g, "
        "\"exact\": %s, \"peak_rss_bytes\": %lld}\n",
        done - start, prepared - start, done - prepared, kl, tsne.perplexity(),
        tsne.exact() ? "true" : "false", static_cast<long long>(casp::process_memory().peak_resident));
    for (const auto& note : tsne.notes()) std::fprintf(stderr, "note: %s\n", note.english().c_str());
}

}  // namespace

int main(int argc, char** argv) {
    try {
        if (argc < 6) throw std::runtime_error("casp_embed pca|tsne VALUES ROWS COLUMNS OUT [name=value...]");
        const std::string what = argv[1], out = argv[5];
        const auto rows = std::stoll(argv[3]), columns = std::stoll(argv[4]);
        auto values =
            read_floats(argv[2], static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
        Settings settings(argc, argv, 6);
        casp::keep_freed_memory();  // as the program does
        if (what == "pca")
            embed_pca(values, rows, columns, out, settings);
        else if (what == "tsne")
            embed_tsne(std::move(values), rows, columns, out, settings);
        else
            throw std::runtime_error(what + ": expected pca or tsne");
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "casp_embed: %s\n", problem.what());
        return 1;
    }
}
