// JupyterLab draws a long notebook from the top, for seconds, and moves what a link led to: the
// heading is held at the top of the window until all is drawn, or the reader does something.
// Where the link comes first, JupyterLab opens the section's source: that is rendered again.
function holdSections(notebook, signal) {
  const SECTION = /(\w+)\.ipynb[^#]*#cell-id=section-(\d+)-/;
  const TOUCHES = ["wheel", "pointerdown", "keydown"];
  const STEP = 250, STILL = 8, LONG = 480; // milliseconds; steps without a change; steps at most
  const holdSection = ([, chapter, number]) => {
    const open = ".jp-NotebookPanel:not(.lm-mod-hidden)";
    const id = `section-${chapter.replaceAll("_", "-")}-${number}`;
    const heads = ["id", "data-jupyter-id"].map((name) => `${open} div[${name}="${id}"]`).join();
    const source = `${open} .jp-mod-editMode .jp-MarkdownCell.jp-mod-active .cm-content`;
    const run = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true };
    const render = () => document.querySelector(source)?.dispatchEvent(
      new KeyboardEvent("keydown", { ...run, cancelable: true }));
    let seen = "", still = 0, steps = 0;
    const hold = () => {
      if ((steps += 1) > LONG) return stop();
      const head = [...document.querySelectorAll(heads)].find((one) => one.checkVisibility());
      if (!head) return render(); // else the chapter is still being opened
      const cells = document.querySelectorAll(`${open} .jp-Cell`).length;
      const now = `${cells} cells, ${Math.round(head.getBoundingClientRect().top)}`;
      head.scrollIntoView({ block: "start" });
      still = now === seen ? still + 1 : 0;
      seen = now;
      if (still === STILL) stop();
    };
    const timer = setInterval(hold, STEP);
    const stop = () => {
      clearInterval(timer);
      for (const touch of TOUCHES) document.removeEventListener(touch, touched, true);
    };
    const touched = (event) => event.isTrusted && stop();
    for (const touch of TOUCHES) document.addEventListener(touch, touched, true);
  };
  notebook.addEventListener("click", (event) => {
    const target = event.target.closest("a")?.href.match(SECTION);
    if (target) holdSection(target);
  }, { signal });
}
