#include "model/factory.h"

#include "data/calendar_step.h"
#include "model/descriptor.h"
#include "util/error.h"

namespace casp::model {

#define CASP_MODEL(identifier, name, title) \
    std::unique_ptr<Forecaster> make_##identifier(const config::Config& config, const DataShape& data);
#include "config/models.def"
#undef CASP_MODEL

std::unique_ptr<Forecaster> make_model(const config::Config& config, const DataShape& data) {
    const auto wanted = descriptor(config).name;
    if (capabilities(config).imported)
        throw input_error("model.name", "\"imported\" are forecasts made by other code, without a model here",
                          config::expected_text(*config::find_option("model.name")));
    std::unique_ptr<Forecaster> model;  // descriptor() has thrown for an unknown name
#define CASP_MODEL(identifier, name, title) \
    if (wanted == name) model = make_##identifier(config, data);
#include "config/models.def"
#undef CASP_MODEL
    model->use_tf32(config.run.precision == "tf32");
    return model;
}

std::int64_t season_of(const DataShape& data) {
    return data.collection || data.season > 1 ? data.season : data::season_of(data.step);
}

void require_all_channels(const config::Config& config, const DataShape& data) {
    if (data.single_channel)
        throw input_error("data.batching",
                          Phrase("%1 forecasts a channel from all channels of its window and cannot be "
                                 "trained on batches of single channels",
                                 descriptor(config).title),
                          "data.batching = \"multi-channel\"");
}

}  // namespace casp::model
