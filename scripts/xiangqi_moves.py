"""Prints random Xiangqi positions with their legal moves as pyffish lists them.

One position a line: FEN, a semicolon, the moves in UCCI's form (ranks from 0) in alphabetical order.
Called by scripts/check-xiangqi.
"""

import argparse
import random
import re

import pyffish

VARIANT = "xiangqi"
FILES = "abcdefghi"

# Where pieces that do not go everywhere may stand, as (file, rank) of Red's side.
PALACE = [(file, rank) for file in (3, 4, 5) for rank in (0, 1, 2)]
ADVISOR = [(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]
ELEPHANT = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]
ANYWHERE = [(file, rank) for file in range(9) for rank in range(10)]
PAWN = [(file, rank) for file, rank in ANYWHERE if rank >= 5 or rank >= 3 and file % 2 == 0]
ARMY = "AABBNNRRCCPPPPP"


def points(move):
    """The two points of a move as pyffish writes it, ranks from 1: `h10h8`."""
    return [(FILES.index(file), int(rank) - 1) for file, rank in re.findall(r"([a-i])(\d+)", move)]


def ucci(move):
    """The move with ranks from 0: `h9h7`."""
    return "".join(f"{FILES[file]}{rank}" for file, rank in points(move))


def write(board, mover):
    """The FEN of a board, a dictionary from points to letters."""
    ranks = []
    for rank in range(9, -1, -1):
        text = "".join(board.get((file, rank), "1") for file in range(9))
        ranks.append(re.sub("1+", lambda empty: str(len(empty.group())), text))
    return f"{'/'.join(ranks)} {mover} - - 0 1"


def start():
    """The board at the start of a game."""
    board = {}
    for index, text in enumerate(pyffish.start_fen(VARIANT).split()[0].split("/")):
        letters = re.sub(r"\d", lambda empty: "1" * int(empty.group()), text)
        board.update({(file, 9 - index): letter for file, letter in enumerate(letters) if letter != "1"})
    return board


def of_games(count, dice):
    """Positions of random games, every second one, with their moves."""
    found = []
    while len(found) < count:
        board = start()
        for ply in range(240):
            fen = write(board, "wb"[ply % 2])
            moves = pyffish.legal_moves(VARIANT, fen, [])
            if dice.random() < 0.5 or not moves:
                found.append((fen, moves))
            if not moves:
                break
            origin, target = points(dice.choice(moves))
            board[target] = board.pop(origin)
    return found[:count]


def put_down(dice):
    """A board with pieces put down at random, or None where a king's point was taken."""
    board = {}
    few = dice.random() < 0.5
    for red in (True, False):
        pieces = "K" + "".join(piece for piece in ARMY if dice.random() < (0.3 if few else 0.8))
        for piece in pieces:
            allowed = {"K": PALACE, "A": ADVISOR, "B": ELEPHANT, "P": PAWN}.get(piece, ANYWHERE)
            file, rank = dice.choice(allowed)
            point = (file, rank) if red else (8 - file, 9 - rank)
            if point in board:
                if piece == "K":
                    return None
                continue
            board[point] = piece if red else piece.lower()
    return board


def facing(board):
    """Whether the kings see each other: pyffish does not call that a check."""
    kings = sorted(point for point, letter in board.items() if letter in "Kk")
    (file, low), (other, high) = kings
    return file == other and not any((file, rank) in board for rank in range(low + 1, high))


def of_placements(count, dice):
    """Positions with pieces put down at random in which the side to move cannot take the king."""
    found = []
    while len(found) < count:
        board = put_down(dice)
        if board is None or facing(board):
            continue
        mover, other = dice.choice(["wb", "bw"])
        if not pyffish.gives_check(VARIANT, write(board, other), []):
            fen = write(board, mover)
            found.append((fen, pyffish.legal_moves(VARIANT, fen, [])))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--positions", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    half = arguments.positions // 2
    for fen, moves in of_games(half, dice) + of_placements(arguments.positions - half, dice):
        print(f"{fen};{' '.join(sorted(map(ucci, moves)))}")


main()
