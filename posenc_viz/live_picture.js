// Shows the newest picture in the image above the controls: an output that every page has, even
// without a kernel. A reloaded page finds its image again, and shows the same picture.

const RERUN = ["notebook:run-all-above", "notebook:run-cell"]; // JupyterLab's own commands

const WIDE = 900; // CSS pixels of a picture; in less room than NARROW it is drawn to fit
const [NARROW, NARROWEST, STEP] = [700, 300, 20];
const FINEST = 2; // screen pixels per CSS pixel; nobody sees more

function imageAbove(el) {
  for (let around = el.parentElement; around; around = around.parentElement) {
    const before = [...around.querySelectorAll("img")].filter(
      (image) => image.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    if (before.length) return before.at(-1);
  }
}

function render({ model, el }) {
  let address, gone, watch;

  function draw() {
    if (gone) return;
    const image = el.isConnected && imageAbove(el);
    if (!image) return setTimeout(draw, 50); // the page is still being built
    const old = address;
    address = URL.createObjectURL(new Blob([model.get("png")], { type: "image/png" }));
    image.onload = () => old && URL.revokeObjectURL(old);
    image.src = address;
    image.alt = model.get("description");
    delete image.dataset.posencAlt; // no longer a still picture, described by the sentence below
    image.style.width = `${model.get("width")}px`; // a fine screen gets more pixels, not a larger one
    if (!watch) {
      watch = new ResizeObserver(measure);
      watch.observe(image.parentElement);
    }
  }

  // Tells the kernel the room in CSS pixels and the pixel ratio; all wide pages get the same width.
  function measure([{ contentRect }]) {
    if (!contentRect.width) return; // the notebook is behind another tab
    const steps = Math.floor(contentRect.width / STEP) * STEP;
    const room = steps < NARROW ? Math.max(steps, NARROWEST) : WIDE;
    const ratio = Math.min(window.devicePixelRatio || 1, FINEST);
    if (room === model.get("room") && ratio === model.get("ratio")) return;
    model.set({ room, ratio });
    model.save_changes();
  }

  function say() {
    el.replaceChildren();
    const button = document.createElement("button");
    button.className = "jupyter-button";
    button.textContent = model.get("rerun");
    const run = (command) => {
      button.dataset.commandlinkerCommand = command; // JupyterLab listens for clicks on such a button
      button.click();
    };
    button.onclick = (event) => {
      button.onclick = null;
      event.stopPropagation();
      const cell = el.closest(".jp-Cell");
      RERUN.forEach(run);
      if (!cell) return; // not in JupyterLab
      const waiting = setInterval(() => {
        if (cell.querySelector(".jp-InputPrompt")?.textContent.includes("*")) return;
        clearInterval(waiting);
        if (cell.querySelector(".jp-OutputArea-output") || !cell.matches(".jp-mod-active")) return;
        cell.append(button); // a cell above failed, and all queued cells were dropped
        run(RERUN.at(-1));
        button.remove();
      }, 500);
    };
    const words = document.createElement("div");
    words.setAttribute("role", "alert");
    words.textContent = model.get("lost") + " ";
    words.append(button);
    el.append(words);
    const board = el.closest(".widget-vbox");
    board?.classList.add("posenc-lost"); // its style: live_picture.py
    for (const box of board?.querySelectorAll(":scope > .widget-box") ?? []) box.inert = true;
  }

  model.on("change:png", draw);
  model.on("comm_live_update", say);
  draw();
  return () => {
    gone = true;
    watch?.disconnect();
    model.off("change:png", draw);
    model.off("comm_live_update", say);
  };
}

export default { render };
