// The language switch of one notebook: three buttons, a CSS rule, the choice remembered, the kernel
// and every other open notebook told. While it is there it has the page mended as well.
function languageSwitch(box) {
  const KEY = "posenc-language";
  const NAMES = { zh: "中文", en: "English", both: "中英对照 · both" };
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
    [data-posenc-language] details { margin-bottom: 1em; }
    [data-posenc-language] table:has(td a[href*=".ipynb"]) td:nth-child(3) { min-width: min(14em, 25vw); }
    @media (max-width: 600px) { [data-posenc-language] td code { overflow-wrap: anywhere; } }
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

  holdSections(notebook, signal);
  const stepOn = skipHiddenCells(notebook);
  const mend = mendPage(notebook, cell);
  const tend = () => { greet(); mend(); };
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
}
