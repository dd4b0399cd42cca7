// Starts reveal.js on a stage of 1280 × 720, and keeps each slide on it.
const SMALLEST = 0.6; // of the size of the words

// A slide with more words than its stage holds gets smaller words.
function fit(slide) {
  for (let size = 1; size >= SMALLEST; size -= 0.05) {
    slide.style.setProperty("--size", size);
    if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth) return;
  }
}

// A key of a presenter's clicker goes on even where a slider was dragged last.
const TURNS = ["PageUp", "PageDown", " "];
function leaveControls(event) {
  if (TURNS.includes(event.key)) document.activeElement?.blur();
}

for (const figure of document.querySelectorAll(".course-controls")) {
  figure.dataset.preventSwipe = "";
}
document.addEventListener("keydown", leaveControls, true);

Reveal.initialize({
  width: 1280,
  height: 720,
  margin: 0,
  center: false,
  controls: false,
  display: "flex",
  hash: true,
  slideNumber: "c/t",
  transition: "none",
  pdfSeparateFragments: false,
  plugins: [RevealNotes],
});
for (const sign of ["ready", "slidechanged"]) {
  Reveal.on(sign, ({ currentSlide }) => fit(currentSlide));
}
Reveal.on("pdf-ready", () => document.querySelectorAll("section section").forEach(fit));
