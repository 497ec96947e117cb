"use strict";
(() => {
  const form = document.getElementById("filter");
  if (!form) return;
  const field = (id) => document.getElementById(id);
  const [words, status] = [field("words"), field("shown")];
  const keys = ["code", "path", "tool"];
  const findings = [...document.querySelectorAll("#findings .finding")].map((element) => ({
    element,
    data: element.dataset,
    text: element.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("#findings .cause")];

  for (const key of keys) {
    const counts = new Map();
    for (const { data } of findings) {
      if (data[key]) counts.set(data[key], (counts.get(data[key]) ?? 0) + 1);
    }
    for (const [value, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      field(key).add(new Option(`${value} (${count})`, value));
    }
  }

  const apply = () => {
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    const severities = new Set([...form.querySelectorAll(":checked")].map((box) => box.value));
    const chosen = keys.map((key) => [key, field(key).value]).filter(([, value]) => value);
    let shown = 0;
    for (const { element, data, text } of findings) {
      const matches =
        severities.has(data.severity) &&
        chosen.every(([key, value]) => data[key] === value) &&
        wanted.every((word) => text.includes(word));
      element.hidden = !matches;
      shown += matches;
    }
    const filtered = shown < findings.length;
    for (const group of groups) {
      const matching = group.querySelector(".finding:not([hidden])");
      group.hidden = !matching;
      const consequences = group.querySelector("details");
      // A group whose first finding does not match would hide those that do.
      if (filtered && consequences?.contains(matching)) consequences.open = true;
    }
    for (const heading of document.querySelectorAll("#findings .section")) {
      let next = heading.nextElementSibling;
      while (next?.hidden) next = next.nextElementSibling;
      heading.hidden = !next || next.matches(".section");
    }
    status.textContent = filtered
      ? `${shown} of ${findings.length} findings shown`
      : `${findings.length} findings`;
  };

  let later = 0;
  form.addEventListener("input", () => {
    clearTimeout(later);
    later = setTimeout(apply, findings.length > 2000 ? 150 : 0);
  });
  form.addEventListener("reset", () => setTimeout(apply));
  form.addEventListener("submit", (event) => event.preventDefault());
  const openAll = (open) => () => {
    for (const group of document.querySelectorAll("#findings details")) group.open = open;
  };
  field("open").addEventListener("click", openAll(true));
  field("close").addEventListener("click", openAll(false));
  for (const key of ["code", "path"]) {
    const name = `filter${key[0].toUpperCase()}${key.slice(1)}`;
    for (const link of document.querySelectorAll(`[data-filter-${key}]`)) {
      link.addEventListener("click", () => {
        form.reset();
        field(key).value = link.dataset[name];
        apply();
      });
    }
  }
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      words.focus();
    }
  });
  if (!groups.length) field("open").hidden = field("close").hidden = true;
  form.hidden = false;
  apply();
})();
