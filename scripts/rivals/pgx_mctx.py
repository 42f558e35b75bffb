"""Self-play of Connect Four with pgx and mctx: Gumbel search, a residual network of 4 x 64 in haiku.

One process on one core; `scripts/bench-selfplay` starts one a core. Prints one JSON object: searched states a second,
network evaluations a second (one a simulation and one a root), and how much processor time they took.
"""

import argparse
import json
import os
import time

# Before JAX is loaded: one thread, since there is one process a core.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

import haiku as hk
import jax
import jax.numpy as jnp
import mctx
import pgx


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=32)
    parser.add_argument("--games", type=int, default=256, help="games at once: rows of a batch")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--core", type=int, help="stay on this core")
    return parser.parse_args()


def network(planes, is_training=False):
    """Policy logits and value of `planes`, [games, 6, 7, 2]."""

    def normalised(value):
        # In play the statistics are constants: a scale and an offset.
        return hk.BatchNorm(True, True, 0.9)(value, is_training)

    def convolution(value, channels, kernel):
        return hk.Conv2D(channels, kernel, with_bias=False)(value)

    value = jax.nn.relu(normalised(convolution(planes.astype(jnp.float32), 64, 3)))
    for _ in range(4):
        inner = jax.nn.relu(normalised(convolution(value, 64, 3)))
        value = jax.nn.relu(value + normalised(convolution(inner, 64, 3)))
    policy = jax.nn.relu(normalised(convolution(value, 2, 1)))
    logits = hk.Linear(7)(hk.Flatten()(policy))
    judged = jax.nn.relu(normalised(convolution(value, 1, 1)))
    judged = jax.nn.relu(hk.Linear(64)(hk.Flatten()(judged)))
    return logits, jnp.tanh(hk.Linear(1)(judged)).reshape(-1)


def main():
    arguments = parse_arguments()
    if arguments.core is not None:
        os.sched_setaffinity(0, {arguments.core})
    game = pgx.make("connect_four")
    forward = hk.without_apply_rng(hk.transform_with_state(network))
    key = jax.random.PRNGKey(arguments.core or 0)
    shape = (arguments.games, *game.observation_shape)
    parameters, statistics = forward.init(key, jnp.zeros(shape), is_training=True)

    def judge(state):
        (logits, value), _ = forward.apply(parameters, statistics, state.observation)
        logits = jnp.where(state.legal_action_mask, logits, jnp.finfo(logits.dtype).min)
        return logits, value

    def simulate(_, key, action, state):
        mover = state.current_player
        state = jax.vmap(game.step)(state, action)
        logits, value = judge(state)
        rows = jnp.arange(arguments.games)
        over = state.terminated
        return (
            mctx.RecurrentFnOutput(
                reward=state.rewards[rows, mover],
                discount=jnp.where(over, 0.0, -1.0),
                prior_logits=logits,
                value=jnp.where(over, 0.0, value),
            ),
            state,
        )

    start_again = jax.vmap(game.init)

    @jax.jit
    def play(states, key):
        """One searched step of every game; games that end begin anew."""
        search_key, start_key = jax.random.split(key)
        logits, value = judge(states)
        searched = mctx.gumbel_muzero_policy(
            params=(),
            rng_key=search_key,
            root=mctx.RootFnOutput(prior_logits=logits, value=value, embedding=states),
            recurrent_fn=simulate,
            num_simulations=arguments.simulations,
            invalid_actions=~states.legal_action_mask,
            qtransform=mctx.qtransform_completed_by_mix_value,
            gumbel_scale=1.0,
        )
        states = jax.vmap(game.step)(states, searched.action)
        fresh = start_again(jax.random.split(start_key, arguments.games))
        return jax.tree_util.tree_map(
            lambda new, old: jnp.where(states.terminated.reshape((-1,) + (1,) * (new.ndim - 1)), new, old),
            fresh,
            states,
        )

    states = start_again(jax.random.split(key, arguments.games))
    for _ in range(2):  # Compile, and once more.
        key, step_key = jax.random.split(key)
        states = jax.block_until_ready(play(states, step_key))
    begin, processor, steps = time.monotonic(), time.process_time(), 0
    while time.monotonic() - begin < arguments.seconds:
        key, step_key = jax.random.split(key)
        states = jax.block_until_ready(play(states, step_key))
        steps += arguments.games
    seconds, processor = time.monotonic() - begin, time.process_time() - processor
    evaluations = steps * (arguments.simulations + 1)
    print(
        json.dumps(
            {
                "states_per_second": steps / seconds,
                "evaluations_per_second": evaluations / seconds,
                "states_per_processor_second": steps / processor,
                "evaluations_per_processor_second": evaluations / processor,
                "seconds": seconds,
            }
        )
    )


if __name__ == "__main__":
    main()
