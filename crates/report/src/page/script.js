"use strict";
// Theme: as the system has it, or as the reader chose.
{
  const root = document.documentElement, button = document.getElementById("theme");
  const key = "garrison-theme", themes = ["system", "light", "dark"];
  // A page opened from a file may have no storage.
  const stored = () => { try { return localStorage.getItem(key); } catch { return null; } };
  const store = (theme) => { try { localStorage.setItem(key, theme); } catch { /* lasts as long as the page */ } };
  let theme = themes.includes(stored()) ? stored() : "system";
  const show = () => {
    if (theme === "system") root.removeAttribute("data-theme"); else root.dataset.theme = theme;
    button.textContent = "theme: " + theme;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    store(theme);
    show();
  });
  show();
}

// Values under the pointer.
for (const figure of document.querySelectorAll("figure.chart")) {
  const block = figure.querySelector("script");
  if (!block) continue;
  const data = JSON.parse(block.textContent), svg = figure.querySelector("svg");
  const [left, right, top, bottom] = data.field, [low, high] = data.ends;
  const readout = figure.appendChild(document.createElement("p"));
  readout.className = "readout";
  const line = svg.appendChild(document.createElementNS(svg.namespaceURI, "line"));
  line.setAttribute("class", "pointer");
  line.setAttribute("y1", top);
  line.setAttribute("y2", bottom);
  line.style.display = "none";
  const number = (value, unit) => {
    const size = Math.abs(value);
    if (unit === "share") return (100 * value).toFixed(1) + " %";
    if (size >= 1000) return Math.round(value).toLocaleString("en").replaceAll(",", "\u202f");
    return size !== 0 && size < 1e-3 ? value.toExponential(2) : String(+value.toPrecision(4));
  };
  const nearest = (points, x) => {
    let best = null;
    for (const point of points) {
      if (best === null || Math.abs(point[0] - x) < Math.abs(best[0] - x)) best = point;
    }
    return best;
  };
  svg.addEventListener("pointermove", (event) => {
    const matrix = svg.getScreenCTM();
    if (!matrix) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const x = low + (at.x - left) / (right - left) * (high - low);
    const all = data.series.flatMap((series) => series.points);
    const found = nearest(all, x);
    if (!found || at.x < left - 8 || at.x > right + 8) return;
    const place = left + (found[0] - low) / (high - low) * (right - left);
    line.setAttribute("x1", place);
    line.setAttribute("x2", place);
    line.style.display = "";
    const parts = [];
    for (const series of data.series) {
      const point = nearest(series.points, found[0]);
      // A series may have no point near here: an evaluation only now and then.
      if (point && Math.abs(point[0] - found[0]) <= (high - low) / 50) {
        parts.push((data.series.length > 1 ? series.name + " " : "") + number(point[1], data.unit));
      }
    }
    readout.textContent = data.label + " " + number(found[0], data.xunit) + ": " + parts.join(" · ");
  });
  svg.addEventListener("pointerleave", () => {
    line.style.display = "none";
    readout.textContent = "";
  });
}

// Recorded games.
for (const replay of document.querySelectorAll(".replay")) {
  const data = JSON.parse(replay.querySelector("script").textContent);
  const find = (selector) => replay.querySelector(selector);
  const picture = find("img"), slider = find("input"), label = find(".turn"), now = find(".now");
  const here = find(".curve .here"), turns = replay.querySelectorAll("[data-turn]"), last = data.frames.length - 1;
  let turn = 0, timer = 0;
  const board = (list) => list.split(",").map((range) => {
    const [start, end = start] = range.split("-").map(Number);
    return data.parts.slice(start, end + 1).join("");
  }).join("");
  const show = (wanted) => {
    turn = Math.max(0, Math.min(last, wanted));
    picture.src = "data:image/svg+xml," + encodeURIComponent(board(data.frames[turn]));
    picture.alt = turn === 0 ? "the board at the start" : "the board after turn " + turn + ", " + turns[turn - 1].textContent;
    slider.value = turn;
    label.textContent = turn + " / " + last;
    now.textContent = data.notes[turn];
    now.style.whiteSpace = "pre-line";
    if (here) {
      const x = here.ownerSVGElement.viewBox.baseVal.width * turn / Math.max(1, last);
      here.setAttribute("x1", x);
      here.setAttribute("x2", x);
    }
    for (const button of turns) button.classList.toggle("current", Number(button.dataset.turn) === turn);
    const current = turns[turn - 1], list = find(".turns");
    if (current) {
      // Within the list only: the page itself stays where it is.
      const place = current.offsetTop - list.offsetTop;
      if (place < list.scrollTop || place + current.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = place - list.clientHeight / 2;
      }
    } else {
      list.scrollTop = 0;
    }
  };
  const play = find("[data-go=play]");
  const stop = () => { clearInterval(timer); timer = 0; play.textContent = "play"; };
  const go = {
    first: () => show(0),
    back: () => show(turn - 1),
    on: () => show(turn + 1),
    last: () => show(last),
    play: () => {
      if (turn === last) show(0);
      play.textContent = "pause";
      timer = setInterval(() => { show(turn + 1); if (turn === last) stop(); }, 700);
    },
  };
  const act = (name) => {
    const playing = timer !== 0;
    stop();
    if (name !== "play" || !playing) go[name]();
  };
  replay.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button && button.dataset.go) act(button.dataset.go);
    else if (button && button.dataset.turn) { stop(); show(Number(button.dataset.turn)); }
  });
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  const curve = find(".curve");
  if (curve) {
    curve.addEventListener("click", (event) => {
      const box = curve.getBoundingClientRect();
      stop();
      show(Math.round((event.clientX - box.left) / box.width * last));
    });
  }
  replay.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };
    const name = keys[event.key];
    // On a button the space bar presses that button.
    if (!name || event.altKey || event.ctrlKey || event.metaKey || (event.key === " " && event.target.closest("button"))) return;
    event.preventDefault();
    act(name);
  });
  if (location.hash.startsWith("#turn=")) show(Number(location.hash.slice(6)) || 0); else show(0);
}
