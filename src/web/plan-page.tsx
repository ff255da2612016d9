import type { JSX } from "hono/jsx/jsx-runtime";
import type { Issue } from "../core/model/issue.js";
import type { PlannedAction, PlannedItem } from "../sync/load/planned-item.js";
import { CONFLICT_WORDS, type ShownItem, STAYS_WORDS, type TextChange, WILL_FAIL } from "../sync/plan/draft.js";
import type { LargePlan } from "../sync/plan/plan.js";
import { wholePage } from "./components/page-frame.js";
import { UntrustedLines, UntrustedText } from "./components/untrusted-text.js";
import { type DiffPart, wordDiff } from "./components/word-diff.js";
import { countWords, numberWords } from "./components/words.js";

interface PlanTitle {
  /** ISO 8601, UTC. */
  readonly madeAt: string;
}

/** Sections that need a decision come first. */
const SECTIONS: readonly (readonly [PlannedAction, string])[] = [
  ["refuse", "Refused"],
  ["delete", "Delete on the target"],
  ["change", "Change"],
  ["adopt", "Link to existing items"],
  ["create", "Create"],
  ["gone", "Deleted at the source, kept on the target"],
  ["leave", "Unchanged"],
];
/** Items that are shown unfolded. */
const OPEN = 100;

/** A plan as a self-contained page in pieces; memory holds one item. */
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
        Plan for <UntrustedText text={target} />
      </h1>
      <p>
        Created at <time datetime={madeAt}>{madeAt}</time>. The load needs {countWords(requests, "write request")}.
        Nothing has been written. Removed words are <del>struck out</del>. Added words are <ins>underlined</ins>.
        ‹guide/12› means a new item: the target assigns its id when the load creates it.
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
    yield '<details class="not-printed"><summary>Show items</summary><ol>\n';
    for (const [at, { item }] of numbered(plan.shown(action)))
      yield `${<ContentsLine target={`${action}-${at}`} title={item.title} />}\n`;
    yield "</ol></details>";
  }
  yield "</li>\n";
}

function ContentsLine({ target, title }: { readonly target: string; readonly title: string }): JSX.Element {
  return (
    <li>
      <a href={`#${target}`}>
        <UntrustedText text={title} />
      </a>
    </li>
  );
}

function* names(plan: LargePlan): Generator<string> {
  yield "<details><summary>Show items</summary><ul>\n";
  for (const { item } of plan.shown("leave")) yield `${<NamedItem title={item.title} itemKey={item.key} />}\n`;
  yield "</ul></details>\n";
}

function NamedItem({ title, itemKey }: { readonly title: string; readonly itemKey: string }): JSX.Element {
  return (
    <li>
      <UntrustedText text={title} /> <ItemKey itemKey={itemKey} />
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

interface PlannedChangeProps extends ShownItem {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onConflict: keyof typeof CONFLICT_WORDS;
}

/** An item with all its changed texts in full, since people approve them. */
function PlannedChange({ item, changes, id, isOpen, onConflict }: PlannedChangeProps): JSX.Element {
  const because = item.because;
  return (
    <details class="card planned" id={id} open={isOpen}>
      <summary>
        <strong>
          <UntrustedText text={item.title} />
        </strong>{" "}
        <ItemKey itemKey={item.key} />
        <span class="muted">
          {item.requests > 0 && `, ${countWords(item.requests, "write request")}`}
          {because !== null && (
            <>
              , <UntrustedText text={because} />
            </>
          )}
        </span>
        {item.edited.length > 0 && <Warning text="remote edit" />}
        {willFail(item) && <Warning text="will fail" />}
      </summary>
      {item.edited.length > 0 && <Edited things={item.edited} becomes={CONFLICT_WORDS[onConflict]} />}
      {changes.map((change) => (
        <Change {...change} />
      ))}
      <Issues issues={item.issues} />
    </details>
  );
}

function ItemKey({ itemKey }: { readonly itemKey: string }): JSX.Element {
  return (
    <code class="muted">
      <UntrustedText text={itemKey} />
    </code>
  );
}

function Warning({ text }: { readonly text: string }): JSX.Element {
  return (
    <>
      {" "}
      <strong class="warn">{text}</strong>
    </>
  );
}

function willFail({ issues }: PlannedItem): boolean {
  return issues.some(({ code }) => code === WILL_FAIL);
}

function Edited({ things, becomes }: { readonly things: readonly string[]; readonly becomes: string }): JSX.Element {
  return (
    <p class="warn">
      Edited on the target since guideferry last wrote it:{" "}
      {things.map((thing, at) => (
        <>
          {at > 0 && ", "}
          <code>
            <UntrustedText text={thing} />
          </code>
        </>
      ))}
      . {becomes}
    </p>
  );
}

const WHOLE = Number.POSITIVE_INFINITY;

function Change({ part, field, before, after, stays }: TextChange): JSX.Element {
  return (
    <>
      <h3>
        <UntrustedText text={part === "" ? field : `${part}: ${field}`} />
        {stays !== undefined && <Warning text={STAYS_WORDS[stays]} />}
      </h3>
      <pre class="side diff">
        {wordDiff(before, after).map((one) => (
          <Part {...one} />
        ))}
      </pre>
    </>
  );
}

function Part({ what, text }: DiffPart): JSX.Element {
  const words = <UntrustedLines text={text} longest={WHOLE} />;
  if (what === "same") return words;
  return what === "removed" ? <del>{words}</del> : <ins>{words}</ins>;
}

function Issues({ issues }: { readonly issues: readonly Issue[] }): JSX.Element | null {
  if (issues.length === 0) return null;
  return (
    <>
      <h3>Warnings</h3>
      <ul>
        {issues.map(({ level, path, message, remedy, takenInBy = null }) => (
          <li>
            <strong>{level}</strong>
            {path !== "" && (
              <>
                {" "}
                <code>
                  <UntrustedText text={path} />
                </code>
              </>
            )}
            : <UntrustedText text={message} longest={WHOLE} />
            {remedy !== undefined && (
              <span class="remedy">
                <UntrustedText text={remedy} longest={WHOLE} />
              </span>
            )}
            {takenInBy !== null && takenInBy !== "" && (
              <span class="remedy">
                To include this item:{" "}
                <code>
                  <UntrustedText text={takenInBy} />
                </code>
              </span>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
