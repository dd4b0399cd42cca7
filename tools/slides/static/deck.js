// Starts reveal.js on a stage of 1280 × 720, and keeps each slide on it.
const SMALLEST = 0.6; // of the size of the words
const LOWEST = 160; // pixels: a picture's least height when smaller words are not enough

function fits(slide) {
  const formulas = slide.querySelectorAll('math[display="block"]');
  const revealed = slide.querySelectorAll(".fragment"); // hanging out of it they hide the slide's margin
  return [slide, ...revealed].every((e) => e.scrollHeight <= e.clientHeight)
    && [slide, ...formulas].every((e) => e.scrollWidth <= e.clientWidth);
}

// Makes the words as large as fits the slide, and returns whether they fit at all.
function fitWords(slide) {
  for (let percent = 100; percent >= 100 * SMALLEST; percent -= 5) {
    slide.style.setProperty("--size", percent / 100);
    if (fits(slide)) return true;
  }
  return false;
}

// How many columns of a terminal the longest line takes; hanzi take two.
function longest(pre) {
  const widths = pre.textContent.split("\n").map((line) => {
    return [...line].reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
  });
  return Math.max(...widths);
}
for (const pre of document.querySelectorAll("pre")) pre.style.setProperty("--longest", longest(pre));

// A formula that is too wide gets smaller; the words beside it do not.
function narrow(formula) {
  formula.style.removeProperty("--room");
  const room = (formula.clientWidth - 1) / formula.scrollWidth;
  if (room < 1) formula.style.setProperty("--room", room);
}

// A slide with more than its stage holds gets smaller words, then long texts in two columns, then
// lower pictures.
function fit(slide) {
  slide.classList.remove("columns");
  slide.style.removeProperty("--lowest");
  slide.style.removeProperty("--size");
  slide.querySelectorAll('math[display="block"]').forEach(narrow);
  if (fitWords(slide)) return;
  slide.classList.add("columns");
  if (fitWords(slide)) return;
  slide.style.setProperty("--lowest", `${LOWEST}px`);
  fitWords(slide);
}

// A key of a presenter's clicker turns the slide even if a slider was dragged last.
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
  pdfMaxPagesPerSlide: 1,
  pdfSeparateFragments: false,
  plugins: [RevealNotes],
});
for (const sign of ["ready", "slidechanged"]) {
  Reveal.on(sign, ({ currentSlide }) => fit(currentSlide));
}
Reveal.on("pdf-ready", () => document.querySelectorAll(".pdf-page > section").forEach(fit));
