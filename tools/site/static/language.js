// Remembers the language of the pages that are read; the start page opens it again.
// A query in the search goes along to the other language.
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
