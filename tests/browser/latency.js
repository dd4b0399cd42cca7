async ([cell, keys, wait]) => {
  const handle = cell.querySelector(".noUi-handle"), seen = [];
  const src = () => cell.querySelector(".jp-OutputArea-output img")?.src;
  let last = src();
  const watch = new MutationObserver(() => {
    if (src() && src() !== last) { last = src(); seen.push(performance.now()); }
  });
  watch.observe(cell, { subtree: true, childList: true, attributes: true });
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const pressed = [];
  handle.focus();
  for (let n = 0; n < keys; n++) {
    const before = seen.length;
    pressed.push(performance.now());
    handle.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    for (let ms = 0; wait && seen.length === before; ms += 2) {
      if (ms > 20000) throw new Error(`no picture after key ${n + 1}`);
      await sleep(2);
    }
    await sleep(wait ? 100 : 33);  // a held key repeats 30 times a second
  }
  let quiet = seen.length - 1;
  while (quiet !== seen.length) { quiet = seen.length; await sleep(1500); }
  watch.disconnect();
  return { pressed, seen };
}
