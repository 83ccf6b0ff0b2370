#include "model/python_model.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <sstream>
#include <utility>

#include <torch/torch.h>

#include "config/options.h"
#include "config/text_utils.h"
#include "data/windows.h"
#include "model/trusted_files.h"
#include "store/atomic_file.h"
#include "store/safetensors.h"
#include "util/digest.h"
#include "util/error.h"
#include "util/random.h"
#include "util/regular_file.h"

namespace casp::model {

namespace {

/// Settings by which the process trains torch modules; what other objects do is up to them.
constexpr std::array of_modules{"loss.forecast",  "train.optimizer",    "train.learning_rate",
                                "train.schedule", "train.weight_decay", "train.max_grad_norm",
                                "run.precision"};

constexpr const char *state_digest = "own_state_sha256", *state_seal = "own_state_seal";

/// As the file sees them: whole numbers without a point.
nlohmann::json json_of(const config::FreeValue& value) {
    const auto number = [](double x) -> nlohmann::json {
        constexpr double exact = 9007199254740992.0;
        return x == std::floor(x) && std::abs(x) < exact ? nlohmann::json(static_cast<std::int64_t>(x))
                                                         : nlohmann::json(x);
    };
    if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
        auto list = nlohmann::json::array();
        for (const double x : *numbers) list.push_back(number(x));
        return list;
    }
    return std::visit([](const auto& given) { return nlohmann::json(given); }, value);
}

std::vector<std::int64_t> integers_of(const at::Tensor& values) {
    const auto all = values.contiguous();
    return {all.data_ptr<std::int64_t>(), all.data_ptr<std::int64_t>() + all.numel()};
}

std::filesystem::path state_file_of(std::filesystem::path weights) {
    return weights.replace_extension(".state");
}

/// Rows of consecutive windows, [windows − 1 + length, channels], from every length-th window.
at::Tensor joined_rows(const data::WindowSet& windows, std::int64_t length,
                       const std::function<at::Tensor(const data::WindowBatch&)>& part) {
    const auto rows = windows.windows() - 1 + length;
    std::vector<at::Tensor> parts;
    for (std::int64_t first = 0; first < rows; first += length) {
        const auto window = std::min(first, windows.windows() - 1);  // the last ones overlap
        parts.push_back(part(windows.range(window, 1))[0].slice(0, first - window));
    }
    return at::cat(parts).slice(0, 0, rows);
}

}  // namespace

PythonModel::PythonModel(const config::Config& config, DataShape data)
    : config_(config), data_(std::move(data)) {
    if (config.python.file.empty())
        throw input_error("python.file", "no file is given", "a Python file with make(task)",
                          "Set python.file to your file.");
}

void PythonModel::start(Hosting hosting) {
    *hosting_ = std::move(hosting);
    if (worker_) return;
    const auto& python = config_.python;
    require_trusted(python.file, python.sha256);
    require_trusted(python.interpreter, digest_of_interpreter(python.interpreter));
    require_trusted(python.file, digest_of_options(python));
    source_ = config::planned_python_source(python.file, python.sha256);
    worker_ = std::make_unique<PythonWorker>(
        python.interpreter, python.file, std::chrono::seconds(python.answer_seconds),
        Hosting{[hosting = hosting_](const Phrase& line, bool printed) {
                    if (hosting->print) hosting->print(line, printed);
                },
                [hosting = hosting_] { return hosting->must_stop && hosting->must_stop(); }});
    auto options = nlohmann::json::object();
    for (const auto& [name, value] : python.options) {
        auto* place = &options;
        std::istringstream parts(name);
        for (std::string part; std::getline(parts, part, '.'); place = &(*place)[part])
            if (!place->is_object() && !place->is_null()) break;
        if (!place->is_null())
            throw input_error("python.options." + name, "the name is given as a value and as a table",
                              "one of both");
        *place = json_of(value);
    }
    const auto& train = config_.train;
    const auto season = season_of(data_);
    const nlohmann::json task{
        {"lookback", config_.data.lookback},
        {"horizon", config_.data.horizon},
        {"channels", data_.channels},
        {"channel_names", data_.names},
        {"targets", data_.single_channel && !data_.targets.empty() ? std::vector<std::int64_t>{0}  // of one
                                                                   : data_.targets},
        {"frequency", data_.step.is_known() ? data::frequency_name(data_.step).english() : ""},
        {"season", season},
        {"options", options}};
    const nlohmann::json settings{
        {"loss", config_.loss.forecast},
        {"optimizer", train.optimizer},
        {"learning_rate", train.learning_rate},
        {"weight_decay", train.weight_decay},
        {"max_grad_norm", train.max_grad_norm},
        {"precision", config_.run.precision},
        {"threads", config_.run.threads},
        {"device", config_.run.device},
        {"seed", train.seed},
        {"horizon", config_.data.horizon},
        {"embeds", python.embeds},
        {"targets", data_.targets.empty() ? nlohmann::json() : nlohmann::json(data_.targets)}};
    (void)worker_->memory(1);
    const auto reply =
        worker_->call({{"request", "open"},
                       {"memory", worker_->memory_name()},
                       {"file", std::filesystem::absolute(python.file).string()},
                       {"source", source_.text},
                       {"modules", source_.modules},
                       {"imports_beside", is_trusted(digest_of_folder(python.file, python.sha256))},
                       {"single_channel", data_.single_channel},
                       {"task", task},
                       {"settings", settings}},
                      true);
    const auto trains = reply.at("trains").get<std::string>();
    training_ = trains == "steps" ? Training::steps : trains == "fit" ? Training::one_fit : Training::none;
    reads_marks_ = reply.at("marked").get<bool>();
    is_module_ = reply.at("module").get<bool>();
    info_.parameters_trainable = reply.at("parameters_trainable").get<std::int64_t>();
    info_.parameters_total = reply.at("parameters_total").get<std::int64_t>();
    info_.embeds = reply.at("embeds").get<bool>();
    info_.device = reply.at("device").get<std::string>();
    info_.hardware = reply.at("hardware").get<std::string>();
    info_.description = nlohmann::json{{"file", python.file},
                                       {"sha256", python.sha256},
                                       {"files", reply.at("files")},
                                       {"modules", source_.modules},
                                       {"interpreter", python.interpreter},
                                       {"python", reply.at("python")},
                                       {"packages", reply.at("packages")},
                                       {"device", info_.device}}
                            .dump(2) +
                        "\n";
    if (!hosting_->print) return;
    const auto name = std::filesystem::path(python.file).filename().string();
    for (const auto& option : reply.at("unread"))
        hosting_->print(Phrase("%1 does not read python.options.%2", name, option.get<std::string>()), false);
    std::vector<std::string> others;
    for (const auto& [file, digest] : reply.at("files").items())
        if (file != name && !source_.modules.contains(file)) others.push_back(file);
    if (!others.empty())
        hosting_->print(Phrase("imported, but not by an import statement that is found: %1; this code is "
                               "neither kept with the run nor part of python.sha256",
                               config::listed(others)),
                        false);
    if (is_module_) return;
    for (const char* key : of_modules)
        if (config::get(config_, key) != config::find_option(key)->default_value)
            hosting_->print(Phrase("%1 has no effect: the model of %2 is no torch module",
                                   config::Shown{config_}(key), name),
                            false);
}

void PythonModel::share(nlohmann::json& request,
                        const std::vector<std::pair<const char*, at::Tensor>>& arrays) {
    std::size_t end = 0;
    std::vector<SharedArray> places;
    for (const auto& [name, tensor] : arrays) {
        places.push_back({end, tensor.defined() ? tensor.sizes().vec() : std::vector<std::int64_t>{0}});
        end = places.back().end();
    }
    const auto memory = worker_->memory(end);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const auto& [name, tensor] = arrays[i];
        if (!tensor.defined()) continue;
        auto place = at::from_blob(memory.data() + places[i].at, places[i].shape, at::kFloat);
        place.copy_(tensor);
        request[name] = places[i].json();
    }
    request["end"] = end;
}

at::Tensor PythonModel::answer(const char* name, const ModelInput& input, std::vector<std::int64_t> shape) {
    nlohmann::json request{
        {"request", name},
        {"seed", derive_seed(static_cast<std::uint64_t>(config_.train.seed), "forecast", forecasts_)}};
    share(request, {{"x", input.lookback}, {"marks", reads_marks_ ? input.time : at::Tensor()}});
    const SharedArray to{request["end"].get<std::size_t>(), std::move(shape)};
    request["to"] = to.at;
    (void)worker_->memory(to.end());
    worker_->call(request);
    return at::from_blob(worker_->memory(to.end()).data() + to.at, to.shape, at::kFloat).clone();
}

std::optional<Trace> PythonModel::trace_of(const ModelInput& input) {
    const auto width = embedding_width();
    if (width == 0) return std::nullopt;
    const std::vector<std::int64_t> shape{input.lookback.size(0) * input.lookback.size(2), 1, width};
    if (!embedding_fails_) try {
            return trace_of_patches(answer("embed", input, shape));
        } catch (const Cancelled&) {
            throw;
        } catch (const Error& problem) {
            if (has_ended()) throw;
            // What was trained is worth more than its embeddings.
            embedding_fails_ = true;
            if (hosting_->print)
                hosting_->print(Phrase("embeddings are not finite from here on: %1", phrase_of(problem)),
                                false);
        }
    return trace_of_patches(at::full(shape, std::numeric_limits<float>::quiet_NaN(), at::kFloat));
}

std::int64_t PythonModel::embedding_width() const {
    if (width_) return *width_;
    width_ = 0;
    if (!info_.embeds) return 0;
    const auto reply = worker_->call({{"request", "embedding_width"},
                                      {"lookback", config_.data.lookback},
                                      {"horizon", config_.data.horizon},
                                      {"channels", data_.single_channel ? 1 : data_.channels}});
    width_ = reply.at("width").get<std::int64_t>();
    if (*width_ == 0 && hosting_->print)
        hosting_->print(Phrase("there will be no embeddings: %1", reply.at("problem").get<std::string>()),
                        false);
    return *width_;
}

Forecast PythonModel::forward(const ModelInput& input, const TrainingStep* /*step*/, bool trace) {
    if (partial_seen_ && !whole_seen_) throw no_whole_window("fit_batch");
    Forecast forecast;
    if (trace) forecast.trace = trace_of(input);
    forecast.prediction =
        answer("predict", input, {input.lookback.size(0), config_.data.horizon, input.lookback.size(2)});
    ++forecasts_;
    return forecast;
}

Forecast PythonModel::look(const ModelInput& input) {
    Forecast forecast;
    forecast.trace = trace_of(input);
    return forecast;
}

void PythonModel::share_rows(const data::WindowSet& windows) {
    if (shared_rows_ == &windows) return;
    nlohmann::json request{
        {"request", "rows"}, {"lookback", windows.lookback()}, {"horizon", windows.horizon()}};
    const auto first = windows.range(0, 1);
    if (first.targets.defined()) request["targets"] = integers_of(first.targets);
    const auto time = reads_marks_ && first.time.defined()
                          ? joined_rows(windows, windows.lookback() + windows.horizon(),
                                        [](const auto& batch) { return batch.time; })
                          : at::Tensor();
    share(request,
          {{"x", joined_rows(windows, windows.lookback(), [](const auto& batch) { return batch.lookback; })},
           {"y", joined_rows(windows, windows.horizon(), [](const auto& batch) { return batch.target; })},
           {"marks", time}});
    worker_->call(request);
    shared_rows_ = &windows;
}

OwnProcess::Losses PythonModel::step(const data::WindowSet& windows, const at::Tensor& items,
                                     double learning_rate, double beta1, std::uint64_t seed) {
    nlohmann::json request{{"request", "step"}, {"seed", seed}, {"rates", {learning_rate, beta1}}};
    if (windows.scaled() && !data_.single_channel) {
        share_rows(windows);
        request["items"] = integers_of(items);
    } else {
        const auto batch = windows.gather(items);
        share(request, {{"x", batch.lookback},
                        {"y", batch.target},
                        {"marks", reads_marks_ ? batch.time : at::Tensor()},
                        {"mask", batch.mask}});
        if (batch.targets.defined()) request["targets"] = integers_of(batch.targets);
        const bool counted = is_module_ || (partial_seen_ && whole_seen_);
        if (batch.mask.defined() && !counted) count_whole(batch.mask);
    }
    const auto reply = worker_->call(request);
    const auto loss = [&](std::size_t i) {  // as text: JSON knows neither NaN nor infinity
        return std::strtod(reply.at("loss").at(i).get<std::string>().c_str(), nullptr);
    };
    return {loss(0), loss(1)};
}

void PythonModel::count_whole(const at::Tensor& mask) {
    const auto whole = mask.flatten(1).amin(1).count_nonzero().item<std::int64_t>(), all = mask.size(0);
    if (whole < all && !partial_seen_ && hosting_->print)
        hosting_->print(Phrase("fit_batch() gets only windows whose future values are all there: %1 of %2 in "
                               "a batch",
                               whole, all),
                        false);
    partial_seen_ |= whole < all;
    whole_seen_ |= whole > 0;
}

Error PythonModel::no_whole_window(const char* function) const {
    return input_error(
        std::filesystem::path(config_.python.file).filename().string(),
        Phrase("no training window has all its future values, and %1() gets only such", function), {},
        "The series are too short: set a smaller data.horizon.");
}

void PythonModel::fit(const data::WindowSet& windows, std::uint64_t seed) {
    nlohmann::json request{{"request", "fit"}, {"seed", seed}};
    if (windows.scaled()) {
        share_rows(windows);
    } else {
        const auto batch = windows.range(0, windows.windows());
        const auto whole = batch.mask.defined() ? batch.mask.flatten(1).amin(1).nonzero().flatten()
                                                : at::arange(windows.windows(), at::kLong);
        if (whole.size(0) == 0) throw no_whole_window("fit");
        if (hosting_->print)
            hosting_->print(
                Phrase("fit() gets one window of each series, the last with all its future values: %1 "
                       "of %2 series have one",
                       whole.size(0), windows.windows()),
                false);
        share(request,
              {{"x", batch.lookback.index_select(0, whole)}, {"y", batch.target.index_select(0, whole)}});
    }
    worker_->call(request);
}

std::string PythonModel::write_weights(const std::filesystem::path& file,
                                       const std::map<std::string, std::string>& metadata) {
    auto given = metadata;
    auto reply = worker_->call({{"request", "weights"}, {"metadata", given}});
    auto size = reply.at("size").get<std::size_t>();
    const auto state = state_file_of(file);
    if (reply.contains("own")) {
        const auto own = reply.at("own").get<std::size_t>();
        const auto bytes = worker_->memory(size + own).subspan(size, own);
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        given[state_digest] = sha256_of(text);
        store::write_file_atomically(state, text);
        given[state_seal] = seal_of(given[state_digest]);
        // The header again, with the digest of what the model gave; what it gives now is not looked at.
        reply = worker_->call({{"request", "empty"}, {"metadata", given}});
        size = reply.at("size").get<std::size_t>();
    } else {
        std::error_code none;
        std::filesystem::remove(state, none);
    }
    const auto bytes = worker_->memory(size).first(size);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    store::write_file_atomically(file, text);
    return sha256_of(text);
}

std::size_t PythonModel::share_file(const std::filesystem::path& path, std::size_t at) {
    const RegularFile file(path, "a file of weights");
    const auto size = static_cast<std::size_t>(file.size());
    file.read_at(0, worker_->memory(at + size).subspan(at, size));
    return size;
}

void PythonModel::read_weights(const std::filesystem::path& file) {
    const store::SafetensorsFile header(file);  // what is no such file is not handed on
    nlohmann::json request{{"request", "load_weights"}, {"size", share_file(file, 0)}};
    if (const auto digest = header.metadata().find(state_digest); digest != header.metadata().end()) {
        const auto state = state_file_of(file);
        if (sha256_of_file(state) != digest->second)
            throw input_error(state.string(), "the file is not the one that was written with the weights",
                              Phrase("the file with the SHA-256 %1", digest->second),
                              "Copy both files again from where they came.");
        // The model may execute what is in it.
        const auto seal = header.metadata().find(state_seal);
        if (seal == header.metadata().end() || seal->second != seal_of(digest->second))
            require_trusted(state, digest->second);
        const auto at = request["size"].get<std::size_t>();
        request["own"] = share_file(state, at);
    }
    worker_->call(request, true);
}

std::string PythonModel::write_optimizer(const std::filesystem::path& file) {
    const auto size = worker_->call({{"request", "optimizer"}}).at("size").get<std::size_t>();
    const auto bytes = worker_->memory(size).first(size);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    store::write_file_atomically(file, text);
    return sha256_of(text);
}

void PythonModel::read_optimizer(const std::filesystem::path& file) {
    const store::SafetensorsFile header(file);
    worker_->call({{"request", "load_optimizer"}, {"size", share_file(file, 0)}}, true);
}

std::int64_t PythonModel::peak_memory() const {
    if (!worker_) return 0;
    return info_.device.starts_with("cuda") ? worker_->peak_gpu_memory() : worker_->peak_memory();
}

void PythonModel::describe_in(const std::filesystem::path& folder) const {
    store::write_file_atomically(folder / "model.py", source_.text);
    store::write_file_atomically(folder / "python.json", info_.description);
}

std::unique_ptr<Forecaster> make_python(const config::Config& config, const DataShape& data) {
    return std::make_unique<PythonModel>(config, data);
}

}  // namespace casp::model
