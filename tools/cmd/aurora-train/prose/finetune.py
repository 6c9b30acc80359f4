"""Fine-tune the upper layers of all-MiniLM-L6-v2 on what people wrote about changes.

    pip install jax optax tokenizers safetensors
    python finetune.py -model all-MiniLM-L6-v2 -o tuned REPOSITORY...

A pair is a text and the message of a commit that it tells of: an entry of a change log and the commit whose number it gives, the
subject and the body of one message, a sentence and the message without it. A question of a person seldom has the message's own
words: half of the words that both texts have are left out of the first. The pairs of a batch are of one repository, so that what is
learnt is what tells one decision of a project from another. The loss is that of Multiple Negatives Ranking (Henderson et al. 2017), in both
directions. The weights that are written are the mean of those of all runs, and of the model that they began with, which counts as much as
all of them: it loses less of what it knew. The folder is read by `aurora-train sentence -model`. No text of a repository is kept.
"""

import argparse
import collections
import os
import random
import re
import shutil
import subprocess

import jax
import jax.numpy as jnp
import numpy as np
import optax
from safetensors.numpy import load_file, save_file
from tokenizers import Tokenizer

FROZEN = 4  # layers below, whose output is computed once
LAYERS = 6
HEADS = 12
QUESTION, MESSAGE = 32, 80  # subwords
BATCH = 32  # pairs
MOST = {"log": 500, "subject": 220, "sentence": 150}  # pairs of a kind from one repository
TEMPERATURE = 0.05

TRAILER = re.compile(r"^\s*(([A-Z][\w-]+-[Bb]y|Fixes|Closes|Refs?|PR-URL|Reviewed|See|PR)\b.*|#\d+.*)$")
NO_DECISION = re.compile(r'^(bump|update dependency|chore\(deps|build\(deps|release|merge|revert "|\d+\.\d+|v\d)', re.I)
CONVENTION = re.compile(r"^(feat|fix|chore|docs|test|refactor|perf|ci|build|style)(\([^)]*\))?!?:\s*")
LOG = re.compile(r"(change(s|log)|history|news|release)", re.I)


def git(folder, *args):
    done = subprocess.run(["git", "-C", folder, *args], capture_output=True, check=True)
    return done.stdout.decode("utf8", "replace")


def body_text(body):
    body = re.sub(r"<!--.*?-->", "", body, flags=re.S)
    body = re.sub(r"</?[a-z]+[^>]*>", "", body)
    return "\n".join(line for line in body.split("\n") if not TRAILER.match(line)).strip()


def is_prose(body):
    return 150 <= len(body) <= 1500 and "```" not in body and body.count("|") < 8 and body.count("- [") < 2


def history(folder):
    """Commits by hash (parents, subject, body), and the hashes of commits and merges that give a number."""
    commits, numbered = {}, collections.defaultdict(list)
    for entry in git(folder, "log", "--all", "--format=%H%x00%P%x00%s%x00%b%x01").split("\x01"):
        fields = entry.lstrip("\n").split("\x00")
        if len(fields) != 4:
            continue
        commit, parents, subject, body = fields
        commits[commit] = (parents.split(), re.sub(r"\s*\(#\d+\)", "", subject), body_text(body))
        merge = re.match(r"Merge pull request #(\d+)", subject)
        if merge and len(parents.split()) == 2:
            numbered[merge[1]].append(commit)
        elif not NO_DECISION.match(subject):
            for number in set(re.findall(r"#(\d+)", subject)):
                numbered[number].append(commit)
    return commits, numbered


def log_entries(folder):
    entries = []
    names = git(folder, "ls-tree", "-r", "--name-only", "HEAD").split("\n")
    logs = [n for n in names if LOG.search(os.path.basename(n)) and re.search(r"\.(md|rst|txt|adoc)$|^[A-Z]+$", n)]
    for name in logs[:200]:
        text = git(folder, "show", "HEAD:" + name)
        for entry in re.finditer(r"^[ ]{0,4}[-*•] +(.*(?:\n[ ]{2,}(?![-*]).*)*)", text, re.M):
            entries.append(re.sub(r"\s+", " ", entry[1]))
    return entries


def entry_text(entry):
    entry = re.sub(r"\[?\(?\[?#\d+\]?(\([^)]*\))?\)?\]?", "", entry)
    entry = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", entry)
    entry = re.sub(r"\(?(by|thanks to|from)? ?@[\w-]+\)?", "", entry)
    entry = re.sub(r"https?://\S+", "", entry)
    return re.sub(r"\(\s*[,\s]*\)", "", entry).strip(" .,:")


def merged(folder, commits, commit):
    parents = commits[commit][0]
    if len(parents) != 2:
        return [commit]
    inner = git(folder, "log", "--no-merges", "--format=%H", "-6", parents[0] + ".." + parents[1]).split()
    return inner if len(inner) <= 4 else []


def letters(text):
    return re.sub(r"\W+", "", text.lower())


def pairs_of(folder):
    """Pairs of one repository, by kind."""
    commits, numbered = history(folder)
    pairs = {"log": [], "subject": [], "sentence": []}
    for entry in log_entries(folder):
        text = entry_text(entry)
        if len(text.split()) < 4 or len(text) > 400:
            continue
        best = ""
        for number in dict.fromkeys(re.findall(r"(?:#|pull/|issues/)(\d+)", entry)):
            for commit in numbered.get(number, [])[:3]:
                for inner in merged(folder, commits, commit):
                    message = "\n\n".join(commits.get(inner, ([], "", ""))[1:])
                    if letters(text) not in letters(message):
                        best = max(best, message, key=len)
        if len(best) > 60:
            pairs["log"].append((text, best[:1500]))
    for parents, subject, body in commits.values():
        if NO_DECISION.match(subject) or len(parents) > 1 or not is_prose(body):
            continue
        if len(subject.split()) >= 4:
            pairs["subject"].append((CONVENTION.sub("", subject), body))
        sentences = [s for s in re.split(r"(?<=[.!?])\s+(?=[A-Z])|\n\n", body) if 6 <= len(s.split()) <= 40]
        if len(sentences) >= 3:
            one = random.choice(sentences)
            pairs["sentence"].append((re.sub(r"\s+", " ", one), subject + "\n\n" + body.replace(one, " ")))
    return pairs


def stem(word):
    return re.sub(r"\W", "", word.lower())[:5]


def leave_words_out(text, message):
    has = {stem(w) for w in re.split(r"[\s/._()-]+", message)}
    kept = [w for w in text.split() if len(stem(w)) < 4 or stem(w) not in has or random.random() < 0.5]
    return " ".join(kept) if len(kept) >= 3 else text


def read_pairs(folders, most):
    """(repository, text, message) of all repositories, drawn at random."""
    drawn = []
    for folder in folders:
        for kind, pairs in pairs_of(folder).items():
            random.shuffle(pairs)
            drawn += [(folder, leave_words_out(t, m), m) for t, m in dict.fromkeys(pairs[: MOST[kind]])]
    random.shuffle(drawn)
    return drawn[:most]


def normalised(p, name, x):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-12) * p[name + ".weight"] + p[name + ".bias"]


def embedded(p, ids):
    words = p["embeddings.word_embeddings.weight"][ids]
    places = p["embeddings.position_embeddings.weight"][: ids.shape[1]]
    return normalised(p, "embeddings.LayerNorm", words + places + p["embeddings.token_type_embeddings.weight"][0])


def layer(p, i, x, mask):
    def dense(name, x):
        return x @ p[f"encoder.layer.{i}.{name}.weight"].T + p[f"encoder.layer.{i}.{name}.bias"]

    def by_head(y):
        return y.reshape(*y.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    q, k, v = (by_head(dense("attention.self." + part, x)) for part in ("query", "key", "value"))
    weights = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1]) + (mask[:, None, None, :] - 1) * 1e9
    attended = (jax.nn.softmax(weights) @ v).transpose(0, 2, 1, 3).reshape(x.shape)
    x = normalised(p, f"encoder.layer.{i}.attention.output.LayerNorm", x + dense("attention.output.dense", attended))
    inner = jax.nn.gelu(dense("intermediate.dense", x), approximate=False)
    return normalised(p, f"encoder.layer.{i}.output.LayerNorm", x + dense("output.dense", inner))


def pooled(p, x, mask):
    for i in range(FROZEN, LAYERS):
        x = layer(p, i, x, mask)
    mean = (x * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return mean / jnp.linalg.norm(mean, axis=-1, keepdims=True)


def loss(p, texts, text_mask, messages, message_mask):
    q = pooled(p, texts.astype(jnp.float32), text_mask)
    d = pooled(p, messages.astype(jnp.float32), message_mask)
    scores, right = q @ d.T / TEMPERATURE, jnp.arange(len(q))
    return -(jax.nn.log_softmax(scores, 1)[right, right].mean() + jax.nn.log_softmax(scores, 0)[right, right].mean()) / 2


def lower_layers(p, tokenizer, texts, most):
    """What the frozen layers make of texts of at most so many subwords, and which places have one."""

    @jax.jit
    def lower(ids, mask):
        x = embedded(p, ids)
        for i in range(FROZEN):
            x = layer(p, i, x, mask)
        return x.astype(jnp.float16)

    ids = [e.ids if len(e.ids) <= most else e.ids[: most - 1] + e.ids[-1:] for e in tokenizer.encode_batch(texts)]
    width = p["embeddings.LayerNorm.weight"].shape[0]
    out, masks = np.zeros((len(ids), most, width), np.float16), np.zeros((len(ids), most), np.float32)
    order = np.argsort([len(x) for x in ids])
    for at in range(0, len(order), 64):
        block = order[at : at + 64]
        long = -(-max(len(ids[i]) for i in block) // 16) * 16
        some, mask = np.zeros((64, long), np.int32), np.zeros((64, long), np.float32)
        mask[:, 0] = 1
        for row, i in enumerate(block):
            some[row, : len(ids[i])], mask[row, : len(ids[i])] = ids[i], 1
        out[block, :long], masks[block, :long] = np.asarray(lower(some, mask))[: len(block)], mask[: len(block)]
    return out, masks


def batches(repositories):
    found = []
    for repository in sorted(set(repositories)):
        rows = np.where(repositories == repository)[0]
        np.random.shuffle(rows)
        found += [rows[i : i + BATCH] for i in range(0, len(rows) - BATCH + 1, BATCH)]
    random.shuffle(found)
    return found


def train(upper, args, repositories, message_masks, batch_of):
    """The upper layers after the epochs of one run."""
    steps = len(batches(repositories)) * args.epochs
    rate = optax.warmup_cosine_decay_schedule(0, args.rate, max(1, steps // 10), steps, args.rate / 20)
    optimiser = optax.adamw(rate, weight_decay=0.01)
    state = optimiser.init(upper)

    @jax.jit
    def step(upper, state, *batch):
        value, gradient = jax.value_and_grad(loss)(upper, *batch)
        change, state = optimiser.update(gradient, state, upper)
        return optax.apply_updates(upper, change), state, value

    losses = []
    for _ in range(args.epochs):
        for rows in batches(repositories):
            long = -(-int(message_masks[rows].sum(1).max()) // 16) * 16
            upper, state, value = step(upper, state, *batch_of(rows, long))
            losses.append(float(value))
            if len(losses) % 50 == 0:
                print(f"{len(losses)} of {steps} steps, loss {np.mean(losses[-50:]):.3f}", flush=True)
    return upper


def main():
    flags = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    flags.add_argument("-model", required=True, help="folder with model.safetensors, config.json and tokenizer.json")
    flags.add_argument("-o", required=True, help="folder to write")
    flags.add_argument("-pairs", type=int, default=11000)
    flags.add_argument("-epochs", type=int, default=1)
    flags.add_argument("-rate", type=float, default=3e-5)
    flags.add_argument("-runs", type=int, default=2)
    flags.add_argument("-keep", type=float, default=0.5, help="share of the weights that are as they were")
    flags.add_argument("repositories", nargs="+", help="clones with their history, none that anything is measured with")
    args = flags.parse_args()
    random.seed(1)
    np.random.seed(1)

    pairs = read_pairs(args.repositories, args.pairs)
    print(len(pairs), "pairs", flush=True)
    whole = load_file(os.path.join(args.model, "model.safetensors"))
    p = {name.removeprefix("bert."): jnp.asarray(t) for name, t in whole.items() if t.dtype == np.float32}
    tokenizer = Tokenizer.from_file(os.path.join(args.model, "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    texts, text_masks = lower_layers(p, tokenizer, [t for _, t, _ in pairs], QUESTION)
    messages, message_masks = lower_layers(p, tokenizer, [m for _, _, m in pairs], MESSAGE)

    first = {n: t for n, t in p.items() if any(n.startswith(f"encoder.layer.{i}.") for i in range(FROZEN, LAYERS))}
    repositories = np.array([r for r, _, _ in pairs])

    def batch_of(rows, long):
        return texts[rows], text_masks[rows], messages[rows][:, :long], message_masks[rows][:, :long]

    runs = []
    for run in range(args.runs):
        random.seed(run)
        np.random.seed(run)
        runs.append(train(first, args, repositories, message_masks, batch_of))
    tuned = {n: args.keep * t + (1 - args.keep) * sum(r[n] for r in runs) / len(runs) for n, t in first.items()}

    os.makedirs(args.o, exist_ok=True)
    save_file({n: np.asarray(t) for n, t in {**p, **tuned}.items()}, os.path.join(args.o, "model.safetensors"))
    for name in ("config.json", "tokenizer.json"):
        shutil.copy(os.path.join(args.model, name), args.o)


if __name__ == "__main__":
    main()
