# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/training.safetensors: what PyTorch's optimisers and schedules, NumPy and scikit-learn compute.

    python make_training.py [--out DIR]

The metadata entry `settings` has the optimisers' `rate` and `decay`, and `schedules`, the settings of each schedule.

optimizer.NAME.{start,gradients,end,exp_avg,exp_avg_sq}   fp32; NAME: adam, adam_decay, adamw (torch.optim);
                gradients [steps, n]; moments after the last step
schedule.I.{rates,beta1}   f64 [epochs, steps per epoch]: of torch.optim.lr_scheduler before each step
cycle.{start,gradients,end}   Adam under OneCycleLR, whose beta1 changes with the rate
smape.{prediction,target,mask,loss,gradient,masked_loss,masked_gradient}   f64 arithmetic from the formula
ridge.{lookback,target,test}   fp32 [windows, L, M], [windows, H, M]; ridge.{alphas}; ridge.I.{weight,bias,forecast}   f64,
                sklearn.linear_model.Ridge on all rows (window, channel), each less its look-back's mean
"""

import argparse
import json
import pathlib

import numpy as np
import torch
from safetensors.numpy import save_file
from sklearn.linear_model import Ridge

STEPS = 6
RATE, DECAY = 1e-2, 0.1

SCHEDULES = [
    {"schedule": "cosine", "learning_rate": 1e-3, "epochs": 10, "steps": 2},
    {"schedule": "cosine", "learning_rate": 5e-4, "epochs": 30, "steps": 1, "t_max": 20},
    {"schedule": "one-cycle", "learning_rate": 1e-3, "epochs": 5, "steps": 7},
    {"schedule": "one-cycle", "learning_rate": 1e-2, "epochs": 3, "steps": 4, "pct_start": 0.2},
    {"schedule": "one-cycle", "learning_rate": 1e-4, "epochs": 1, "steps": 3, "pct_start": 0.4},
]


def gradients_of(random, n):
    """Of order one, near epsilon, and zero."""
    g = random.standard_normal((STEPS, n)).astype(np.float32)
    g[:, ::3] *= 1e-7
    g[:, 1::7] = 0
    return g


def steps_of(optimizer, parameter, gradients, schedule=None):
    for gradient in gradients:
        parameter.grad = torch.from_numpy(gradient.copy())
        optimizer.step()
        if schedule is not None:
            schedule.step()


def optimizers(out, random):
    for name, kind, decay in (("adam", torch.optim.Adam, 0.0), ("adam_decay", torch.optim.Adam, DECAY),
                              ("adamw", torch.optim.AdamW, DECAY)):
        start = random.standard_normal(29).astype(np.float32)
        gradients = gradients_of(random, 29)
        parameter = torch.nn.Parameter(torch.from_numpy(start.copy()))
        optimizer = kind([parameter], lr=RATE, weight_decay=decay, foreach=False, fused=False)
        steps_of(optimizer, parameter, gradients)
        state = optimizer.state[parameter]
        out[f"optimizer.{name}.start"] = start
        out[f"optimizer.{name}.gradients"] = gradients
        out[f"optimizer.{name}.end"] = parameter.detach().numpy().copy()
        for moment in ("exp_avg", "exp_avg_sq"):
            out[f"optimizer.{name}.{moment}"] = state[moment].numpy().copy()


def scheduler_of(settings, optimizer):
    if settings["schedule"] == "cosine":
        period = settings.get("t_max", settings["epochs"])
        return torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=period, eta_min=1e-8)
    return torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=settings["learning_rate"], epochs=settings["epochs"],
                                               steps_per_epoch=settings["steps"],
                                               pct_start=settings.get("pct_start", 0.3))


def schedules(out):
    for i, settings in enumerate(SCHEDULES):
        parameter = torch.nn.Parameter(torch.zeros(1))
        optimizer = torch.optim.Adam([parameter], lr=settings["learning_rate"])
        scheduler = scheduler_of(settings, optimizer)
        per_step = settings["schedule"] == "one-cycle"
        rates, beta1 = [], []
        total = settings["epochs"] * settings["steps"]
        for step in range(total):
            group = optimizer.param_groups[0]
            rates.append(group["lr"])
            beta1.append(group["betas"][0])
            optimizer.step()
            epoch_ends = (step + 1) % settings["steps"] == 0
            if step + 1 < total and (per_step or epoch_ends):
                scheduler.step()
        shape = (settings["epochs"], settings["steps"])
        out[f"schedule.{i}.rates"] = np.array(rates).reshape(shape)
        out[f"schedule.{i}.beta1"] = np.array(beta1).reshape(shape)


def cycle(out, random):
    start = random.standard_normal(17).astype(np.float32)
    gradients = gradients_of(random, 17)
    parameter = torch.nn.Parameter(torch.from_numpy(start.copy()))
    optimizer = torch.optim.Adam([parameter], lr=RATE, foreach=False, fused=False)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=RATE, total_steps=STEPS + 1)
    steps_of(optimizer, parameter, gradients, schedule)
    out["cycle.start"], out["cycle.gradients"] = start, gradients
    out["cycle.end"] = parameter.detach().numpy().copy()


def smape(out, random):
    f = random.standard_normal((3, 5, 2))
    y = random.standard_normal((3, 5, 2))
    f[0, 0, 0] = y[0, 0, 0] = 0  # 0/0 counts as 0
    y[1, 2, 0] = 0
    f[2, 4, 1] = y[2, 4, 1]
    f, y = f.astype(np.float32), y.astype(np.float32)
    mask = (random.random(f.shape) < 0.7).astype(np.float32)
    out["smape.prediction"], out["smape.target"], out["smape.mask"] = f, y, mask
    for name, m in (("", np.ones_like(mask)), ("masked_", mask)):
        prediction = torch.tensor(f, dtype=torch.float64, requires_grad=True)
        target = torch.tensor(y, dtype=torch.float64)
        ratio = torch.abs(prediction - target) / (torch.abs(prediction.detach()) + torch.abs(target))
        keep = torch.isfinite(ratio.detach())
        loss = 200 * (ratio[keep] * torch.tensor(m, dtype=torch.float64)[keep]).sum() / ratio.numel()
        loss.backward()
        out[f"smape.{name}loss"] = np.array([loss.item()])
        out[f"smape.{name}gradient"] = torch.nan_to_num(prediction.grad).numpy()


def ridge(out, random):
    lookback, horizon, channels, windows = 11, 4, 2, 40
    series = np.cumsum(random.standard_normal((windows + lookback + horizon, channels)), 0) + 3
    series = series.astype(np.float32)
    x = np.stack([series[i:i + lookback] for i in range(windows)])
    y = np.stack([series[i + lookback:i + lookback + horizon] for i in range(windows)])
    fitted = windows - 8  # the others are only forecast
    alphas = np.array([1e-6, 0.5, 100.0])

    def rows(values):
        return values.transpose(0, 2, 1).reshape(-1, values.shape[1]).astype(np.float64)

    inputs = rows(x)
    mean = inputs.mean(1, keepdims=True)
    targets = rows(y) - mean
    n = fitted * channels
    for i, alpha in enumerate(alphas):
        model = Ridge(alpha=alpha, solver="svd").fit((inputs - mean)[:n], targets[:n])
        forecast = (model.predict((inputs - mean)[n:]) + mean[n:]).reshape(-1, channels, horizon).transpose(0, 2, 1)
        out[f"ridge.{i}.weight"] = np.ascontiguousarray(model.coef_)
        out[f"ridge.{i}.bias"] = model.intercept_
        out[f"ridge.{i}.forecast"] = np.ascontiguousarray(forecast)
    out["ridge.alphas"] = alphas
    out["ridge.lookback"], out["ridge.target"] = np.ascontiguousarray(x[:fitted]), np.ascontiguousarray(y[:fitted])
    out["ridge.test"] = np.ascontiguousarray(x[fitted:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    here = pathlib.Path(__file__).resolve().parent
    parser.add_argument("--out", type=pathlib.Path, default=here.parent / "golden")
    arguments = parser.parse_args()
    random = np.random.default_rng(2021)
    out = {}
    optimizers(out, random)
    schedules(out)
    cycle(out, random)
    smape(out, random)
    ridge(out, random)
    save_file(out, arguments.out / "training.safetensors",
              {"settings": json.dumps({"schedules": SCHEDULES, "rate": RATE, "decay": DECAY})})


if __name__ == "__main__":
    main()
