#pragma once
// Dropout without stored masks.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/util/Exception.h>

#include "model/cuda/keyed_mask.h"
#include "util/mix.h"

namespace casp::model {

struct TrainingStep;

/// The mask of one use of dropout.
///
/// A process that computes some windows of a batch has only their part of a tensor; its mask is that part of
/// the whole tensor's mask. The leading dimension must be the windows', or rows in the windows' order.
struct DropoutKey {
    // NOLINTNEXTLINE(google-explicit-constructor): the whole tensor's mask, except with several processes
    DropoutKey(std::uint64_t key) : bits(key) {}

    std::uint64_t bits;
    std::int64_t first = 0;  ///< windows, or rows, before the tensor's first
    std::int64_t count = 1;  ///< of the tensor
    std::int64_t whole = 1;  ///< of the whole batch
    /// Of a step that is recorded (train/graphed_step.h): state of its DropoutStream on the device, and the
    /// number of this use; null: `bits` is the key.
    const unsigned long long* state = nullptr;
    std::uint64_t use = 0;

    /// For the saved data of an autograd function.
    [[nodiscard]] std::vector<std::int64_t> numbers() const {
        return {static_cast<std::int64_t>(bits),
                first,
                count,
                whole,
                static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(state)),
                static_cast<std::int64_t>(use)};
    }
    [[nodiscard]] static DropoutKey from(const std::vector<std::int64_t>& numbers) {
        DropoutKey key(static_cast<std::uint64_t>(numbers[0]));
        key.first = numbers[1];
        key.count = numbers[2];
        key.whole = numbers[3];
        key.state = reinterpret_cast<const unsigned long long*>(static_cast<std::uintptr_t>(numbers[4]));
        key.use = static_cast<std::uint64_t>(numbers[5]);
        return key;
    }
};

/// The random numbers of one training step: a sequence of keys, one per use of dropout.
///
/// Stateless beyond the step: DropoutStream(seed of the run, step) gives the same keys again, so a resumed
/// run repeats the masks bit by bit, and masks do not depend on the number of threads.
class DropoutStream {
public:
    DropoutStream(std::uint64_t seed, std::int64_t step);
    /// With the step's place in a batch of several processes.
    explicit DropoutStream(const TrainingStep& step);
    /// The state of a step, from which all of its keys follow.
    [[nodiscard]] static std::uint64_t state_of(std::uint64_t seed, std::int64_t step);
    /// The key of the next use.
    [[nodiscard]] DropoutKey next();

private:
    std::uint64_t state_;
    std::uint64_t counter_ = 0;
    DropoutKey part_{0};
};

/// The stream of a forward pass; null outside training.
class StepDropout {
public:
    explicit StepDropout(const TrainingStep* step) {
        if (step != nullptr) stream_.emplace(*step);
    }
    [[nodiscard]] DropoutStream* stream() { return stream_ ? &*stream_ : nullptr; }

private:
    std::optional<DropoutStream> stream_;
};

/// Inverted dropout: each element of x is zeroed with probability p, the others are scaled by 1/(1-p).
/// Differentiable. x: any shape, fp32 or bf16; p in [0, 1).
///
/// The mask is a keyed hash of the element's index (cuda/keyed_mask.h), computed again in the backward pass
/// instead of stored. (ATen's Philox generator is serial on the CPU and takes 40 % of a forward pass of
/// GPT-2.) On a GPU without the program's kernels (cuda/kernels.h) LibTorch's fused kernel draws from a
/// generator seeded with `key` and stores a byte mask: other elements.
[[nodiscard]] at::Tensor dropout(const at::Tensor& x, double p, const DropoutKey& key);

/// The same with the next key of a stream; null, or p = 0: x.
[[nodiscard]] at::Tensor drop(const at::Tensor& x, double p, DropoutStream* stream);

/// Whether the mask of a tensor like x is the keyed hash.
[[nodiscard]] bool has_keyed_mask(const at::Tensor& x);

/// Rows with separate masks, and how many are computed at once: all masks of a slice together, or several
/// slices, where masks are keyed hashes.
struct MaskSlices {
    // NOLINTNEXTLINE(google-explicit-constructor): one slice at once
    MaskSlices(std::int64_t rows) : rows(rows), at_once(rows) {}
    MaskSlices(std::int64_t rows, std::int64_t at_once) : rows(rows), at_once(std::max(rows, at_once)) {}

    std::int64_t rows;
    std::int64_t at_once;
};

/// Dropout inside a step whose backward pass computes its values again instead of storing them.
class SliceDropout {
public:
    SliceDropout(double p, const DropoutKey& key) : p_(p), key_(key) {}
    /// Of `rows` rows after `first` others, with separate masks for each `slice` of them.
    SliceDropout(double p, const DropoutKey& key, std::int64_t first, std::int64_t rows, std::int64_t slice)
        : p_(p), key_(key), first_(first), rows_(rows), slice_(slice) {}

    /// The values (dense) after dropout; the same mask whenever p, key and shape are the same. p = 0: as they
    /// are.
    [[nodiscard]] at::Tensor apply(const at::Tensor& values);
    /// The gradient before dropout; after apply() to values of this shape.
    [[nodiscard]] at::Tensor gradient(const at::Tensor& values) const;

private:
    [[nodiscard]] at::Tensor masked(const at::Tensor& values) const;

    double p_;
    DropoutKey key_;
    std::int64_t first_ = 0, rows_ = 0, slice_ = 0;
    at::Tensor mask_;  ///< on a GPU without keyed masks
};

/// Calls work(begin, end, dropout of these rows) for the rows [first, last) of `rows`, slice by slice, each
/// with a separate mask. Slices begin where those of the whole batch do, so that the masks are the same in
/// any number of processes.
template <class Work>
void in_dropout_slices(double p, const DropoutKey& key, std::int64_t rows, const MaskSlices& slices,
                       std::int64_t first, std::int64_t last, const Work& work) {
    const auto before = rows / key.count * key.first;
    const auto all = rows / key.count * key.whole;
    if (slices.at_once > slices.rows || key.state != nullptr) {
        for (auto begin = first; begin < last; begin += slices.at_once) {
            const auto end = std::min(begin + slices.at_once, last);
            work(begin, end, SliceDropout(p, key, before + begin, end - begin, slices.rows));
        }
        return;
    }
    const auto slice = slices.rows;
    for (auto begin = before + first; begin < before + last;) {
        const auto start = begin / slice * slice;
        const auto end = std::min(start + slice, before + last);
        DropoutKey part(mix64(key.bits + static_cast<std::uint64_t>(start)));
        part.first = begin - start;
        part.count = end - begin;
        part.whole = std::min(slice, all - start);
        work(begin - before, end - before, SliceDropout(p, part));
        begin = end;
    }
}

/// The mask of a dense tensor of `elements`; with rows that have separate masks, of `slice` rows each:
/// `first` rows before it, of `row` elements.
[[nodiscard]] KeyedMask keyed_mask(double p, const DropoutKey& key, std::int64_t elements);
[[nodiscard]] KeyedMask keyed_mask(double p, const DropoutKey& key, std::int64_t first, std::int64_t slice,
                                   std::int64_t row);

/// x times the mask of (p, key), dense: the raw operation behind dropout(), one pass without a copy of x
/// first. fp32 or bf16, where has_keyed_mask().
[[nodiscard]] at::Tensor dropout_masked(const at::Tensor& x, double p, const DropoutKey& key);

}  // namespace casp::model
