import type { JSX } from "hono/jsx/jsx-runtime";
import { type Issue, isLeftOut } from "../core/model/issue.js";
import { withCommas } from "../core/util/printable-text.js";
import type { PlannedAction, PlannedItem } from "../sync/load/planned-item.js";
import { CONFLICT_WORDS, type ShownItem, STAYS_WORDS, type TextChange, WILL_FAIL } from "../sync/plan/draft.js";
import type { LargePlan } from "../sync/plan/plan.js";
import { fieldInWords, isActionable } from "./components/issue-words.js";
import { wholePage } from "./components/page-frame.js";
import { TypedWords } from "./components/two-columns.js";
import { UntrustedLines, UntrustedText } from "./components/untrusted-text.js";
import { countWords } from "./components/words.js";
import { signOf } from "./report/failures.js";
import { BothSites, Fact, Totals } from "./report/run-head.js";

interface PlanTitle {
  /** ISO 8601, UTC. */
  readonly madeAt: string;
}

/** Sections that need a decision come first. */
const SECTIONS: readonly (readonly [PlannedAction, title: string, tile: string])[] = [
  ["refuse", "Refused", "Refused"],
  ["delete", "Delete on the target", "To delete"],
  ["change", "Change", "To change"],
  ["adopt", "Link to existing items", "To link"],
  ["create", "Create", "To create"],
  ["gone", "Deleted at the source, kept on the target", "Kept, deleted at the source"],
  ["leave", "Unchanged", "Unchanged"],
];
/** Items that are shown unfolded. */
const OPEN = 100;

/**
 * A plan as a self-contained page in pieces, for the person who approves it; memory holds one item,
 * and the titles of refused items.
 */
export function* htmlPlan(plan: LargePlan, { madeAt }: PlanTitle): Generator<string> {
  const sections = SECTIONS.filter(([action]) => plan.counts[action] > 0);
  const { before, after } = wholePage(`Plan: ${plan.job.source.name} to ${plan.job.survey.identity.name}`);
  yield before;
  yield `${<Head plan={plan} madeAt={madeAt} />}\n`;
  yield '<nav aria-label="Contents" class="not-printed"><h2>Contents</h2><ul class="outline">\n';
  for (const [action, title] of sections) yield* contents(plan, action, title);
  yield '<li><a href="#approval">Approval</a></li></ul></nav>\n';
  const isOpen = sections.reduce((sum, [action]) => sum + (action === "leave" ? 0 : plan.counts[action]), 0) <= OPEN;
  for (const [action, title] of sections) {
    yield `<section id="${action}">${<SectionHead title={title} count={plan.counts[action]} />}\n`;
    if (action === "leave") yield* names(plan);
    else if (action === "refuse") yield* refusals(plan);
    else
      for (const [at, shown] of numbered(plan.shown(action)))
        yield `${<PlannedChange {...shown} id={`${action}-${at}`} isOpen={isOpen} onConflict={plan.job.options.onConflict} />}\n`;
    yield "</section>\n";
  }
  yield String(<Approval plan={plan} madeAt={madeAt} />);
  yield after;
}

interface HeadProps extends PlanTitle {
  readonly plan: LargePlan;
}

function Head({ plan, madeAt }: HeadProps): JSX.Element {
  const { counts, requests, job } = plan;
  const [source, target] = [job.source, job.survey.identity];
  const tiles = SECTIONS.map(([action, _title, name]) => ({
    name,
    value: counts[action],
    part: action,
    isBad: action === "delete" && counts.delete > 0,
    isWarning: action === "refuse" && counts.refuse > 0,
  })).filter(({ part, value }) => value > 0 || ALWAYS_COUNTED.has(part));
  return (
    <header class="report-head">
      <p class="muted">guideferry plan: nothing has been written</p>
      <BothSites source={source} target={target} />
      <dl class="facts">
        <Fact name="Created">
          <time datetime={madeAt}>{momentOf(madeAt)}</time>
        </Fact>
        <Fact name="Source">
          <UntrustedText text={source.root} />
        </Fact>
        <Fact name="Target">
          <UntrustedText text={target.root} />
        </Fact>
      </dl>
      <Totals totals={[...tiles, { name: requests === 1 ? "Write request" : "Write requests", value: requests }]} />
      <p class="legend-line">
        The left column shows the target now, with <del class="went">removed words</del>. The right column shows it
        after the load, with <ins class="came">added words</ins>. ‹guide/12› means a new item: the target assigns its id
        when the load creates it.
      </p>
    </header>
  );
}

/** Tiles that show a 0 too. */
const ALWAYS_COUNTED: ReadonlySet<PlannedAction> = new Set(["create", "change", "refuse"]);

/** `2026-11-20 03:00:00 UTC` */
function momentOf(time: string): string {
  return `${time.slice(0, 19).replace("T", " ")} UTC`;
}

/** Lines to fill in on paper. */
function Approval({ plan: { counts, requests, job }, madeAt }: HeadProps): JSX.Element {
  const { create, change, adopt, refuse } = counts;
  const parts = [
    `${countWords(create, "item")} to create`,
    `${withCommas(change)} to change`,
    `${withCommas(adopt)} to link`,
    `${withCommas(counts.delete)} to delete`,
    `${withCommas(refuse)} refused`,
  ];
  return (
    <section id="approval" class="approval" aria-labelledby="approval-title">
      <h2 id="approval-title">Approval</h2>
      <p>
        I approve the plan of {momentOf(madeAt)} for <UntrustedText text={job.survey.identity.name} />:{" "}
        {parts.join(", ")}, with {countWords(requests, "write request")}.
      </p>
      <dl class="signature">
        {["Name", "Date", "Signature"].map((name) => (
          <div>
            <dt>{name}</dt>
            <dd />
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Refused items with one cause and one remedy. */
interface Refusal {
  readonly reason: string;
  readonly remedy: string;
  /** See Issue; null: no option. */
  readonly takenInBy: string | null;
  readonly items: { readonly title: string; readonly key: string; readonly place: string; readonly message: string }[];
}

function* refusals(plan: LargePlan): Generator<string> {
  const groups = new Map<string, Refusal>();
  for (const { item } of plan.shown("refuse")) {
    const issue = item.issues.find(isLeftOut) ?? item.issues.find(({ level }) => level === "error") ?? item.issues[0];
    const { message = "", remedy = "", takenInBy = null, path = "" } = issue ?? {};
    const sign = `${takenInBy} ${signOf(message)}`;
    const group = groups.get(sign) ?? { reason: message, remedy, takenInBy: takenInBy || null, items: [] };
    groups.set(sign, group);
    group.items.push({ title: item.title, key: item.key, place: fieldInWords(path), message });
  }
  for (const group of groups.values()) yield `${<RefusalGroup {...group} />}\n`;
}

function RefusalGroup({ reason, remedy, takenInBy, items }: Refusal): JSX.Element {
  const isSame = items.every(({ message }) => message === reason);
  return (
    <section class="card cause warn-edge">
      <h3>{countWords(items.length, "item")}</h3>
      {isSame && <p>{<UntrustedText text={reason} longest={WHOLE} />}</p>}
      {remedy !== "" && (
        <p>
          <strong>What to do:</strong> <UntrustedText text={remedy} longest={WHOLE} />
        </p>
      )}
      {takenInBy !== null && (
        <p>
          <strong>To include {items.length === 1 ? "this item" : "these items"}:</strong>{" "}
          <code>
            <UntrustedText text={takenInBy} />
          </code>
        </p>
      )}
      <ul class="refused">
        {items.map(({ title, key, place, message }) => (
          <li>
            <NamedItem title={title} itemKey={key} />
            {place !== "" && <span class="muted">, {place}</span>}
            {!isSame && (
              <span class="remedy">
                <UntrustedText text={message} longest={WHOLE} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function SectionHead({ title, count }: { readonly title: string; readonly count: number }): JSX.Element {
  return (
    <h2>
      {title} ({withCommas(count)})
    </h2>
  );
}

function* contents(plan: LargePlan, action: PlannedAction, title: string): Generator<string> {
  yield `<li>${<a href={`#${action}`}>{title}</a>} (${withCommas(plan.counts[action])})`;
  // The section itself is such a list.
  if (action !== "leave" && action !== "refuse") {
    yield "<details><summary>Show items</summary><ol>\n";
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
  for (const { item } of plan.shown("leave")) yield `<li>${<NamedItem title={item.title} itemKey={item.key} />}</li>\n`;
  yield "</ul></details>\n";
}

function NamedItem({ title, itemKey }: { readonly title: string; readonly itemKey: string }): JSX.Element {
  return (
    <>
      <UntrustedText text={title} /> <ItemKey itemKey={itemKey} />
    </>
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
        <UntrustedText text={part === "" ? capital(field) : `${capital(part)}: ${field}`} />
        {stays !== undefined && <Warning text={STAYS_WORDS[stays]} />}
      </h3>
      {before === "" && stays === undefined ? (
        <div class="side new">
          <p class="diff" dir="auto">
            <UntrustedLines text={after} longest={WHOLE} />
          </p>
        </div>
      ) : (
        <TypedWords before={before} after={after} longest={WHOLE} />
      )}
    </>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a person can act on, and below it, folded, what no call of the service sets. */
function Issues({ issues }: { readonly issues: readonly Issue[] }): JSX.Element | null {
  const isLost = (issue: Issue): boolean => issue.level === "loss" && !isLeftOut(issue) && !isActionable(issue);
  const [lost, others] = [issues.filter(isLost), issues.filter((issue) => !isLost(issue))];
  return (
    <>
      {others.length > 0 && <h3>Warnings</h3>}
      <IssueList issues={others} />
      {lost.length > 0 && (
        <details class="unsupported">
          <summary>Not supported by the service: {countWords(lost.length, "value")}</summary>
          <IssueList issues={lost} />
        </details>
      )}
    </>
  );
}

function IssueList({ issues }: { readonly issues: readonly Issue[] }): JSX.Element | null {
  if (issues.length === 0) return null;
  return (
    <ul>
      {issues.map(({ level, path, message, remedy, takenInBy = null }) => (
        <li>
          <strong>{level}</strong>
          {path !== "" && (
            <span class="muted">
              {" "}
              <UntrustedText text={fieldInWords(path)} />
            </span>
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
  );
}
