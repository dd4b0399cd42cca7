// Plays the sampled figures: every control chooses a frame, strips of frames are loaded when needed.
// A figure tells where its strips are, how many frames lie in each, and how many stops each control
// has; frames are numbered with the last control running fastest.
class Figure {
  constructor(element) {
    this.strips = element.dataset.strips;
    this.perStrip = Number(element.dataset.perStrip);
    this.sizes = JSON.parse(element.dataset.sizes);
    this.still = element.querySelector("img");
    this.loaded = new Map();
    const box = element.querySelector(".course-controls");
    this.controls = [...box.querySelectorAll(".course-control")];
    box.addEventListener("input", () => this.show());
    for (const button of box.querySelectorAll("button")) {
      button.addEventListener("click", () => this.go(JSON.parse(button.dataset.setting)));
    }
    box.hidden = false;
    // the first strip is on its way before the first key is pressed
    for (const sign of ["pointerenter", "focusin"]) {
      element.addEventListener(sign, () => this.strip(this.number()), { once: true });
    }
    this.name();
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

  name() {
    for (const slider of this.controls.map((each) => each.querySelector("[type=range]"))) {
      if (!slider) continue;
      const shown = JSON.parse(slider.dataset.names)[Number(slider.value)];
      slider.setAttribute("aria-valuetext", shown);
      slider.parentElement.querySelector("output").value = shown;
    }
  }

  strip(number) {
    const place = Math.floor(number / this.perStrip);
    if (!this.loaded.has(place)) {
      const image = new Image();
      image.src = `${this.strips}-${place}.webp`;
      this.loaded.set(place, image.decode().then(() => image));
    }
    return this.loaded.get(place);
  }

  async show() {
    this.name();
    const number = this.number();
    const image = await this.strip(number);
    if (number !== this.number()) return; // moved on while the strip was loading
    const { width, height } = this.canvas();
    const left = (number % this.perStrip) * width;
    this.pen.drawImage(image, left, 0, width, height, 0, 0, width, height);
    this.drawn.dataset.frame = number;
  }

  canvas() {
    if (!this.drawn) {
      this.drawn = document.createElement("canvas");
      this.drawn.width = this.still.getAttribute("width");
      this.drawn.height = this.still.getAttribute("height");
      this.drawn.setAttribute("role", "img");
      this.drawn.setAttribute("aria-label", this.still.alt);
      this.pen = this.drawn.getContext("2d", { alpha: false });
      this.still.replaceWith(this.drawn);
    }
    return this.drawn;
  }
}

for (const element of document.querySelectorAll("[data-strips]")) new Figure(element);
