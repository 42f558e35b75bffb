"""Searches random trees with mctx and prints what it found, one JSON value a line.

A tree is endless: every position is a 32-bit number, and its logits, its value and the positions after
it are hashes of that number. `crates/search/tests/search/mctx.rs` makes the same trees.
"""

import argparse
import functools
import json

import jax
import jax.numpy as jnp
import mctx

# What the hashes are for; steps count from 1.
LOGIT, VALUE, CHILD = 0x1000, 0x2000, 0x3000


def mix(node, salt):
    """A 32-bit hash of two numbers (the finaliser of MurmurHash3)."""
    x = node.astype(jnp.uint32) ^ (jnp.asarray(salt, jnp.uint32) * jnp.uint32(0x9E3779B9))
    x = (x ^ (x >> 16)) * jnp.uint32(0x85EBCA6B)
    x = (x ^ (x >> 13)) * jnp.uint32(0xC2B2AE35)
    return x ^ (x >> 16)


def unit(x):
    """A number from −1 to 1 of a hash."""
    return (x >> 8).astype(jnp.float32) / jnp.float32(1 << 23) - 1.0


def judge(node, steps):
    """Logits of the steps from −2 to 2, and the value for the side to move from −0.8 to 0.8."""
    salts = LOGIT + 1 + jnp.arange(steps)
    logits = 2.0 * unit(mix(node[:, None], salts[None, :]))
    return logits, 0.8 * unit(mix(node, VALUE))


def recurrent(_params, _random, action, node, steps):
    child = mix(node, CHILD + 1 + action)
    logits, value = judge(child, steps)
    # The sides take turns: what is good for the child's mover is bad for the parent's.
    reward, discount = jnp.zeros_like(value), -jnp.ones_like(value)
    found = mctx.RecurrentFnOutput(reward=reward, discount=discount, prior_logits=logits, value=value)
    return found, child


def plain_values(tree, node, first_play):
    """Values as they are, in place of mctx's stretching; steps without visits have a fixed one."""
    visits = tree.children_visits[node]
    return jnp.where(visits > 0, tree.qvalues(node), first_play)


def search(method, trees, steps, simulations, considered):
    """What mctx found on each of these trees, all searched at once."""
    node = jnp.array(trees, jnp.uint32)
    logits, value = judge(node, steps)
    root = mctx.RootFnOutput(prior_logits=logits, value=value, embedding=node)
    function = functools.partial(recurrent, steps=steps)
    key = jax.random.PRNGKey(0)
    if method == "gumbel":
        transform = functools.partial(
            mctx.qtransform_completed_by_mix_value, value_scale=0.1, maxvisit_init=50.0, rescale_values=True
        )
        output = mctx.gumbel_muzero_policy(
            (), key, root, function, simulations, qtransform=transform,
            max_num_considered_actions=considered, gumbel_scale=0.0,
        )
    else:
        output = mctx.muzero_policy(
            (), key, root, function, simulations, dirichlet_fraction=0.0, pb_c_init=1.25, pb_c_base=19652.0,
            qtransform=functools.partial(plain_values, first_play=0.0), temperature=1.0,
        )
    summary = output.search_tree.summary()
    for row, tree in enumerate(trees):
        yield {
            "method": method, "tree": tree, "steps": steps, "simulations": simulations, "considered": considered,
            "visits": [int(count) for count in summary.visit_counts[row]],
            "policy": [round(float(weight), 6) for weight in output.action_weights[row]],
            "value": round(float(summary.value[row]), 6),
            # The PUCT search of mctx draws its action.
            "best": int(output.action[row]) if method == "gumbel" else None,
        }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trees", type=int, default=20, help="trees of each shape")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    shapes = [(2, 8, 2), (3, 16, 16), (5, 32, 4), (7, 50, 16), (9, 64, 8), (20, 100, 16), (40, 24, 16)]
    for steps, simulations, considered in shapes:
        numbers = range(arguments.trees)
        trees = [(arguments.seed * 1_000_003 + steps * 1009 + index * 7919) & 0xFFFFFFFF for index in numbers]
        for method in ["gumbel", "puct"]:
            for found in search(method, trees, steps, simulations, considered):
                print(json.dumps(found))


if __name__ == "__main__":
    main()
