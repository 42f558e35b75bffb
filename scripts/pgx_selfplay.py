"""Self-play of Connect Four with pgx and mctx on one core, as `scripts/bench-selfplay` measures it.

A batch of games is searched with Gumbel noise and sequential halving at the root, each simulation with an evaluation by
a residual network of 4 blocks x 64 channels; finished games begin anew. Weights are random and normalisations are folded
into the convolutions, as for play. Numbers have 32 bits: XLA computes no faster with 16 on processors.

Prints what has been done so far as a line of JSON after every step of the batch: {"states": searched positions,
"evaluations": positions judged by the network}.
"""

import argparse
import json
import os

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--core", type=int, help="the one core to run on")
arguments.add_argument("--simulations", type=int, required=True)
arguments.add_argument("--batch", type=int, required=True, help="games at a time")
arguments = arguments.parse_args()
# Before JAX counts the cores: it makes a thread for each.
if arguments.core is not None:
    os.sched_setaffinity(0, {arguments.core})

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import mctx  # noqa: E402
import pgx  # noqa: E402

BLOCKS, CHANNELS = 4, 64
GAME = pgx.make("connect_four")
ROWS, COLUMNS, PLANES = GAME.observation_shape


def weights(key):
    """Random weights, scaled as He et al. do."""
    shapes = {"first": (3, 3, PLANES, CHANNELS)}
    for block in range(BLOCKS):
        shapes[f"block{block}.0"] = shapes[f"block{block}.1"] = (3, 3, CHANNELS, CHANNELS)
    shapes["policy.planes"] = (1, 1, CHANNELS, 2)
    shapes["policy"] = (2 * ROWS * COLUMNS, GAME.num_actions)
    shapes["value.planes"] = (1, 1, CHANNELS, 1)
    shapes["value.hidden"] = (ROWS * COLUMNS, CHANNELS)
    shapes["value"] = (CHANNELS, 1)
    made = {}
    for (name, shape), key in zip(shapes.items(), jax.random.split(key, len(shapes))):
        inputs = shape[0] if len(shape) == 2 else shape[0] * shape[1] * shape[2]
        made[name] = jax.random.normal(key, shape) * (2.0 / inputs) ** 0.5
    return made


def network(weights, observation):
    """Logits [batch, actions] and values [batch] of positions [batch, rows, columns, planes]."""

    def convolution(name, value):
        return jax.lax.conv_general_dilated(
            value, weights[name], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
        )

    value = jax.nn.relu(convolution("first", observation.astype(jnp.float32)))
    for block in range(BLOCKS):
        inner = jax.nn.relu(convolution(f"block{block}.0", value))
        value = jax.nn.relu(value + convolution(f"block{block}.1", inner))
    rows = value.shape[0]
    policy = jax.nn.relu(convolution("policy.planes", value)).reshape(rows, -1) @ weights["policy"]
    judged = jax.nn.relu(convolution("value.planes", value)).reshape(rows, -1)
    judged = jax.nn.relu(judged @ weights["value.hidden"]) @ weights["value"]
    return policy, jnp.tanh(judged[:, 0])


def masked(logits, state):
    return jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)


def simulate(weights, key, action, state):
    """A simulation's step of all games: mctx's recurrent function."""
    mover = state.current_player
    state = jax.vmap(GAME.step)(state, action)
    logits, value = network(weights, state.observation)
    reward = state.rewards[jnp.arange(mover.shape[0]), mover]
    value = jnp.where(state.terminated, 0.0, value)
    discount = jnp.where(state.terminated, 0.0, -1.0)
    output = mctx.RecurrentFnOutput(
        reward=reward, discount=discount, prior_logits=masked(logits, state), value=value
    )
    return output, state


@jax.jit
def play(weights, state, key):
    """One searched step of all games; finished ones begin anew."""
    search_key, start_key = jax.random.split(key)
    logits, value = network(weights, state.observation)
    root = mctx.RootFnOutput(prior_logits=masked(logits, state), value=value, embedding=state)
    answer = mctx.gumbel_muzero_policy(
        params=weights,
        rng_key=search_key,
        root=root,
        recurrent_fn=simulate,
        num_simulations=arguments.simulations,
        invalid_actions=~state.legal_action_mask,
        qtransform=mctx.qtransform_completed_by_mix_value,
        gumbel_scale=1.0,
    )
    state = jax.vmap(GAME.step)(state, answer.action)
    fresh = jax.vmap(GAME.init)(jax.random.split(start_key, arguments.batch))
    over = state.terminated

    def chosen(old, new):
        return jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old)

    # What a learner keeps of the step is worked out as well.
    return jax.tree_util.tree_map(chosen, state, fresh), (answer.action_weights, over)


def main():
    key = jax.random.PRNGKey(arguments.core or 0)
    params = weights(key)
    state = jax.vmap(GAME.init)(jax.random.split(key, arguments.batch))
    states = 0
    while True:
        key, step_key = jax.random.split(key)
        state, kept = play(params, state, step_key)
        jax.block_until_ready((state, kept))
        states += arguments.batch
        print(json.dumps({"states": states, "evaluations": states * (arguments.simulations + 1)}), flush=True)


main()
