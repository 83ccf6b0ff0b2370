#include "evidence/backbone_note.h"

namespace casp::evidence {

std::string backbone_note(std::set<std::string> backbones) {
    if (backbones.size() > 1) backbones.erase("none");
    if (backbones.empty()) return {};
    const auto& only = *backbones.begin();
    if (backbones.size() == 1 && only == "none") return "The runs have no backbone.";
    if (backbones.size() == 1 && only == "openai-gpt2-small")
        return "Backbone of the runs: GPT-2, as in the paper.";
    std::string text = backbones.size() == 1 ? "Backbone of the runs: " : "Backbones of the runs: ";
    for (const auto& name : backbones) text += (name == only ? "" : ", ") + name;
    if (backbones.count("untrained") == 0) return text + ", not the paper's GPT-2.";
    return text + ". Random weights are not a language model; " +
           (backbones.size() == 1 ? "these" : "their") + " numbers do not apply to GPT-2.";
}

std::string precision_note(const std::set<std::string>& precisions) {
    if (precisions.empty()) return {};
    const auto names = precisions_text(precisions);
    return precisions.size() == 1 ? "Precision of the runs: " + names + "."
                                  : "The runs have different precisions (" + names +
                                        "), which alone change the numbers slightly.";
}

std::string precisions_text(const std::set<std::string>& precisions) {
    std::string text;
    for (const auto& name : precisions) text += (text.empty() ? "" : " + ") + name;
    return text;
}

}  // namespace casp::evidence
