// Chinese has no spaces: a query is cut into the longest words in the site's index.
// It becomes part of language_data.js, where Sphinx looks for a `splitQuery`.
const CHINESE = /[\u4e00-\u9fff]+/gu;
const LONGEST = 8;

function chineseWords(run) {
  const known = Search._index.terms;
  const words = [];
  for (let start = 0; start < run.length; ) {
    let end = Math.min(start + LONGEST, run.length);
    while (end > start + 1 && !Object.hasOwn(known, run.slice(start, end))) end -= 1;
    if (end > start + 1) words.push(run.slice(start, end));
    start = end;
  }
  return words.length ? words : [run];
}

var splitQuery = (query) =>
  query
    .replace(CHINESE, (run) => ` ${chineseWords(run).join(" ")} `)
    .split(/[^\p{Letter}\p{Number}_\p{Emoji_Presentation}]+/gu)
    .filter((word) => word);
