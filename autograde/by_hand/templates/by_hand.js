// Each entry is saved at once. Keys work while an answer itself has the focus, not a field of it.
"use strict";
const page = document.querySelector("main");
const progress = document.getElementById("progress");
const answers = [...document.querySelectorAll("#answers > article")];
const size = (answer) => answer.dataset.grades.split(" ").length;
let saved = Promise.resolve(); // one entry after the other

function say(answer, text, mark = answer.dataset.mark) {
  answer.dataset.mark = mark;
  answer.querySelector(".state").textContent = text;
}

function graded() {
  const here = answers.filter((one) => one.dataset.mark !== "waiting");
  return here.reduce((sum, one) => sum + size(one), Number(page.dataset.elsewhere));
}

function showProgress() {
  const { graded: words, total } = page.dataset;
  progress.textContent = words.replaceAll("{graded}", graded()).replaceAll("{total}", total);
}

function isUnsaved(answer) {
  const { points } = answer.querySelector("form").elements;
  return "unsaved" in answer.dataset || (answer.dataset.mark === "waiting" && points.value !== "");
}

function save(answer) {
  saved = saved.then(() => isUnsaved(answer) && send(answer));
  return saved;
}

async function send(answer) {
  const { points, comment } = answer.querySelector("form").elements;
  const { grades, answer_digest, entry_digest } = answer.dataset;
  const entry = { points: points.value, comment: comment.value };
  const version = { answer_digest, entry_digest };
  const body = JSON.stringify({ grades: grades.split(" "), ...version, ...entry });
  const headers = { "Content-Type": "application/json" };
  let reply;
  try {
    reply = await (await fetch(location.pathname, { method: "POST", headers, body })).json();
  } catch {
    reply = { trouble: page.dataset.offline };
  }
  if (reply.entry_digest) answer.dataset.entry_digest = reply.entry_digest;
  answer.classList.toggle("trouble", "trouble" in reply);
  if (reply.trouble) {
    answer.dataset.unsaved = "";
    say(answer, reply.trouble);
    return;
  }
  if (points.value === entry.points && comment.value === entry.comment) delete answer.dataset.unsaved;
  say(answer, reply.state, reply.mark);
  showProgress();
}

function go(answer) {
  answer.focus({ preventScroll: true });
  answer.scrollIntoView({ block: "start" });
}

async function saveAndGoOn(answer) {
  await save(answer);
  if ("unsaved" in answer.dataset) return;
  const at = answers.indexOf(answer);
  const others = [...answers.slice(at + 1), ...answers.slice(0, at)];
  const next = others.find((one) => one.dataset.mark === "waiting");
  if (next) go(next);
  else if (graded() < Number(page.dataset.total) && answer.dataset.mark !== "waiting")
    location.assign(location.pathname); // the first page with a waiting answer
  else if (answer.dataset.mark !== "waiting") progress.focus();
}

function typed(answer, points) {
  answer.querySelector("form").elements.points.value = points;
  changed(answer);
  save(answer);
}

function changed(answer) {
  answer.dataset.unsaved = "";
  answer.classList.remove("trouble");
  say(answer, page.dataset.notYet);
}

function pressed(answer, event) {
  const { points, comment } = answer.querySelector("form").elements;
  const value = Number(points.value.replace(",", ".")) || 0;
  const neighbour = (step) => answers[answers.indexOf(answer) + step] ?? answer;
  if (/^\d$/.test(event.key) && Number(answer.dataset.most) < 10) typed(answer, event.key);
  else if (/^\d$/.test(event.key)) points.select(), points.focus(), (event.goesOn = true);
  else if (event.key === "." || event.key === ",")
    typed(answer, String(value % 1 ? Math.floor(value) : value + 0.5));
  else if (event.key === "Backspace" || event.key === "Delete") typed(answer, "");
  else if (event.key === "c") comment.focus();
  else if (event.key === "Enter") saveAndGoOn(answer);
  else if (event.key === "n") go(neighbour(1));
  else if (event.key === "p") go(neighbour(-1));
  else return false;
  return !event.goesOn;
}

for (const answer of answers) {
  const form = answer.querySelector("form");
  form.addEventListener("input", () => changed(answer));
  form.addEventListener("change", () => save(answer));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    saveAndGoOn(answer);
  });
  answer.addEventListener("keydown", (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (event.isComposing || event.altKey) return;
    if (event.target === answer && !control && pressed(answer, event)) event.preventDefault();
    if (event.target.form !== form) return;
    if (event.key === "Escape") go(answer);
    if (event.key === "Enter" && control) saveAndGoOn(answer);
  });
}
const keys = document.getElementById("keys");
keys.addEventListener("toggle", () => {
  if (keys.open) keys.scrollIntoView({ block: "nearest" }); // it stands below a long key
});
document.addEventListener("keydown", (event) => {
  if (event.key === "?" && !event.target.form) keys.open = !keys.open;
});
addEventListener("beforeunload", (event) => {
  if (document.querySelector("article[data-unsaved]")) event.preventDefault();
});
const first = answers.find((one) => one.dataset.mark === "waiting") ?? answers[0];
if (first) go(first);
