"""Gradients that `backward` derives against those of `jax.grad`, in fp64, on the same inputs.

Needs JAX: python3 bench/peers/gradients_in_jax.py build/release/shard
Each program is a script of Shard and the same function of JAX. Shard runs it on emulated devices and saves inputs and gradients;
JAX computes the gradients of sum(Out * dOut) from the saved inputs. Exit status 1 if any differs.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

os.environ["JAX_ENABLE_X64"] = "1"

import jax
import jax.numpy as jnp
import numpy as np

MESH = "mesh {X: 2, Y: 2}\n"

# By name: sizes, declarations that are no inputs, inputs with their brackets, statements, the result with its brackets, and the
# function of JAX.
PROGRAMS = {
    "mlp": (
        "B = 8, D = 8, F = 16", "",
        {"In": "[B_X, D_Y]", "Win": "[D_X, F_Y]", "Wout": "[F_Y, D_X]"},
        "Tmp[B_X, F_Y] = In ·_D Win\nAct[B_X, F_Y] = relu(Tmp)\nOut[B_X, D_Y] = Act ·_F Wout",
        ("Out", "[B_X, D_Y]"),
        lambda In, Win, Wout: jax.nn.relu(In @ Win) @ Wout,
    ),
    "chain": (
        "B = 8, D = 8, F = 16", "",
        {"In": "[B_X, D_Y]", "Win": "[D_X, F_Y]", "Wout": "[F_Y, D_X]"},
        "In ·_D Win ·_F Wout → Out[B_X, D_Y]",
        ("Out", "[B_X, D_Y]"),
        lambda In, Win, Wout: In @ Win @ Wout,
    ),
    "swiglu": (
        "B = 8, D = 8, F = 16", "",
        {"x": "[B_X, D]", "W1": "[D_X, F_Y]", "W2": "[D_X, F_Y]", "W3": "[F_Y, D_X]"},
        "y[B_X, D_Y] = x + (silu(x ·_D W1) ⊙ (x ·_D W2)) ·_F W3",
        ("y", "[B_X, D_Y]"),
        lambda x, W1, W2, W3: x + (jax.nn.silu(x @ W1) * (x @ W2)) @ W3,
    ),
    "norm": (
        "B = 8, D = 16", "",
        {"x": "[B_X, D_Y]", "g": "[D_Y]"},
        "y[B_X, D_Y] = x ⊙ g / sqrt(mean_D(x ⊙ x) + 1e-5)",
        ("y", "[B_X, D_Y]"),
        lambda x, g: x * g / jnp.sqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-5),
    ),
    "attention": (
        "B = 4, T = 6, S = 6, H = 8", "",
        {"Q": "[B_X, T, H]", "K": "[B_X, S, H]", "V": "[B_X, S, H_Y]"},
        "P[B_X, T, S] = softmax_S(Q ·_H K / sqrt(H))\nO[B_X, T, H_Y] = P ·_S V",
        ("O", "[B_X, T, H_Y]"),
        lambda Q, K, V: jax.nn.softmax(jnp.einsum("bth,bsh->bts", Q, K) / np.sqrt(8.0)) @ V,
    ),
    "grouped attention": (
        "B = 4, T = 4, S = 4, K = 2, G = 2, H = 4, D = 8", "",
        {"x": "[B_X, T, D]", "WQ": "[D, K_Y, G, H]", "WK": "[D, K_Y, H]", "WV": "[D, K_Y, H]", "WO": "[K_Y, G, H, D]"},
        "Q[B_X, T, K_Y, G, H] = x ·_D WQ\nk[B_X, S, K_Y, H] = x[B_X, S, D] ·_D WK\nv[B_X, S, K_Y, H] = x[B_X, S, D] ·_D WV\n"
        "O[B_X, T, K_Y, G, H] = softmax_S(Q ·_H k / sqrt(H)) ·_S v\ny[B_X, T, D] = x + O ·_{K,G,H} WO",
        ("y", "[B_X, T, D]"),
        lambda x, WQ, WK, WV, WO: x + jnp.einsum(
            "btkgs,bskh,kghd->btd",
            jax.nn.softmax(jnp.einsum("btkgh,bskh->btkgs", jnp.einsum("btd,dkgh->btkgh", x, WQ),
                                      jnp.einsum("bsd,dkh->bskh", x, WK)) / 2.0),
            jnp.einsum("bsd,dkh->bskh", x, WV), WO),
    ),
    "layers": (
        "B = 4, D = 8, F = 8, L = 3", "",
        {"x": "[B_X, D_Y]", "W": "[L, D_X, F_Y]", "U": "[L, F_Y, D_X]"},
        "h[B_X, D_Y] = x\nfor l in 0..L { h[B_X, D_Y] = h + tanh(h ·_D W[L = l]) ·_F U[L = l] }",
        ("h", "[B_X, D_Y]"),
        lambda x, W, U: jax.lax.fori_loop(0, 3, lambda i, h: h + jnp.tanh(h @ W[i]) @ U[i], x),
    ),
    "embedding": (
        "B = 4, T = 6, V = 8, D = 8", "Seq: int32[B, T] = iota\nTok[B, T] = Seq mod 5\n",
        {"E": "[V_Y, D_X]"},
        "e[B_X, T, D] = E[V_Y, D_X][V = Tok]\ny[B_X, T, D] = e ⊙ e",
        ("y", "[B_X, T, D]"),
        lambda E: E[np.arange(24).reshape(4, 6) % 5] ** 2,
    ),
    "gelu": (
        "B = 8, D = 8", "",
        {"x": "[B_X, D_Y]", "b": "[D]"},
        "y[B_X, D_Y] = gelu(x + b) ⊙ sigmoid(x)",
        ("y", "[B_X, D_Y]"),
        lambda x, b: jax.nn.gelu(x + b, approximate=False) * jax.nn.sigmoid(x),
    ),
    "largest": (
        "B = 8, D = 8", "",
        {"x": "[B_X, D_Y]", "w": "[D_Y]"},
        "m[B_X] = max_D(x ⊙ w)\ny[B_X, D_Y] = exp(x ⊙ w - m) / (1 + abs(x))",
        ("y", "[B_X, D_Y]"),
        lambda x, w: jnp.exp(x * w - jnp.max(x * w, -1, keepdims=True)) / (1 + jnp.abs(x)),
    ),
    "loss": (
        "B = 8, D = 8", "",
        {"x": "[B_X, D_Y]", "t": "[B_X, D_Y]"},
        "l: fp64[] = mean_{B,D}((x - t) ⊙ (x - t)) - sum_{B,D}(log(x ⊙ x + 1))",
        ("l", "[]"),
        lambda x, t: jnp.mean((x - t) ** 2) - jnp.sum(jnp.log(x * x + 1)),
    ),
    "twice": (
        "B = 8, D = 8, E = 8", "",
        {"x": "[B_X, D]", "W": "[D, E_Y]"},
        "fn f(a[B, D], w[D, E]) { return tanh(a ·_D w) }\n"
        "y[B_X, E_Y] = f(x, W)\nz[B_X, E_Y] = f(y[B_X, D_Y], W) + y",
        ("z", "[B_X, E_Y]"),
        lambda x, W: jnp.tanh(jnp.tanh(x @ W) @ W) + jnp.tanh(x @ W),
    ),
    "parts": (
        "B = 4, D = 8, H = 4, E = 12", "",
        {"x": "[B_X, D]", "w": "[B_X, H]"},
        "y[B_X, H] = x[B_X, 2:6] ⊙ x[B_X, 0:H]\nz[B_X, E] = concat_E(x, y)\nu[B_X, E] = cumsum_E(z ⊙ z)\nu[B_X, 4:8] = w",
        ("u", "[B_X, E]"),
        lambda x, w: jnp.cumsum(jnp.concatenate([x, x[:, 2:6] * x[:, :4]], 1) ** 2, 1).at[:, 4:8].set(w),
    ),
    "rotary": (
        "B = 4, T = 4, H = 8", "angle: fp64[T, H] = fp64(iota_T) ⊙ 0.3 + iota_H ⊙ 0.1\n",
        {"x": "[B_X, T, H_Y]", "g": "[H]"},
        "fn turn(q[B, T, H], a[T, H]) {\n  turned = concat_H(-q[…, H/2:], q[…, :H/2])\n"
        "  return q ⊙ cos(a) + turned ⊙ sin(a)\n}\ny[B_X, T, H_Y] = turn(turn(x ⊙ g, angle) ⊙ x, angle)",
        ("y", "[B_X, T, H_Y]"),
        lambda x, g: turn(turn(x * g) * x),
    ),
    "kernel": (
        "B = 4, T = 6, S = 6, H = 8", "",
        {"Q": "[B_X, T, H]", "K": "[B_X, S, H]", "V": "[B_X, S, H_Y]", "W": "[H]"},
        "fused {\n  A = gelu(Q ·_H K / sqrt(H))\n  P[B_X, T, S] = softmax_S(A)\n  O[B_X, T, H_Y] = tanh(P ·_S V) ⊙ W\n}",
        ("O", "[B_X, T, H_Y]"),
        lambda Q, K, V, W: jnp.tanh(jax.nn.softmax(jax.nn.gelu(
            jnp.einsum("bth,bsh->bts", Q, K) / np.sqrt(8.0), approximate=False)) @ V) * W,
    ),
    "moved": (
        "B = 8, D = 8, F = 8", "",
        {"x": "[B_X, D]", "W": "[D_X, F]"},
        "AllToAll_{X,D} x[B_X, D] → x[B, D_X]\nh[B, F_X] = relu(x[B, D_X] ·_D W)\nh → h[B_X, F]\n"
        "y[B_X, F] = h[B_X, F] ⊙ h[B_X, F] + x[B_X, D] ·_D W",
        ("y", "[B_X, F]"),
        lambda x, W: jax.nn.relu(x @ W) ** 2 + x @ W,
    ),
    "lengths": (
        "B = 4, H = 8, K = 4", "",
        {"x": "[B_X, H]"},
        "t = tanh(x) ⊙ x[B_X, 2:6]\ny[B_X, H] = sum_K(t[B_X, H, K])",
        ("y", "[B_X, H]"),
        lambda x: jnp.sum(jnp.tanh(x)[:, :, None] * x[:, None, 2:6], -1),
    ),
}


def turn(x):
    angle = np.arange(4)[:, None] * 0.3 + np.arange(8) * 0.1
    return x * np.cos(angle) + jnp.concatenate([-x[..., 4:], x[..., :4]], -1) * np.sin(angle)


def run(shard, folder, name, program):
    sizes, head, inputs, body, (result, brackets), function = program
    text = MESH + sizes + "\n" + head
    for number, (array, layout) in enumerate(inputs.items()):
        text += f"{array}: fp64{layout} = random({number + 1})\n"
    text += f"d{result}: fp64{brackets} = random(99)\n{body}\nbackward {result}\n"
    for array in [*inputs, result, *("d" + one for one in [result, *inputs])]:
        text += f'save {array} "{array}.npy"\n'
    script = folder / "program.shard"
    script.write_text(text)
    done = subprocess.run([shard, "run", script], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"{name}: {done.stderr}\n{text}")
        return False
    load = lambda array: np.load(folder / f"{array}.npy")
    values = [jnp.asarray(load(array)) for array in inputs]
    upstream = load("d" + result)
    gradients = jax.grad(lambda *a: jnp.sum(function(*a) * upstream), argnums=tuple(range(len(values))))(*values)
    worst = 0.0
    for array, gradient in zip(inputs, gradients):
        own = load("d" + array)
        worst = max(worst, float(np.max(np.abs(own - gradient)) / max(1e-30, float(np.max(np.abs(gradient))))))
    forward = float(np.max(np.abs(load(result) - function(*values))))
    print(f"{name:18} {worst:.1e}   (forward {forward:.1e})")
    return worst < 1e-12 and forward < 1e-10


def main():
    shard = pathlib.Path(sys.argv[1]).resolve()
    fine = True
    for name, program in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as folder:
            fine = run(shard, pathlib.Path(folder), name, program) and fine
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
