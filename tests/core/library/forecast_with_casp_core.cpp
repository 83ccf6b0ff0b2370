// Trains and evaluates a small model on a CSV file with casp_core: forecast_with_casp_core FILE.csv
// RUN_FOLDER
#include <cstdio>
#include <filesystem>

#include "config/experiment.h"
#include "data/csv_import.h"
#include "run/run.h"
#include "util/error.h"

using namespace casp;

namespace {

// An experiment file as text. The backbone is small and untrained, so nothing is downloaded.
constexpr const char* settings = R"(
[data]
lookback = 48
horizon = 12
[backbone]
path = "untrained"
layers = 1
width = 24
heads = 2
vocabulary = 100
positions = 32
[model]
trend_length = 13
seasonal_length = 12
pool_size = 30
top_k = 4
[train]
epochs = 2
batch_size = 32
learning_rate = 1e-3
)";

// Called from the thread that runs; every function is optional.
class Printer : public train::TrainObserver {
public:
    void on_epoch(const train::EpochReport& report) override {
        std::printf("epoch %lld of %lld: validation MSE %.4f\n", static_cast<long long>(report.epoch),
                    static_cast<long long>(report.epochs), report.val_mse);
    }
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fprintf(stderr, "usage: %s FILE.csv RUN_FOLDER\n", argv[0]);
        return 2;
    }
    const std::filesystem::path csv = std::filesystem::absolute(argv[1]), folder = argv[2];
    try {
        const data::Table table = data::import_csv(csv);
        std::printf("%lld rows, %zu channels\n", static_cast<long long>(table.rows()), table.columns.size());
        for (const data::Warning& warning : table.warnings)
            std::printf("%s\n", warning.text.english().c_str());

        run::RunRequest request;
        request.config = config::load_text(settings, "settings", std::filesystem::current_path()).base;
        request.config.name = "library";
        request.config.data.path = csv.string();
        request.folder = folder;
        request.name = folder.filename().string();

        Printer printer;
        train::StopControl stop;  // another thread may call stop.ask(train::StopRequest::cancel)
        const store::ResultRow result = run::run(request, printer, stop);
        std::printf("test MSE %.4f, persistence forecast %.4f\n", result.test_mse, result.last_value_mse);
        return store::is_complete(result.state) ? 0 : 1;
    } catch (const Error& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return error.kind() == ErrorKind::input ? 2 : 1;
    }
}
