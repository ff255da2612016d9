import { escapeHtml } from "../../../../transforms/html/escape-html.js";
import type { Issue } from "../../../model/issue.js";
import type { LargePlan } from "../../plan.js";
import { WILL_FAIL } from "../../plan-issues.js";
import type { PlannedAction, PlannedItem } from "../../planned-item.js";
import { CONFLICT_WORDS, STAYS_WORDS } from "../conflict-words.js";
import type { ShownItem, TextChange } from "../text-change.js";
import { foreign, foreignLines } from "./foreign.js";
import { POLICY, STYLE } from "./style.js";
import { wordDiff } from "./word-diff.js";

/** What stands above a plan. */
export interface PlanTitle {
  /** ISO 8601, UTC. */
  readonly madeAt: string;
}

/** What a person has to decide on comes first. */
const SECTIONS: readonly (readonly [PlannedAction, string])[] = [
  ["refuse", "Refused"],
  ["delete", "Deleted at the target"],
  ["change", "Changed"],
  ["adopt", "Linked to as they are"],
  ["create", "Created"],
  ["gone", "Gone at the source, and left at the target"],
  ["leave", "Left as they are"],
];
/** Items that are shown unfolded. */
const OPEN = 100;

/** A plan as a page for people, whole in itself, in pieces; the memory goes with one item. All foreign text in it is text. */
export function* htmlPlan(plan: LargePlan, { madeAt }: PlanTitle): Generator<string> {
  const sections = SECTIONS.filter(([action]) => plan.counts[action] > 0);
  yield head(plan, madeAt);
  yield '<nav aria-label="Contents"><h2>Contents</h2><ul>\n';
  for (const [action, title] of sections) yield* contents(plan, action, title);
  yield "</ul></nav>\n<main>\n";
  const isOpen = sections.reduce((sum, [action]) => sum + (action === "leave" ? 0 : plan.counts[action]), 0) <= OPEN;
  for (const [action, title] of sections) {
    yield `<section id="${action}"><h2>${title} (${number(plan.counts[action])})</h2>\n`;
    if (action === "leave") yield* names(plan);
    else for (const [at, shown] of numbered(plan.shown(action))) yield item(plan, shown, `${action}-${at}`, isOpen);
    yield "</section>\n";
  }
  yield "</main></body></html>\n";
}

function head({ target, requests }: LargePlan, madeAt: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<title>Plan for ${escapeHtml(target)}</title><style>${STYLE}</style></head><body>
<h1>Plan for ${foreign(target)}</h1>
<p>Made at <time datetime="${escapeHtml(madeAt)}">${escapeHtml(madeAt)}</time>. ${number(requests)} ${requests === 1 ? "write" : "writes"}. Nothing was written.
Words that go are <del>struck out</del>, words that come are <ins>underlined</ins>; ‹guide/12› is a thing that gets its number only when it is made.</p>
`;
}

function* contents(plan: LargePlan, action: PlannedAction, title: string): Generator<string> {
  yield `<li><a href="#${action}">${title}</a> (${number(plan.counts[action])})`;
  if (action !== "leave") {
    yield "<details><summary>each</summary><ol>\n";
    for (const [at, { item }] of numbered(plan.shown(action)))
      yield `<li><a href="#${action}-${at}">${foreign(item.title)}</a></li>\n`;
    yield "</ol></details>";
  }
  yield "</li>\n";
}

function* names(plan: LargePlan): Generator<string> {
  yield "<details><summary>each</summary><ul>\n";
  for (const { item } of plan.shown("leave")) yield `<li>${foreign(item.title)} ${key(item)}</li>\n`;
  yield "</ul></details>\n";
}

function item(plan: LargePlan, { item, changes }: ShownItem, id: string, isOpen: boolean): string {
  const writes = item.requests === 0 ? "" : `, ${number(item.requests)} ${item.requests === 1 ? "write" : "writes"}`;
  const because = item.because === null ? "" : `, ${foreign(item.because)}`;
  return `<details class="item" id="${id}"${isOpen ? " open" : ""}><summary><strong>${foreign(item.title)}</strong> ${key(item)}<span class="count">${writes}${because}</span>${item.edited.length > 0 ? ' <span class="warn">edited there</span>' : ""}${willFail(item) ? ' <span class="warn">will fail</span>' : ""}</summary>
${edited(plan, item)}${changes.map(change).join("")}${issues(item.issues)}</details>
`;
}

function willFail({ issues }: PlannedItem): boolean {
  return issues.some(({ code }) => code === WILL_FAIL);
}

function edited({ job }: LargePlan, { edited: things }: PlannedItem): string {
  if (things.length === 0) return "";
  const named = things.map((thing) => `<code>${foreign(thing)}</code>`).join(", ");
  return `<p class="warn">Somebody edited it at the target since guideferry last wrote it: ${named}. ${CONFLICT_WORDS[job.options.onConflict]}</p>\n`;
}

function change({ part, field, before, after, stays }: TextChange): string {
  const name = part === "" ? escapeHtml(field) : `${escapeHtml(part)}: ${escapeHtml(field)}`;
  const text = wordDiff(before, after)
    .map(({ what, text }) => `${OPENING[what]}${foreignLines(text)}${CLOSING[what]}`)
    .join("");
  const why = stays === undefined ? "" : ` <span class="warn">${STAYS_WORDS[stays]}</span>`;
  return `<h3>${name}${why}</h3><pre>${text}</pre>\n`;
}

const OPENING = { same: "", gone: "<del>", come: "<ins>" } as const;
const CLOSING = { same: "", gone: "</del>", come: "</ins>" } as const;

function issues(all: readonly Issue[]): string {
  if (all.length === 0) return "";
  const rows = all.map(({ level, path, message }) => {
    const where = path === "" ? "" : ` <code>${foreign(path)}</code>`;
    return `<li><strong>${level}</strong>${where}: ${foreign(message)}</li>`;
  });
  return `<h3>What to know</h3><ul>${rows.join("")}</ul>\n`;
}

function key({ key }: PlannedItem): string {
  return `<code class="key">${foreign(key)}</code>`;
}

function* numbered<T>(all: Iterable<T>): Generator<readonly [number, T]> {
  let at = 0;
  for (const one of all) {
    at += 1;
    yield [at, one];
  }
}

function number(count: number): string {
  return count.toLocaleString("en-US");
}
