#include "train/checkpoint_model.h"

#include <torch/torch.h>

#include "model/factory.h"
#include "store/safetensors.h"
#include "train/tensor_file.h"

namespace casp::train {

SessionModel open_weights(const std::filesystem::path& path, const config::Config& config,
                          std::int64_t channels, const at::Device& device, TrainObserver& observer,
                          const StopControl& stop) {
    const store::SafetensorsFile file(path);
    SessionModel session;
    if (file.find("gpt2.wte.weight") != nullptr) {
        session.model = model::make_model(config, channels);
        session.backbone = model::load_backbone(path, session.model->frozen());
        // Frozen weights of an untrained backbone look like any unknown checkpoint; only the file itself can
        // tell.
        const auto said = file.metadata().find("backbone");
        if (said != file.metadata().end() && said->second == to_string(model::BackboneKind::untrained))
            session.backbone = model::BackboneKind::untrained;
    } else {
        session = open_model(config, channels, at::kCPU, observer, stop);
    }
    auto tensors = session.model->trainable();
    for (auto& tensor : session.model->state())
        if (file.find(tensor.name) != nullptr) tensors.push_back(tensor);
    read_tensors(path, tensors);
    session.model->to(device);
    session.model->weights_replaced();
    return session;
}

}  // namespace casp::train
