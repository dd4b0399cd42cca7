// Plays the sampled figures. A figure names the file of its pictures and says how many stops each
// control has; pictures are numbered with the last control running fastest. The file, see frames.py,
// lists for each panel its parts, the looks of each part, and a row that says which look a picture
// shows. A part is the panel's view, SVG, or a table of colours, which is painted on a canvas.
const BLANK = "white"; // a cell without a value
const figures = {};

// The file of a figure calls this.
async function courseFigure(name, packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  figures[name].play(await new Response(open).json());
}

class Figure {
  constructor(element) {
    this.name = element.dataset.frames;
    this.sizes = JSON.parse(element.dataset.sizes);
    this.picture = element.querySelector(".course-panels");
    this.boxes = [...element.querySelectorAll(".course-panel")];
    const box = element.querySelector(".course-controls");
    this.controls = [...box.querySelectorAll(".course-control")];
    box.addEventListener("input", () => this.show());
    for (const button of box.querySelectorAll("button")) {
      button.addEventListener("click", () => this.go(JSON.parse(button.dataset.setting)));
    }
    box.hidden = false;
    const near = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && this.load());
    near.observe(element);
    element.addEventListener("focusin", () => this.load());
    this.tell();
  }

  value(control) {
    const input = control.querySelector("input:checked") ?? control.querySelector("input");
    return input.type === "checkbox" ? Number(input.checked) : Number(input.value);
  }

  number() {
    return this.controls.reduce((sum, each, i) => sum * this.sizes[i] + this.value(each), 0);
  }

  go(setting) {
    this.controls.forEach((control, i) => {
      const inputs = control.querySelectorAll("input");
      if (inputs[0].type === "checkbox") inputs[0].checked = Boolean(setting[i]);
      else if (inputs[0].type === "radio") inputs[setting[i]].checked = true;
      else inputs[0].value = setting[i];
    });
    this.show();
  }

  tell() {
    for (const slider of this.controls.map((each) => each.querySelector("[type=range]"))) {
      if (!slider) continue;
      const shown = JSON.parse(slider.dataset.names)[Number(slider.value)];
      slider.setAttribute("aria-valuetext", shown);
      slider.parentElement.querySelector("output").value = shown;
    }
  }

  load() {
    if (figures[this.name]) return;
    figures[this.name] = this;
    const script = document.createElement("script");
    script.src = this.name;
    script.onerror = () => delete figures[this.name]; // the next attempt tries again
    document.head.append(script);
  }

  play({ panels, palettes }) {
    this.palettes = palettes;
    this.panels = panels.map((parts) => parts.map(({ looks, row }) => {
      let seen = 0;
      return { looks, at: row.map((ago) => (ago ? seen - ago : seen++)), shown: null };
    }));
    this.show();
  }

  show() {
    this.tell();
    if (!this.panels) return;
    const number = this.number();
    this.panels.forEach((parts, i) => parts.forEach((part, n) => {
      const look = part.at[number];
      if (look !== part.shown) this.draw(this.boxes[i], n, part.looks[look]);
      part.shown = look;
    }));
    const titles = this.boxes.map((box) => box.querySelector("desc").textContent);
    const chinese = document.documentElement.lang.startsWith("zh");
    this.picture.setAttribute("aria-label", titles.join(chinese ? "；" : "; "));
    this.picture.dataset.frame = number;
  }

  draw(box, n, look) {
    const svg = box.querySelector("svg");
    if (n === 0) return this.look(svg, look);
    while (svg.children.length < n) {
      svg.append(document.createElementNS("http://www.w3.org/2000/svg", "g"));
    }
    const table = look.startsWith("@");
    svg.children[n - 1].innerHTML = table ? "" : look;
    if (table) this.paint(box, svg, look.slice(1).split(" "));
  }

  look(svg, view) {
    const [, , width, height] = view.split(" ").map(Number);
    svg.setAttribute("viewBox", view);
    svg.parentElement.style.flexGrow = width;
    svg.parentElement.style.setProperty("--ratio", width / height); // a deck's height bounds it
  }

  // Left, top, width, height are in the view's units; the canvas has one pixel per cell.
  paint(box, svg, [left, top, width, height, columns, palette, letters]) {
    let canvas = box.querySelector("canvas");
    if (!canvas) {
      canvas = document.createElement("canvas");
      box.prepend(canvas);
    }
    const view = svg.getAttribute("viewBox").split(" ").map(Number);
    canvas.style.left = `${(100 * (left - view[0])) / view[2]}%`;
    canvas.style.top = `${(100 * (top - view[1])) / view[3]}%`;
    canvas.style.width = `${(100 * width) / view[2]}%`;
    canvas.style.height = `${(100 * height) / view[3]}%`;
    canvas.width = Number(columns);
    canvas.height = letters.length / columns;
    const pen = canvas.getContext("2d");
    [...letters].forEach((letter, at) => {
      pen.fillStyle = this.palettes[palette][letter.charCodeAt(0) - 48] ?? BLANK;
      pen.fillRect(at % columns, Math.floor(at / columns), 1, 1);
    });
  }
}

for (const element of document.querySelectorAll("[data-frames]")) new Figure(element);
