import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../components/foreign.js";
import { countWords, numberWords } from "../components/numbers.js";
import { wholePage } from "../components/whole-page.js";
import type { LargePlan } from "../../sync/plan.js";
import type { PlannedAction } from "../../sync/planned-item.js";
import { ItemKey, PlannedChange } from "./planned-change.js";

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
  const { before, after } = wholePage(`Plan for ${plan.target}`);
  yield before;
  yield `${<Head plan={plan} madeAt={madeAt} />}\n`;
  yield '<nav aria-label="Contents"><h2>Contents</h2><ul class="outline">\n';
  for (const [action, title] of sections) yield* contents(plan, action, title);
  yield "</ul></nav>\n";
  const isOpen = sections.reduce((sum, [action]) => sum + (action === "leave" ? 0 : plan.counts[action]), 0) <= OPEN;
  for (const [action, title] of sections) {
    yield `<section id="${action}">${<SectionHead title={title} count={plan.counts[action]} />}\n`;
    if (action === "leave") yield* names(plan);
    else
      for (const [at, shown] of numbered(plan.shown(action)))
        yield `${<PlannedChange {...shown} id={`${action}-${at}`} isOpen={isOpen} onConflict={plan.job.options.onConflict} />}\n`;
    yield "</section>\n";
  }
  yield after;
}

function Head({ plan: { target, requests }, madeAt }: { readonly plan: LargePlan } & PlanTitle): JSX.Element {
  return (
    <header class="report-head">
      <h1>
        Plan for <Foreign text={target} />
      </h1>
      <p>
        Made at <time datetime={madeAt}>{madeAt}</time>. {countWords(requests, "write")}. Nothing was written. Words
        that go are <del>struck out</del>, words that come are <ins>underlined</ins>; ‹guide/12› is a thing that gets
        its number only when it is made.
      </p>
    </header>
  );
}

function SectionHead({ title, count }: { readonly title: string; readonly count: number }): JSX.Element {
  return (
    <h2>
      {title} ({numberWords(count)})
    </h2>
  );
}

function* contents(plan: LargePlan, action: PlannedAction, title: string): Generator<string> {
  yield `<li>${<a href={`#${action}`}>{title}</a>} (${numberWords(plan.counts[action])})`;
  if (action !== "leave") {
    yield '<details class="not-printed"><summary>each</summary><ol>\n';
    for (const [at, { item }] of numbered(plan.shown(action)))
      yield `${<ContentsLine goal={`${action}-${at}`} title={item.title} />}\n`;
    yield "</ol></details>";
  }
  yield "</li>\n";
}

function ContentsLine({ goal, title }: { readonly goal: string; readonly title: string }): JSX.Element {
  return (
    <li>
      <a href={`#${goal}`}>
        <Foreign text={title} />
      </a>
    </li>
  );
}

function* names(plan: LargePlan): Generator<string> {
  yield "<details><summary>each</summary><ul>\n";
  for (const { item } of plan.shown("leave")) yield `${<NamedItem title={item.title} itemKey={item.key} />}\n`;
  yield "</ul></details>\n";
}

function NamedItem({ title, itemKey }: { readonly title: string; readonly itemKey: string }): JSX.Element {
  return (
    <li>
      <Foreign text={title} /> <ItemKey itemKey={itemKey} />
    </li>
  );
}

function* numbered<T>(all: Iterable<T>): Generator<readonly [number, T]> {
  let at = 0;
  for (const one of all) {
    at += 1;
    yield [at, one];
  }
}
