// Data and frozen weights that runs of one process share.

#include <QtTest>

#include <ATen/ATen.h>

#include "model/tensor_file.h"
#include "test_program.h"
#include "train/session.h"
#include "train_fixture.h"

using namespace casp;

class TestSharedParts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(place_.isValid());
        csv_ = test::write_csv(place_.filePath("series.csv").toStdString(), test::small_rows, 2);
    }

    void equal_data_sets_are_one() {
        const auto first = open_data(settings(1)), second = open_data(settings(2));
        QCOMPARE(second.prepared.get(), first.prepared.get());
        auto other = settings(1);
        other.data.lookback += 1;
        QVERIFY(open_data(other).prepared != first.prepared);
        // Windows are the runs' own: an epoch of one must not change the other's order.
        QVERIFY(second.train != first.train);
    }

    void equal_frozen_weights_are_one() {
        train::SharedParts parts;
        const auto first = open_model(settings(1), parts), second = open_model(settings(2), parts);
        QVERIFY(!first.model->frozen().empty());
        QCOMPARE(places(second.model->frozen()), places(first.model->frozen()));
        QCOMPARE(model::digest_of(second.model->frozen()), second.frozen_digest);
        for (const auto* place : places(second.model->trainable()))
            QVERIFY(!places(first.model->trainable()).contains(place));
        auto other = settings(1);
        other.backbone.seed += 1;
        for (const auto* place : places(open_model(other, parts).model->frozen()))
            QVERIFY(!places(first.model->frozen()).contains(place));
    }

    /// Weights of a run that has ended are not kept, those that others use are.
    void shared_until_the_last_run_ends() {
        train::SharedParts parts;
        auto first = std::make_unique<train::SessionModel>(open_model(settings(1), parts));
        const auto second = open_model(settings(2), parts);
        const auto digest = first->frozen_digest;
        first.reset();
        QCOMPARE(model::digest_of(second.model->frozen()), digest);
        const auto third = open_model(settings(3), parts);
        QCOMPARE(places(third.model->frozen()), places(second.model->frozen()));
    }

private:
    [[nodiscard]] config::Config settings(std::int64_t seed) const {
        auto config = test::small_config(csv_);
        config.train.seed = seed;
        return config;
    }
    static train::SessionData open_data(const config::Config& config) {
        train::TrainObserver quiet;
        return train::open_data(config, at::kCPU, quiet, train::StopControl());
    }
    static train::SessionModel open_model(const config::Config& config, train::SharedParts& parts) {
        train::TrainObserver quiet;
        return train::open_model(config, {.channels = 2}, at::kCPU, quiet, train::StopControl(), &parts);
    }
    static QList<const void*> places(const model::NamedTensors& tensors) {
        QList<const void*> all;
        for (const auto& tensor : tensors) all.push_back(tensor.value.data_ptr());
        return all;
    }

    QTemporaryDir place_;
    std::string csv_;
};

TEST_MAIN_WITHOUT_GUI(TestSharedParts)
#include "test_shared_parts.moc"
