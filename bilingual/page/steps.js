// JupyterLab steps onto hidden cells too (Shift+Enter, arrows): one key more, the same way.
// Returns what to call whenever the notebook has changed.
function skipHiddenCells(notebook) {
  const STEPS = { ArrowUp: 38, ArrowDown: 40 };
  const activeCell = () => notebook.querySelector(":scope .jp-Cell.jp-mod-active");
  const press = (key, keyCode) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key, code: key, keyCode, bubbles: true, cancelable: true }));
  let stood = activeCell();
  return () => {
    const cell = activeCell();
    if (!cell || cell === stood) return;
    const up = stood?.compareDocumentPosition(cell) & Node.DOCUMENT_POSITION_PRECEDING;
    stood = cell;
    if (getComputedStyle(cell).visibility !== "hidden") return;
    if (!notebook.contains(document.activeElement)) return; // not the reader's step
    const key = up ? "ArrowUp" : "ArrowDown";
    press(key, STEPS[key]);
  };
}
