"use strict";
// Every text of the data is set by textContent: whatever a completion holds, it stays text.
(() => {
  const PAGE = 100;
  const data = JSON.parse(document.getElementById("data").textContent);
  const answers = data.answers.map((answer) => ({ ...answer, ...data.tasks[answer.task] }));
  const [form, list, detail, more, count] = ["filters", "list", "detail", "more", "count"]
    .map((id) => document.getElementById(id));
  const OUTCOMES = {
    solved: "solved", wrong: "wrong", unreadable: "not readable", ungraded: "not graded",
  };
  const AGAINST = {
    base: "the base itself", better: "better", worse: "worse", alike: "alike",
    apart: "graded in one only",
  };
  const FILTERS = ["model", "family", "level", "shots", "outcome", "errors", "against"];
  const COLUMNS = ["model", "family", "level", "tier", "seed", "id", "shots", "sample", "outcome",
    "errors", "answer", "explanation", "completion", "solution", "prompt", "tokens"];
  const buttons = new Map();  // answer → its button in the list
  let found = [];
  let current;

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

  const words = (name) => name.replaceAll("_", " ");

  // What became of each task by the first run, and by each other one beside it.
  function compareWithBase() {
    const base = data.models[0];
    const counts = new Map();
    const key = (answer, model) => JSON.stringify([answer.content, model]);
    for (const answer of answers.filter(({ outcome }) => outcome !== "ungraded")) {
      const [solved, graded] = counts.get(key(answer, answer.model)) || [0, 0];
      const right = answer.outcome === "solved" ? 1 : 0;
      counts.set(key(answer, answer.model), [solved + right, graded + 1]);
    }
    for (const answer of answers) {
      const [own, other] = [answer.model, base].map((model) => counts.get(key(answer, model)));
      if (answer.model === base) answer.against = "base";
      else if (!own || !other) answer.against = "apart";
      else {
        const gain = own[0] * other[1] - other[0] * own[1];
        answer.against = gain > 0 ? "better" : gain < 0 ? "worse" : "alike";
      }
    }
  }

  function fill(name) {
    const select = form.elements[name];
    const labels = { outcome: OUTCOMES, against: AGAINST }[name];
    const there = new Set(answers.flatMap((answer) => answer[name]));
    const values = labels ? Object.keys(labels).filter((value) => there.has(value)) : [...there];
    if (typeof values[0] === "number") values.sort((a, b) => a - b);
    select.append(new Option("all", ""));
    for (const value of values) {
      const label = labels ? labels[value] : name === "errors" ? words(value) : value;
      select.append(new Option(label, value));
    }
    select.parentElement.hidden = values.length < 2;
  }

  function matches(answer) {
    for (const name of FILTERS) {
      const wanted = form.elements[name].value;
      if (wanted !== "" && ![answer[name]].flat().map(String).includes(wanted)) return false;
    }
    const text = form.elements.search.value.toLowerCase();
    return !text || [answer.prompt, answer.completion, answer.explanation, answer.answer || ""]
      .some((part) => part.toLowerCase().includes(text));
  }

  function filter() {
    found = answers.filter(matches);
    buttons.clear();
    list.replaceChildren();
    const solved = found.filter((answer) => answer.outcome === "solved").length;
    count.textContent = `${found.length} of ${answers.length} answers, ${solved} solved`;
    extend();
    if (!found.includes(current)) current = found[0];
    show();
  }

  function extend() {
    for (const answer of found.slice(buttons.size, buttons.size + PAGE)) {
      const line = item(answer);
      buttons.set(answer, line.firstChild);
      list.append(line);
    }
    more.hidden = buttons.size >= found.length;
    more.textContent = `Show more (${found.length - buttons.size} left)`;
  }

  function item(answer) {
    const button = element("button");
    button.type = "button";
    const what = element("span", "what", `${answer.family} · level ${answer.level} · `);
    what.append(element("span", `outcome ${answer.outcome}`, OUTCOMES[answer.outcome]));
    if (data.models.length > 1) what.append(` · ${answer.model}`);
    if (answer.sample) what.append(` · answer ${answer.sample + 1}`);
    const said = (answer.answer || answer.completion).trim().split("\n")[0];
    button.append(what, element("span", "said", said.slice(0, 200) || "(empty)"));
    button.addEventListener("click", () => {
      choose(answer);
      location.replace(link(answer));
    });
    const line = element("li");
    line.append(button);
    return line;
  }

  function link(answer) {
    const names = ["model", "family", "level", "id", "shots", "sample"];
    const parts = names.map((name) => encodeURIComponent(String(answer[name]).toWellFormed()));
    return `#answer=${parts.join("/")}`;
  }

  // Show an answer that was chosen; filters that hide it are taken back.
  function choose(answer) {
    current = answer;
    if (found.includes(answer)) {
      show();
    } else {
      form.reset();
      filter();
    }
    if (matchMedia("(max-width: 760px)").matches) detail.scrollIntoView();
  }

  function openLinked(event) {
    const linked = answers.find((answer) => link(answer) === location.hash);
    if (!linked || (event && linked === current)) return;
    choose(linked);
    list.scrollTop = buttons.get(linked).offsetTop - list.offsetTop;
    detail.scrollIntoView();
  }

  function part(title, text, marks = []) {
    const box = element("pre", "text");
    let end = 0;
    for (const [from, to] of marks) {
      box.append(text.slice(end, from), element("mark", "", text.slice(from, to)));
      end = to;
    }
    box.append(text.slice(end));
    detail.append(element("h4", "", title), box);
    const first = box.querySelector("mark");
    if (first) box.scrollTop = first.offsetTop - box.offsetTop - box.clientHeight / 3;
  }

  function show() {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    detail.replaceChildren();
    const answer = current;
    if (!answer) return;
    while (!buttons.has(answer)) extend();
    buttons.get(answer).setAttribute("aria-current", "true");
    const shots = answer.shots ? `, ${answer.shots}-shot` : "";
    const title = element("h3", "", `${answer.family}${shots}, level ${answer.level}`
      + (answer.tier ? ` (${answer.tier})` : "") + `, seed ${answer.seed}`
      + (answer.sample ? `, answer ${answer.sample + 1}` : ""));
    const permalink = element("a", "permalink", "Link to this answer");
    permalink.href = link(answer);
    detail.append(title, permalink);
    if (data.models.length > 1) detail.append(element("p", "note run", answer.model));
    const verdict = element("p");
    verdict.append(element("span", `outcome ${answer.outcome}`, OUTCOMES[answer.outcome]));
    verdict.append(element("span", "explanation", ` – ${answer.explanation}`));
    detail.append(verdict);
    if (answer.errors.length) {
      detail.append(element("p", "note errors", `Error: ${answer.errors.map(words).join(", ")}`));
    }
    const faults = Object.entries(answer.faults);
    if (faults.length) {
      const lines = element("ul", "faults");
      for (const [what, why] of faults) {
        lines.append(element("li"));
        lines.lastChild.append(element("code", "", what), ` ${why}`);
      }
      detail.append(element("h4", "", "What is wrong"), lines);
    }
    part("Prompt", answer.prompt, answer.marks.prompt);
    part("Completion" + (answer.tokens === null ? "" : ` (${answer.tokens} tokens)`),
      answer.completion || "(empty)", answer.marks.completion);
    part("Extracted answer", answer.answer === null ? "(none)" : answer.answer);
    part("An answer that is right", answer.solution);
    const others = answers.filter(
      (other) => other.content === answer.content && other !== answer);
    if (others.length) {
      const lines = element("ol", "answers");
      lines.append(...others.map(item));
      detail.append(element("h4", "", "Other answers to this task"), lines);
    }
    const raised = Object.entries(answer.metrics).filter(([, value]) => value !== 0);
    if (raised.length) {
      const number = (value) => (value === null ? "n/a" : Number(value.toFixed(4)));
      const lines = raised.map(([name, value]) => `${name} ${number(value)}`);
      part("Measured", lines.join("\n"));
    }
  }

  // A text that a spreadsheet would take for a formula gets an apostrophe in front.
  function cell(value) {
    if (value === null || value === undefined) return "";
    if (typeof value === "number") return String(value);
    const text = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/.test(value) ? `'${value}` : value;
    return `"${text.replaceAll('"', '""')}"`;
  }

  function asCsv() {
    const metrics = [...new Set(found.flatMap((answer) => Object.keys(answer.metrics)))];
    const rows = found.map((answer) => [
      ...COLUMNS.map((name) => (name === "errors" ? answer.errors.join(", ") : answer[name])),
      ...metrics.map((name) => answer.metrics[name]),
    ]);
    rows.unshift([...COLUMNS, ...metrics.map((name) => `metric ${name}`)]);
    return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
  }

  function asJsonl() {
    const names = [...COLUMNS, "metrics", "faults"];
    const row = (answer) => Object.fromEntries(names.map((name) => [name, answer[name]]));
    return found.map((answer) => `${JSON.stringify(row(answer))}\n`).join("");
  }

  function download(name, type, text) {
    const anchor = element("a");
    anchor.href = URL.createObjectURL(new Blob([text], { type }));
    anchor.download = name;
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  }

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const all = [...buttons.values()];
    const next = all[all.indexOf(document.activeElement) + step];
    if (!step || !next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", extend);
  document.getElementById("csv")
    .addEventListener("click", () => download("answers.csv", "text/csv", asCsv()));
  document.getElementById("jsonl")
    .addEventListener("click", () => download("answers.jsonl", "application/jsonl", asJsonl()));
  addEventListener("hashchange", openLinked);
  compareWithBase();
  FILTERS.forEach(fill);
  filter();
  openLinked();
})();
