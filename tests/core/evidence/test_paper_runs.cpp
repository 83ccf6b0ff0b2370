// What the paper's tables need besides the rows of runs, from small real runs.
#include <cmath>

#include <QtTest>

#include "analysis/strata.h"
#include "core/train/train_fixture.h"
#include "evidence/paper_runs.h"
#include "folder_test.h"
#include "inspect/window_embeddings.h"
#include "test_program.h"

using namespace casp;
namespace fs = std::filesystem;

class TestPaperRuns : public test::FolderTest {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        test::write_csv(folder("series.csv"), test::small_rows, test::small_channels);
        train("a", 0, 1, "test");
        train("b", 0.1, 2, "test");
        train("bare", 0, 1, "val");
    }

    /// The figure embeds all windows with the run's weights; the table reads stored errors and the data only.
    void strata_are_those_of_the_figure() {
        const auto embedded = [&](const char* name) {
            inspect::EmbeddingRequest request;
            request.run = folder("batch") / name;
            request.device = "cpu";
            return inspect::compute_embeddings(request);
        };
        const auto a = embedded("a"), b = embedded("b");
        const auto input = [](const store::Embeddings& e) {
            return analysis::StrataInput{e.start, e.channels, e.residual, e.mse, e.mae, {}};
        };
        const auto pair = analysis::compare_strata(input(a), input(b));
        const auto of_a = measured("a"), of_b = measured("b");
        QCOMPARE(of_a.size(), std::size_t{1});
        QCOMPARE(of_a[0].problem, std::string());
        const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::abs(y); };
        QVERIFY(near(of_a[0].measures.at("hard_mse"), pair.hardest.mse_a));
        QVERIFY(near(of_a[0].measures.at("easy_mse"), pair.easiest.mse_a));
        QVERIFY(near(of_b[0].measures.at("hard_mse"), pair.hardest.mse_b));
        QVERIFY(near(of_b[0].measures.at("easy_mse"), pair.easiest.mse_b));
        QVERIFY(!near(of_a[0].measures.at("hard_mse"), of_a[0].measures.at("easy_mse")));
    }

    void other_tables_read_no_data() {
        QVERIFY(measured("a", "lambda")[0].measures.empty());
        QVERIFY(measured("a", "lambda")[0].usage_test.empty());
        QCOMPARE(measured("a", "jaccard")[0].usage_test.size(), std::size_t{30});
    }

    void without_stored_errors() {
        const auto run = measured("bare")[0];
        QVERIFY(run.measures.empty());
        QVERIFY2(run.problem.english().find("run.store_forecasts") != std::string::npos,
                 run.problem.english().c_str());
    }

    void without_the_data_file() {
        fs::rename(folder("series.csv"), folder("moved.csv"));
        const auto run = measured("a")[0];
        QVERIFY(run.measures.empty());
        QVERIFY2(run.problem.english().find("series.csv") != std::string::npos,
                 run.problem.english().c_str());
        // Other values in the file are other strata.
        test::write_csv(folder("series.csv"), test::small_rows, test::small_channels, 0.002);
        const auto other = measured("a")[0];
        QVERIFY2(other.problem.english().find("not the run's data file") != std::string::npos,
                 other.problem.english().c_str());
    }

private:
    void train(const std::string& name, double lambda, std::int64_t epochs,
               const std::string& forecasts) const {
        auto config = test::small_config(folder("series.csv").string());
        config.train.epochs = epochs;
        config.loss.lambda_cov = lambda;
        config.run.store_forecasts = {forecasts};
        fs::create_directories(folder("batch"));
        test::run_in(folder("batch") / name, config);
    }
    [[nodiscard]] std::vector<evidence::PaperRun> measured(const std::string& name,
                                                           const char* table = "strata") const {
        return evidence::with_measures(evidence::paper_table(table),
                                       evidence::finished_runs({folder("batch") / name}).runs);
    }
};

TEST_MAIN_WITHOUT_GUI(TestPaperRuns)
#include "test_paper_runs.moc"
