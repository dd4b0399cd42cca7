// Sorts the table of the museum by the column whose head is clicked; a second click reverses it.
for (const table of document.querySelectorAll("table.museum")) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];

  function compare(a, b) {
    if (a === "" || b === "") {
      return (a === "") - (b === ""); // cells without a value come last, in both orders
    }
    const [left, right] = [Number(a), Number(b)];
    return Number.isNaN(left) || Number.isNaN(right) ? a.localeCompare(b) : left - right;
  }

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.setAttribute("aria-sort", "none"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => row.cells[column].dataset.key;
      const order = (a, b) => {
        const [x, y] = [key(a), key(b)];
        return x === "" || y === "" || !down ? compare(x, y) : compare(y, x);
      };
      body.append(...[...body.rows].sort(order));
    });
  });
}
