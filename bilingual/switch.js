// The language switch of one notebook. `language_switch()` puts this into the first cell's output.
// Its own job: three buttons, a CSS rule, the choice remembered, the kernel and every other open
// notebook told, no step onto a hidden cell. While it is there it also mends what readers miss: links
// to sections, names of slider handles, live views, descriptions of pictures.
(() => {
  const KEY = "posenc-language";
  const NAMES = { zh: "中文", en: "English", both: "中英对照 · both" };
  const RUN_ME = "运行本单元格即可使用控件 · run this cell for the controls";
  const box = document.currentScript.parentElement.querySelector(".posenc-language");
  const page = document.querySelector('div[lang="zh"]') ? document.body : null;
  const notebook = box.closest(".jp-Notebook") ?? page;
  if (!notebook) return; // outputs in a frame of their own (VS Code, Colab): both languages show

  // A rule, not a loop over cells: it also holds for cells that are rendered later. It lives in
  // the page's head, because JupyterLab detaches cells, and their <style>, that scroll away.
  // A hidden cell keeps its place, with no height: without one, JupyterLab scrolls to the top.
  const other = { zh: "en", en: "zh" };
  const rules = Object.entries(other).map(([chosen, hidden]) => {
    const at = `[data-posenc-language="${chosen}"]`;
    const has = (lang) => `:has(.jp-RenderedMarkdown > div[lang="${lang}"])`;
    return `${at} div[lang="${hidden}"] { display: none !important; }
      ${at} .jp-MarkdownCell${has(hidden)}:not(${has(chosen)}) { visibility: hidden !important;
        height: 0 !important; min-height: 0 !important; padding: 0 !important;
        margin: 0 !important; border: 0 !important; overflow: hidden !important; }`;
  });
  const style = document.getElementById(KEY) ?? document.createElement("style");
  style.id = KEY;
  style.textContent = `${rules.join("\n")}
    [data-posenc-language] .jp-OutputArea-child:has(.posenc-language-kernel),
    .jp-OutputArea-child.posenc-hidden { display: none !important; }
    [data-posenc-language] .jp-OutputArea-output pre { word-break: normal; overflow-wrap: anywhere; }
    .posenc-language button { font: inherit; color: inherit; background: transparent;
      border: 1px solid #767676; border-radius: 4px; margin: 2px 6px 2px 0; padding: 4px 14px; }
    .posenc-language button[aria-pressed="true"] { color: white; background: #0072b2; }`;
  document.head.append(style);

  const remembered = () => {
    try { return localStorage.getItem(KEY); } catch { return null; } // storage may be forbidden
  };
  const remember = (choice) => {
    try { localStorage.setItem(KEY, choice); } catch { /* then it holds for this visit */ }
  };

  box.replaceChildren();
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", "语言 · language");
  const buttons = Object.keys(NAMES).map((choice) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = NAMES[choice];
    button.dataset.lmSuppressShortcuts = "true"; // else JupyterLab takes Enter and Space
    button.addEventListener("click", (event) => {
      remember(choice); tellServer(choice);
      document.dispatchEvent(new CustomEvent(KEY, { detail: choice })); // to this notebook as well
      if (event.detail) cell?.focus(); // by mouse: Shift+Enter goes on, and presses no button
    });
    box.append(button);
    return button;
  });

  const show = (choice) => {
    notebook.dataset.posencLanguage = choice;
    const chosen = Object.keys(NAMES).indexOf(choice);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === chosen)));
  };

  // The kernel hears of it through hidden ipywidgets buttons, in the order of NAMES.
  const cell = box.closest(".jp-Cell");
  const kernelButtons = () => [...(cell?.querySelectorAll(".posenc-language-kernel button") ?? [])];
  const tell = (choice) => {
    const button = kernelButtons()[Object.keys(NAMES).indexOf(choice)];
    if (button && !button.classList.contains("mod-active")) button.click();
  };
  // Where our server listens, a kernel that starts later speaks the language from its first word.
  const tellServer = (choice) => {
    const config = JSON.parse(document.getElementById("jupyter-config-data")?.textContent ?? "{}");
    if (!config.posencLanguage) return;
    const xsrf = document.cookie.match(/(?:^|; )_xsrf=([^;]*)/)?.[1] ?? "";
    fetch(`${config.baseUrl}posenc/language`, {
      method: "PUT", body: JSON.stringify(choice), headers: { "X-XSRFToken": xsrf },
    }).catch(() => {}); // the kernel hears of it when it runs
  };
  // Every open notebook follows, whichever one the choice was made in: in this page, or another.
  const follow = (choice) => {
    if (!notebook.isConnected) { notebook.posencFollows.abort(); return; } // closed
    if (choice in NAMES) { show(choice); tell(choice); }
  };
  notebook.posencFollows?.abort(); // the cell was run again
  notebook.posencFollows = new AbortController();
  const { signal } = notebook.posencFollows;
  document.addEventListener(KEY, (event) => follow(event.detail), { signal });
  addEventListener("storage", (event) => event.key === KEY && follow(event.newValue), { signal });

  let greeted = null;
  const greet = () => {
    const twins = kernelButtons();
    const active = twins.findIndex((button) => button.classList.contains("mod-active"));
    if (active < 0 || greeted === twins[0]) return;
    greeted = twins[0];
    if (remembered() in NAMES) tell(remembered());
    else show(Object.keys(NAMES)[active]); // never chosen in this browser: what Python knows
  };

  // JupyterLab steps onto hidden cells too (Shift+Enter, arrows): one key more, the same way.
  const STEPS = { ArrowUp: 38, ArrowDown: 40 };
  const activeCell = () => notebook.querySelector(":scope .jp-Cell.jp-mod-active");
  const press = (key, keyCode) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, code: key, keyCode, bubbles: true, cancelable: true }));
  let stood = activeCell();
  const stepOn = () => {
    const cell = activeCell();
    if (!cell || cell === stood) return;
    const up = stood?.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_PRECEDING;
    stood = cell;
    if (getComputedStyle(cell).visibility !== "hidden") return;
    if (!notebook.contains(document.activeElement)) return; // not the reader's step
    const key = up ? "ArrowUp" : "ArrowDown";
    press(key, STEPS[key]);
  };

  // JupyterLab draws a long notebook from the top, for seconds, and moves what a link led to: the
  // heading is held at the top of the window until all is drawn, or the reader does something.
  const SECTION = /(\w+)\.ipynb[^#]*#cell-id=section-(\d+)-/;
  const TOUCHES = ["wheel", "pointerdown", "keydown"];
  const STEP = 250, STILL = 8, LONG = 480; // milliseconds; steps without a change; steps at most
  const holdSection = ([, chapter, number]) => {
    const open = ".jp-NotebookPanel:not(.lm-mod-hidden)";
    const id = `section-${chapter.replaceAll("_", "-")}-${number}`;
    const heads = ["id", "data-jupyter-id"].map((name) => `${open} div[${name}="${id}"]`).join();
    let seen = "", still = 0, steps = 0;
    const hold = () => {
      if ((steps += 1) > LONG) return stop();
      const head = [...document.querySelectorAll(heads)].find((one) => one.checkVisibility());
      if (!head) return; // the chapter is still being opened
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
      for (const touch of TOUCHES) document.removeEventListener(touch, stop, true);
    };
    for (const touch of TOUCHES) document.addEventListener(touch, stop, true);
  };
  notebook.addEventListener("click", (event) => {
    const target = event.target.closest("a")?.href.match(SECTION);
    if (target) holdSection(target);
  }, { signal });

  const nameSliders = () => {
    for (const handle of notebook.querySelectorAll(".noUi-handle")) {
      const label = handle.closest(".widget-inline-hbox")?.querySelector(".widget-label");
      if (label) handle.setAttribute("aria-label", label.textContent);
    }
  };
  const mendDeadViews = () => {
    for (const view of notebook.querySelectorAll(".jp-OutputArea-output.jupyter-widgets")) {
      if (!view.textContent.startsWith("Error displaying widget")) continue;
      if (cell?.contains(view)) view.closest(".jp-OutputArea-child").classList.add("posenc-hidden");
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
  const tend = () => { greet(); nameSliders(); mendDeadViews(); describePictures(); };
  let waiting = false;
  const later = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; tend(); });
  };
  notebook.posencObserver?.disconnect();
  notebook.posencObserver = new MutationObserver(() => { stepOn(); later(); });
  notebook.posencObserver.observe(notebook,
    { childList: true, subtree: true, attributes: true, attributeFilter: ["class"] });

  show(remembered() in NAMES ? remembered() : "both");
  tend();
})();
