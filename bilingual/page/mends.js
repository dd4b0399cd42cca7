// What readers miss in JupyterLab's page: names of slider handles, a word where a view is dead,
// descriptions of pictures. `own` is the cell of the switch. Returns what mends all of them.
function mendPage(notebook, own) {
  const RUN_ME = "运行本单元格即可使用控件 · run this cell for the controls";
  const nameSliders = () => {
    for (const handle of notebook.querySelectorAll(".noUi-handle")) {
      const label = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label");
      if (label) handle.setAttribute("aria-label", label.textContent);
    }
  };
  const mendDeadViews = () => {
    for (const view of notebook.querySelectorAll(".jp-OutputArea-output.jupyter-widgets")) {
      if (!view.textContent.startsWith("Error displaying widget")) continue;
      if (own?.contains(view)) view.closest(".jp-OutputArea-child").classList.add("posenc-hidden");
      else view.textContent = RUN_ME;
    }
  };
  // JupyterLab gives a still picture no alt: the sentence below it says what it shows.
  const SENTENCE = /^(?:Picture:|图：)\s*/;
  const describePictures = () => {
    const pictures = ".jp-RenderedImage img:is(:not([alt]), [data-posenc-alt])";
    for (const image of notebook.querySelectorAll(pictures)) {
      let next = image.closest(".jp-Cell")?.nextElementSibling, words;
      for (; next?.matches(".jp-MarkdownCell") && !words; next = next.nextElementSibling) {
        if (getComputedStyle(next).visibility === "hidden") continue;
        const sentences = [...next.querySelectorAll("em")].map((one) => one.textContent);
        words = sentences.find((one) => SENTENCE.test(one))?.replace(SENTENCE, "").replace(/\s+/g, " ");
      }
      if (!words || words === image.alt) continue;
      image.dataset.posencAlt = "";
      image.alt = words;
    }
  };
  return () => { nameSliders(); mendDeadViews(); describePictures(); };
}
