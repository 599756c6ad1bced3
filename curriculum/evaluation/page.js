"use strict";
// Every text of the data is set by textContent: whatever a completion holds, it stays text.
(() => {
  const PAGE = 100;
  const data = JSON.parse(document.getElementById("data").textContent);
  const answers = data.answers.map((answer) => ({ ...answer, ...data.tasks[answer.task] }));
  const form = document.getElementById("filters");
  const list = document.getElementById("list");
  const detail = document.getElementById("detail");
  const more = document.getElementById("more");
  const count = document.getElementById("count");
  const OUTCOMES = {
    solved: "solved", wrong: "wrong", unreadable: "not readable", ungraded: "not graded",
  };
  const AGAINST = {
    base: "the base itself", better: "better", worse: "worse", alike: "alike",
    apart: "graded in one only",
  };
  let found = [];
  let shown = 0;

  function element(name, className, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }

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

  function fill(name, labels) {
    const select = form.elements[name];
    const found = new Set(answers.map((answer) => answer[name]));
    const values = labels ? Object.keys(labels).filter((value) => found.has(value)) : [...found];
    if (typeof values[0] === "number") values.sort((a, b) => a - b);
    select.append(new Option("all", ""));
    for (const value of values) select.append(new Option(labels ? labels[value] : value, value));
    select.parentElement.hidden = values.length < 2;
  }

  function matches(answer) {
    for (const name of ["model", "family", "level", "shots", "outcome", "against"]) {
      const wanted = form.elements[name].value;
      if (wanted !== "" && String(answer[name]) !== wanted) return false;
    }
    const text = form.elements.search.value.toLowerCase();
    return !text || [answer.prompt, answer.completion, answer.explanation, answer.answer || ""]
      .some((part) => part.toLowerCase().includes(text));
  }

  function filter() {
    found = answers.filter(matches);
    shown = 0;
    list.replaceChildren();
    detail.replaceChildren();
    const solved = found.filter((answer) => answer.outcome === "solved").length;
    count.textContent = `${found.length} of ${answers.length} answers, ${solved} solved`;
    extend();
    if (found.length) show(found[0], list.querySelector("button"), false);
  }

  function extend() {
    for (const answer of found.slice(shown, shown + PAGE)) list.append(item(answer));
    shown = Math.min(found.length, shown + PAGE);
    more.hidden = shown >= found.length;
    more.textContent = `Show more (${found.length - shown} left)`;
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
    button.addEventListener("click", () => show(answer, button, true));
    const line = element("li");
    line.append(button);
    return line;
  }

  function part(title, text) {
    detail.append(element("h4", "", title), element("pre", "text", text));
  }

  function show(answer, button, chosen) {
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    if (list.contains(button)) button.setAttribute("aria-current", "true");
    detail.replaceChildren();
    const shots = answer.shots ? `, ${answer.shots}-shot` : "";
    detail.append(element("h3", "", `${answer.family}${shots}, level ${answer.level}`
      + (answer.tier ? ` (${answer.tier})` : "") + `, seed ${answer.seed}`
      + (answer.sample ? `, answer ${answer.sample + 1}` : "")));
    if (data.models.length > 1) detail.append(element("p", "note run", answer.model));
    const verdict = element("p");
    verdict.append(element("span", `outcome ${answer.outcome}`, OUTCOMES[answer.outcome]));
    verdict.append(element("span", "explanation", ` – ${answer.explanation}`));
    detail.append(verdict);
    part("Extracted answer", answer.answer === null ? "(none)" : answer.answer);
    part("Completion" + (answer.tokens === null ? "" : ` (${answer.tokens} tokens)`),
      answer.completion || "(empty)");
    part("An answer that is right", answer.solution);
    const others = answers.filter(
      (other) => other.content === answer.content && other !== answer);
    if (others.length) {
      const lines = element("ol", "answers");
      lines.append(...others.map(item));
      detail.append(element("h4", "", "Other answers to this task"), lines);
    }
    part("Prompt", answer.prompt);
    const raised = Object.entries(answer.metrics).filter(([, value]) => value !== 0);
    if (raised.length) {
      const number = (value) => (value === null ? "n/a" : Number(value.toFixed(4)));
      const lines = raised.map(([name, value]) => `${name} ${number(value)}`);
      part("Measured", lines.join("\n"));
    }
    if (chosen && matchMedia("(max-width: 760px)").matches) detail.scrollIntoView();
  }

  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = [...list.querySelectorAll("button")];
    const next = buttons[buttons.indexOf(document.activeElement) + step];
    if (!step || !next) return;
    event.preventDefault();
    next.focus();
    next.click();
  });
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", extend);
  compareWithBase();
  fill("model");
  fill("family");
  fill("level");
  fill("shots");
  fill("outcome", OUTCOMES);
  fill("against", AGAINST);
  filter();
})();
