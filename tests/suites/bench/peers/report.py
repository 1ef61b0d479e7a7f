"""What run.py measured, as Markdown and as a plot.

The tables go into a page benchmarks.md between two marks, if the folder has one, otherwise into a file peers.md; the
plot into peers.svg.
"""
import os
from math import ceil, floor, log10

# What stands above a column, and beside a row of the plot.
HEADINGS = {"store": "store", "read": "read", "last": "last 40", "fork": "fork", "stale": "stale", "push": "enqueue", "take": "take",
            "move": "transition", "disk": "bytes", "flushed": "store, disk"}
TITLES = {"store": "store a turn", "read": "read {turns} turns", "last": "last 40 messages", "fork": "fork at {turns}",
          "stale": "100 stale of {stale}", "push": "enqueue", "take": "take, acknowledge", "move": "durable transition",
          "disk": "bytes on disk per byte said", "flushed": "store a turn, on the disk"}
PROGRAMS = {"py": "From Python", "js": "From Node"}


def number(x):
    """Three digits, and thousands with a comma."""
    if x >= 100:
        return f"{x:,.0f}"
    return f"{x:.1f}" if x >= 10 else f"{x:.2f}"


def time_of(us):
    return f"{number(us)} µs" if us < 1000 else f"{number(us / 1000)} ms" if us < 1e6 else f"{number(us / 1e6)} s"


def titles(o):
    return {k: v.format(turns=f"{o['turns']:,}", stale=f"{o['stale']:,}") for k, v in TITLES.items()}


def ordered(result):
    """Turnstile, the floor, then the others as they come."""
    first = [p for p in ("turnstile", "floor") if p in result["about"]]
    return first + [p for p in result["about"] if p not in first]


def cell(result, peer, do):
    found = result["figures"].get(peer, {}).get(do)
    if do not in result["about"][peer]["operations"] and do != "flushed":
        return "–"
    if not found:
        error = result["errors"].get(peer, {}).get(do)
        return "–" if not error else "> 2 min" if error.startswith("TimeoutError") else "failed"
    if peer == "turnstile":
        return number(found["value"]) if do == "disk" else time_of(found["value"])
    marks = ("*" if do in (result["about"][peer].get("by_hand") or []) else "") + ("†" if f"{peer} {do}" in result["notes"] else "")
    return number(found["ratio"]) + marks


def table(result):
    """A peer a row, an operation a column. An operation that no other has is left out."""
    peers = [p for p in ordered(result) if result["figures"].get(p) or result["errors"].get(p)]
    shown = [d for d in HEADINGS if any(result["figures"].get(p, {}).get(d) for p in peers[2:])]
    lines = [f"| {PROGRAMS[result['kind']]} | " + " | ".join(HEADINGS[d] for d in shown) + " |", "|---|" + "---:|" * len(shown)]
    for p in peers:
        lines.append(f"| {result['about'][p]['name']} | " + " | ".join(cell(result, p, d) for d in shown) + " |")
    return "\n".join(lines)


def additions(results):
    """What each does beside the operation, and what it leaves out: once for a name."""
    lines, known = ["| peer | does in addition | leaves out |", "|---|---|---|"], set()
    for result in results:
        for about in (result["about"][p] for p in ordered(result)):
            if about["name"] not in known:
                lines.append(f"| {about['name']} | {about['more']} | {about['less']} |")
            known.add(about["name"])
    return "\n".join(lines)


def remarks(missing, results):
    out = []
    for r in results:
        for key, cap in r["notes"].items():
            peer, do = key.split()
            out.append(f"† {r['about'][peer]['name']}, {HEADINGS[do]}: {cap}.")
        for peer, what in r["errors"].items():
            for do, error in what.items():
                how = "given up after two minutes" if error.startswith("TimeoutError") else f"failed: {error}"
                out.append(f"{r['about'].get(peer, {}).get('name', peer)}, {HEADINGS.get(do, do)}: {how}.")
    if any(about.get("by_hand") for r in results for about in r["about"].values()):
        out.insert(0, "\\* A query of ours on its tables: it has no call for it.")
    return out + [f"Not installed: {group.removeprefix('node:')}: {error}." for group, error in missing.items()]


def markdown(o, pinned, missing, results):
    versions = sorted({v.replace("==", "@") for groups in pinned.values() for packages in groups.values() for v in packages})
    parts = [table(r) + "\n" for r in results] + ["  \n".join(remarks(missing, results)) + "\n", additions(results) + "\n",
                                                  f"A thread of {o['turns']:,} turns, {o['stale']:,} sessions, {o['rounds']} rounds. "
                                                  "Versions: " + ", ".join(f"`{v}`" for v in versions) + "."]
    return "\n".join(parts) + "\n"


# ---- The plot: a row for each operation, a mark for each peer, times as long as Turnstile on a scale of powers of ten ----

# The picture brings its background along, so that its text is readable wherever it stands.
STYLE = """
  .page { fill: #ffffff; stroke: #d0d7de }
  text { font: 12px system-ui, sans-serif; fill: #24292f }
  .small { font-size: 11px; fill: #57606a }
  .grid { stroke: #d0d7de; stroke-width: 1 }
  .one { stroke: #24292f; stroke-width: 1.5 }
  @media (prefers-color-scheme: dark) {
    .page { fill: #0d1117; stroke: #3d444d }
    text { fill: #e6edf3 } .small { fill: #9da7b3 } .grid { stroke: #3d444d } .one { stroke: #e6edf3 }
  }
"""
# Readable on white and on black.
COLOURS = ["#6e7781", "#1f77d0", "#c2571a", "#2e9a4f", "#a855c7", "#c9940a", "#d63864", "#0f9aa8"]
SHAPES = ["M-5-5H5V5H-5Z", "M0-6L6 0L0 6L-6 0Z", "M0-6L6 5H-6Z", "M0 6L6-5H-6Z", "M-5-2H-2V-5H2V-2H5V2H2V5H-2V2H-5Z"]
WIDTH, LEFT, RIGHT, ROW, LEGEND = 860, 200, 30, 26, 120


def escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plot(o, results):
    names = titles(o)
    ratios = [f[d]["ratio"] for r in results for p, f in r["figures"].items() for d in f if p != "turnstile" and f[d]["ratio"] > 0]
    if not ratios:
        return ""
    low, high = min(-1, floor(log10(min(ratios)))), max(1, ceil(log10(max(ratios))))

    def x(ratio):
        return LEFT + (log10(ratio) - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    # A name has one colour and shape in both parts.
    known = list(dict.fromkeys(r["about"][p]["name"] for r in results for p in ordered(r) if p != "turnstile" and r["figures"].get(p)))
    look = {n: (COLOURS[i % len(COLOURS)], SHAPES[i % len(SHAPES)]) for i, n in enumerate(known)}
    body, y = [], 26
    body.append(f'<text x="12" y="{y}">Times as long (or as large) as Turnstile; left of 1 the peer is ahead</text>')
    for r in results:
        peers = [p for p in ordered(r) if p != "turnstile" and r["figures"].get(p)]
        looks = {p: look[r["about"][p]["name"]] for p in peers}
        rows = [d for d in names if any(d in r["figures"][p] for p in peers)]
        y += 30
        body.append(f'<text x="12" y="{y}" font-weight="600">{PROGRAMS[r["kind"]]}</text>')
        column = LEGEND
        for i, p in enumerate(peers):
            if i and i % 3 == 0:
                y, column = y + 20, LEGEND
            colour, shape = looks[p]
            body.append(f'<path d="{shape}" fill="{colour}" transform="translate({column + 6} {y - 4})"/>'
                        f'<text class="small" x="{column + 18}" y="{y}">{escaped(r["about"][p]["name"])}</text>')
            column += 244
        top = y + 14
        for power in range(low, high + 1):
            at = x(10.0 ** power)
            kind = "one" if power == 0 else "grid"
            body.append(f'<line class="{kind}" x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{top + ROW * len(rows)}"/>')
            label = f"{10 ** power:,}" if power >= 0 else f"{10.0 ** power:g}"
            body.append(f'<text class="small" x="{at:.1f}" y="{top + ROW * len(rows) + 15}" text-anchor="middle">{label}</text>')
        for i, d in enumerate(rows):
            middle = top + ROW * i + ROW / 2
            body.append(f'<text x="12" y="{middle + 4:.1f}">{escaped(names[d])}</text>')
            body.append(f'<line class="grid" x1="{LEFT}" y1="{middle:.1f}" x2="{WIDTH - RIGHT}" y2="{middle:.1f}" stroke-dasharray="1 4"/>')
            for p in peers:
                found = r["figures"][p].get(d)
                if found and found["ratio"] > 0:
                    colour, shape = looks[p]
                    title = f"{r['about'][p]['name']}: {number(found['ratio'])}"
                    body.append(f'<path d="{shape}" fill="{colour}" fill-opacity=".9" transform="translate({x(found["ratio"]):.1f} {middle:.1f})">'
                                f"<title>{escaped(title)}</title></path>")
        y = top + ROW * len(rows) + 18
    height = y + 16
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">\n'
            f"<title>Turnstile beside others</title>\n<style>{STYLE}</style>\n"
            f'<rect class="page" x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1}" rx="6"/>\n' + "\n".join(body) + "\n</svg>\n")


BEGIN, END = "<!-- written by make bench-peers PEERS=write=docs -->\n", "<!-- until here -->\n"


def put(path, text):
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def write(o, pinned, missing, results, folder):
    text, picture = markdown(o, pinned, missing, results), plot(o, results)
    if not folder:
        print(text)
        return
    os.makedirs(folder, exist_ok=True)
    put(os.path.join(folder, "peers.svg"), picture)
    page = os.path.join(folder, "benchmarks.md")
    if not os.path.exists(page):
        put(os.path.join(folder, "peers.md"), text)
        return
    with open(page, encoding="utf-8") as f:
        before, rest = f.read().split(BEGIN)
    put(page, before + BEGIN + "\n" + text + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    # From a run's results.json: report.py FILE DIR
    import json
    import sys
    with open(sys.argv[1], encoding="utf-8") as results_file:
        run = json.load(results_file)
    write(run["options"], run["pinned"], run["missing"], run["results"], sys.argv[2])
