/* FlexarmPlayer(element, data): a moving arm in a page, planar or in space. No other file, no network.

data: made by flexarm.view.player.player_data
  axes        2 or 3 (z up)
  time        instants of the pictures, s
  unit        {stiff, bend}: metres per count of the numbers below
  lines       [{kind: "link" | "ground" | "bracket", flexible, points, stiff, bend}]: places along each link, picture after picture,
              point after point, axis after axis; `stiff` is the rigid arm at the same joints, `bend` what is added to it
  tip         {points: 1, stiff, bend}
  ghost       {words, lines: [{points, stiff}]} or null: the arm that the drives ask for
  path        {points, stiff} or null: where the tip shall go
  ground      numbers of the links that stand on the ground
  bends       false if the deflection is not known apart from the shape, and so cannot be enlarged
  enlarge     how many times as large the deflection is drawn at first
  speed       simulated seconds per second at first

Returns {play, pause, seek(t), set({enlarge, speed, trail, ghost, turn, tilt}), state, scene, remove}. */
"use strict";

const FlexarmPlayer = (() => {
  const BLUE = "#0072B2", ORANGE = "#D55E00", GREEN = "#009E73", INK = "#222", FAINT = "#8a8a8a";
  const ENLARGE = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
  const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
  const STYLE = `
.flexarm-player{border:1px solid #d8d8d8;border-radius:6px;background:#fff;color:${INK};font:13px/1.4 sans-serif;overflow:hidden}
.flexarm-player canvas{display:block;width:100%;touch-action:pan-y;outline-offset:-2px}
.flexarm-player.space canvas{cursor:grab}
.flexarm-player .row{display:flex;flex-wrap:wrap;gap:.3em .9em;align-items:center;padding:.4em .7em;border-top:1px solid #eee}
.flexarm-player button{min-width:5em;padding:.25em .6em;font:inherit;cursor:pointer}
.flexarm-player input[type=range]{flex:1 1 8em;min-width:6em}
.flexarm-player output{min-width:9.5em;font-variant-numeric:tabular-nums}
.flexarm-player label{white-space:nowrap}
.flexarm-player select{font:inherit}`;

  /* Where everything is, in metres; nothing of this needs a page. */
  function Scene(data) {
    const n = data.axes, time = data.time, last = time.length - 1;

    function instant(t) {
      if (t <= time[0]) return [0, 0];
      if (t >= time[last]) return [Math.max(last - 1, 0), last ? 1 : 0];
      let low = 0, high = last;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (time[middle] <= t) low = middle; else high = middle;
      }
      return [low, (t - time[low]) / (time[high] - time[low])];
    }

    /* Points of a line in picture k plus the share w of the way to the next one, the deflection `enlarge` times as large. */
    function points(line, k, w, enlarge) {
      const size = line.points * n, at = k * size, found = [];
      for (let i = 0; i < line.points; i++) {
        const place = [];
        for (let a = 0; a < n; a++) {
          const j = at + i * n + a, next = w ? j + size : j;
          let value = data.unit.stiff * ((1 - w) * line.stiff[j] + w * line.stiff[next]);
          if (line.bend) value += enlarge * data.unit.bend * ((1 - w) * line.bend[j] + w * line.bend[next]);
          place.push(value);
        }
        found.push(place);
      }
      return found;
    }

    function at(t, enlarge = 1) {
      const [k, w] = instant(t);
      return {
        lines: data.lines.map((line) => points(line, k, w, enlarge)),
        tip: points(data.tip, k, w, enlarge)[0],
        ghost: data.ghost ? data.ghost.lines.map((line) => points(line, k, w, 0)) : [],
      };
    }

    function trail(t, enlarge = 1) {
      const [k, w] = instant(t), found = [];
      for (let i = 0; i <= k; i++) found.push(points(data.tip, i, 0, enlarge)[0]);
      found.push(points(data.tip, k, w, enlarge)[0]);
      return found;
    }

    /* Lower and upper corner of all that is ever drawn, and how far it reaches from the upright line between them. */
    function bounds(enlarge = 1) {
      const low = Array(n).fill(Infinity), high = Array(n).fill(-Infinity);
      const all = data.path ? points(data.path, 0, 0, 0) : [];
      for (const line of [...data.lines, data.tip, ...(data.ghost ? data.ghost.lines : [])]) {
        for (let k = 0; k <= last; k++) all.push(...points(line, k, 0, enlarge));
      }
      for (const place of all) {
        for (let a = 0; a < n; a++) {
          low[a] = Math.min(low[a], place[a]);
          high[a] = Math.max(high[a], place[a]);
        }
      }
      const [x, y] = low.map((value, a) => 0.5 * (value + high[a]));
      const radius = all.reduce((most, place) => Math.max(most, Math.hypot(place[0] - x, place[1] - y)), 0);
      return [low, high, radius];
    }

    const path = data.path ? points(data.path, 0, 0, 0) : [];
    return { at, trail, bounds, path, begin: time[0], end: time[last] };
  }

  /* From metres to pixels: to scale in the plane; seen from a direction, without perspective, in space. */
  function camera(axes, [low, high, radius], width, height, turn, tilt) {
    const middle = low.map((value, a) => 0.5 * (value + high[a])), span = high.map((value, a) => value - low[a]);
    const room = [width - 48, height - 52];
    if (axes === 2) {
      const scale = Math.min(room[0] / (span[0] || 1e-9), room[1] / (span[1] || 1e-9));
      return { scale, to: ([x, y]) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])] };
    }
    const up = Math.abs(Math.cos(tilt)) * span[2] / 2 + Math.abs(Math.sin(tilt)) * radius;
    const scale = 0.5 * Math.min(room[0] / (radius || 1e-9), room[1] / (up || 1e-9));
    const ct = Math.cos(turn), st = Math.sin(turn), ce = Math.cos(tilt), se = Math.sin(tilt);
    return {
      scale,
      to: (place) => {
        const [x, y, z] = place.map((value, a) => value - middle[a]);
        return [width / 2 + scale * (ct * y - st * x), height / 2 - scale * (ce * z - se * (ct * x + st * y))];
      },
    };
  }

  function round(value) { /* 1, 2 or 5 times a power of ten, not above `value` */
    const ten = 10 ** Math.floor(Math.log10(value));
    return [5, 2, 1].find((k) => k * ten <= value) * ten;
  }

  function picture(context, scene, data, state, width, height, box) {
    const view = camera(data.axes, box, width, height, state.turn, state.tilt), now = scene.at(state.time, state.enlarge);
    const draw = (places, colour, wide, dash = []) => {
      context.beginPath();
      places.forEach((place, i) => context[i ? "lineTo" : "moveTo"](...view.to(place)));
      Object.assign(context, { strokeStyle: colour, lineWidth: wide, lineCap: "round", lineJoin: "round" });
      context.setLineDash(dash);
      context.stroke();
    };
    const mark = (place, radius, fill, square = false) => {
      const [x, y] = view.to(place);
      context.beginPath();
      if (square) context.rect(x - radius, y - radius, 2 * radius, 2 * radius); else context.arc(x, y, radius, 0, 7);
      Object.assign(context, { fillStyle: fill, strokeStyle: INK, lineWidth: 1.5 });
      context.setLineDash([]);
      context.fill();
      context.stroke();
    };
    context.clearRect(0, 0, width, height);
    if (data.axes === 3) floor(draw, box, now);
    if (scene.path.length) draw(scene.path, GREEN, 1.5, [2, 4]);
    if (state.ghost) now.ghost.forEach((line) => draw(line, FAINT, 2, [6, 5]));
    if (state.trail) draw(scene.trail(state.time, state.enlarge), ORANGE, 1.5);
    now.lines.forEach((line, i) => {
      const { kind, flexible } = data.lines[i];
      if (kind === "ground") hatched(context, draw, line.map(view.to), line);
      else draw(line, flexible ? BLUE : INK, kind === "link" ? 4 : 3);
    });
    now.lines.forEach((line, i) => {
      if (data.lines[i].kind === "link") mark(line[0], 4, "#fff", data.ground.includes(i));
    });
    mark(now.tip, 3, ORANGE);
    words(context, view, data, state, width, height);
  }

  /* A bar of the ground: a line with short strokes on one side of it; `pixels` are its places on the canvas. */
  function hatched(context, draw, pixels, line) {
    draw([line[0], line[line.length - 1]], FAINT, 2.5);
    const [[x, y], [u, v]] = [pixels[0], pixels[pixels.length - 1]], long = Math.hypot(u - x, v - y);
    if (!long) return;
    const [a, b] = [(u - x) / long, (v - y) / long];
    Object.assign(context, { strokeStyle: FAINT, lineWidth: 1 });
    context.beginPath();
    for (let at = 5; at < long; at += 9) {
      context.moveTo(x + at * a, y + at * b);
      context.lineTo(x + at * a - 5 * (a + b), y + at * b + 5 * (a - b));
    }
    context.stroke();
  }

  /* A grid on the floor and the shadow of the arm, which tell where things are in space. */
  function floor(draw, [low, high], now) {
    const step = round(Math.max(high[0] - low[0], high[1] - low[1], 1e-6) / 2.5), z = low[2];
    const from = [0, 1].map((a) => step * Math.floor(low[a] / step)), to = [0, 1].map((a) => step * Math.ceil(high[a] / step));
    for (let x = from[0]; x < to[0] + step / 2; x += step) draw([[x, from[1], z], [x, to[1], z]], "#e6e6e6", 1);
    for (let y = from[1]; y < to[1] + step / 2; y += step) draw([[from[0], y, z], [to[0], y, z]], "#e6e6e6", 1);
    now.lines.forEach((line) => draw(line.map(([x, y]) => [x, y, z]), "#d5d5d5", 3));
  }

  function words(context, view, data, state, width, height) {
    context.setLineDash([]);
    context.textBaseline = "top";
    context.font = "bold 13px sans-serif";
    context.fillStyle = state.enlarge === 1 ? INK : ORANGE;
    if (data.bends) context.fillText(size(state.enlarge), 10, 8);
    const metres = round(0.3 * width / view.scale), long = metres * view.scale;
    context.fillStyle = context.strokeStyle = INK;
    context.lineWidth = 1.5;
    context.beginPath();
    [[0, -4], [0, 0], [long, 0], [long, -4]].forEach(([x, y], i) => context[i ? "lineTo" : "moveTo"](10 + x, height - 10 + y));
    context.stroke();
    context.font = "12px sans-serif";
    context.textBaseline = "bottom";
    context.fillText(metres >= 1 ? `${metres} m` : `${+(1e3 * metres).toPrecision(3)} mm`, 14, height - 13);
  }

  const size = (enlarge) => (enlarge === 1 ? "deflection in true size" : `deflection drawn ${enlarge} times as large`);
  const pace = (speed) => (speed === 1 ? "real time" : speed < 1 ? `slow motion × ${speed}` : `fast × ${speed}`);

  function FlexarmPlayer(element, data) {
    const scene = Scene(data);
    const state = {
      time: scene.begin, playing: false, enlarge: data.bends ? data.enlarge : 1, speed: data.speed,
      trail: true, ghost: true, turn: -0.9, tilt: 0.35,
    };
    if (!document.getElementById("flexarm-player-style")) {
      const style = document.createElement("style");
      Object.assign(style, { id: "flexarm-player-style", textContent: STYLE });
      document.head.append(style);
    }
    const make = (tag, properties = {}, ...children) => {
      const made = Object.assign(document.createElement(tag), properties);
      made.append(...children);
      return made;
    };
    const choice = (values, chosen, text) => make("select", {}, ...[...new Set([...values, chosen])].sort((a, b) => a - b)
      .map((value) => make("option", { value, textContent: text(value), selected: value === chosen })));
    const canvas = make("canvas", { tabIndex: 0 });
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${data.title}: the moving arm; the space bar plays and pauses`);
    const button = make("button", { type: "button" });
    const scrub = make("input", { type: "range", min: scene.begin, max: scene.end, step: "any" });
    scrub.setAttribute("aria-label", "time");
    const clock = make("output");
    const speed = choice(SPEEDS, state.speed, pace);
    const enlarge = choice(ENLARGE, state.enlarge, (value) => (value === 1 ? "true size" : `× ${value}`));
    const trail = make("input", { type: "checkbox", checked: true }), ghost = make("input", { type: "checkbox", checked: true });
    const row = make("div", { className: "row" }, make("label", {}, "speed ", speed));
    if (data.bends) row.append(make("label", {}, "deflection ", enlarge));
    row.append(make("label", {}, trail, " trail of the tip"));
    if (data.ghost) row.append(make("label", {}, ghost, ` ${data.ghost.words}`));
    if (data.axes === 3) row.append(make("span", {}, "drag to turn"));
    const whole = make("div", { className: `flexarm-player${data.axes === 3 ? " space" : ""}` },
      canvas, make("div", { className: "row" }, button, scrub, clock), row);
    element.replaceChildren(whole);

    let box = scene.bounds(state.enlarge), width = 0, height = 0, before = null, request = 0;
    const context = canvas.getContext("2d");

    function resize() {
      width = Math.max(whole.clientWidth, 50);
      const shape = data.axes === 3 ? 0.62 : (box[1][1] - box[0][1]) / Math.max(box[1][0] - box[0][0], 1e-9);
      height = Math.round(Math.min(Math.max(shape * (width - 48) + 52, 0.3 * width, 180), 0.8 * width + 40, 460));
      const ratio = window.devicePixelRatio || 1;
      Object.assign(canvas, { width: Math.round(ratio * width), height: Math.round(ratio * height) });
      canvas.style.height = `${height}px`;
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      show();
    }

    function show() {
      picture(context, scene, data, state, width, height, box);
      scrub.value = state.time;
      clock.textContent = `t = ${state.time.toFixed(3)} of ${+scene.end.toPrecision(4)} s`;
      button.textContent = state.playing ? "Pause" : "Play";
    }

    function frame(stamp) {
      request = 0;
      if (!state.playing) return;
      if (before !== null) state.time += state.speed * Math.min(stamp - before, 250) / 1e3;
      before = stamp;
      const rest = 0.8 * state.speed; /* the last picture stays for a moment */
      if (state.time > scene.end + rest) state.time = scene.begin;
      const shown = state.time;
      state.time = Math.min(shown, scene.end);
      show();
      state.time = shown;
      request = requestAnimationFrame(frame);
    }

    function play() {
      if (state.playing) return;
      if (state.time >= scene.end) state.time = scene.begin;
      state.playing = true;
      before = null;
      request = request || requestAnimationFrame(frame);
    }

    function pause() {
      state.playing = false;
      state.time = Math.min(state.time, scene.end);
      show();
    }

    function seek(t) {
      state.time = Math.min(Math.max(t, scene.begin), scene.end);
      show();
    }

    function set(changes) {
      Object.assign(state, changes);
      if ("enlarge" in changes) {
        box = scene.bounds(state.enlarge);
        resize();
      }
      show();
    }

    button.onclick = () => (state.playing ? pause() : play());
    scrub.oninput = () => {
      state.playing = false;
      seek(+scrub.value);
    };
    speed.onchange = () => set({ speed: +speed.value });
    enlarge.onchange = () => set({ enlarge: +enlarge.value });
    trail.onchange = () => set({ trail: trail.checked });
    ghost.onchange = () => set({ ghost: ghost.checked });
    canvas.onkeydown = (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      button.click();
    };
    if (data.axes === 3) {
      canvas.onpointerdown = (event) => canvas.setPointerCapture(event.pointerId);
      canvas.onpointermove = (event) => {
        if (!event.buttons) return;
        const tilt = Math.min(Math.max(state.tilt + 0.01 * event.movementY, -1.5), 1.5);
        set({ turn: state.turn - 0.01 * event.movementX, tilt });
      };
    }
    const watch = new ResizeObserver(resize);
    watch.observe(whole);
    resize();
    function remove() {
      state.playing = false;
      watch.disconnect();
      element.replaceChildren();
    }
    return { play, pause, seek, set, state, scene, remove };
  }

  FlexarmPlayer.Scene = Scene;
  return FlexarmPlayer;
})();

if (typeof module !== "undefined") module.exports = FlexarmPlayer;
