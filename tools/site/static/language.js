// Remembers the reader's language, for the start page, and the place in the chapter read last, for
// the link on the contents page. Switching the language keeps the search query.
const here = document.documentElement.lang.slice(0, 2);

function remember(language) {
  try {
    localStorage.setItem("course-language", language);
  } catch {
    // storage is switched off: the start page then goes by the browser's language
  }
}

remember(here);
for (const link of document.querySelectorAll(".course-language")) {
  link.addEventListener("click", () => {
    remember(link.dataset.language);
    link.search = location.search;
  });
}

const CHAPTER = /\d\d_[a-z0-9_]+\.html$/;

// The place is the section whose heading was passed last.
function rememberPlace() {
  const passed = [...document.querySelectorAll("article section[id] > h2")]
    .filter((heading) => heading.getBoundingClientRect().top < innerHeight / 2);
  const heading = passed.at(-1) ?? document.querySelector("article h1");
  const place = {
    page: location.pathname.match(CHAPTER)[0],
    section: passed.length ? heading.parentElement.id : "",
    title: heading.firstChild.textContent.trim(),
  };
  try {
    localStorage.setItem(`course-place-${here}`, JSON.stringify(place));
  } catch {
    // storage is switched off: there is no place to go on from
  }
}

function offerPlace(line) {
  let place = null;
  try {
    place = JSON.parse(localStorage.getItem(`course-place-${here}`));
  } catch {
    // switched off, or not ours
  }
  if (!CHAPTER.test(place?.page)) return;
  const link = line.querySelector("a");
  link.href = place.section ? `${place.page}#${encodeURIComponent(place.section)}` : place.page;
  link.textContent = place.title;
  line.hidden = false;
}

if (CHAPTER.test(location.pathname)) addEventListener("pagehide", rememberPlace);
document.querySelectorAll(".course-resume").forEach(offerPlace);
