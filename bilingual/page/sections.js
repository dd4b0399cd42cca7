// JupyterLab draws a long notebook from the top, for seconds, and moves what a link led to: the
// heading is held at the top of the window until the reader does something.
// JupyterLab may open the section's source, early or late: that is rendered again.
function holdSections(notebook, signal) {
  const SECTION = /(\w+)\.ipynb[^#]*#cell-id=section-(\d+)-/;
  const TOUCHES = ["wheel", "pointerdown", "keydown"];
  const STEP = 250; // milliseconds
  const holdSection = ([, chapter, number]) => {
    const open = ".jp-NotebookPanel:not(.lm-mod-hidden)";
    const id = `section-${chapter.replaceAll("_", "-")}-${number}`;
    const heads = ["id", "data-jupyter-id"].map((name) => `${open} div[${name}="${id}"]`).join();
    const sources = `${open} .jp-mod-editMode .jp-MarkdownCell.jp-mod-active .cm-content`;
    const run = { key: "Enter", code: "Enter", keyCode: 13, ctrlKey: true, bubbles: true };
    const render = () => [...document.querySelectorAll(sources)]
      .find((one) => one.textContent.includes(id))
      ?.dispatchEvent(new KeyboardEvent("keydown", { ...run, cancelable: true }));
    const hold = () => {
      const head = [...document.querySelectorAll(heads)].find((one) => one.checkVisibility());
      if (!head) return render(); // or the chapter is still being opened
      const cell = head.closest(".jp-Cell:not(.jp-mod-active)");
      cell?.focus({ preventScroll: true }); // else it is selected together with the first cell
      head.scrollIntoView({ block: "start" });
    };
    const timer = setInterval(hold, STEP);
    const touched = (event) => {
      if (!event.isTrusted) return;
      clearInterval(timer);
      for (const touch of TOUCHES) document.removeEventListener(touch, touched, true);
    };
    for (const touch of TOUCHES) document.addEventListener(touch, touched, true);
  };
  notebook.addEventListener("click", (event) => {
    const target = event.target.closest("a")?.href.match(SECTION);
    if (target) holdSection(target);
  }, { signal });
}
