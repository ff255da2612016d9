import type { JSX } from "hono/jsx/jsx-runtime";
import type { Issue } from "../../core/model/issue.js";
import { Foreign, ForeignLines } from "../components/foreign.js";
import { countWords } from "../components/numbers.js";
import { WILL_FAIL } from "../../sync/plan-issues.js";
import type { PlannedItem } from "../../sync/planned-item.js";
import { CONFLICT_WORDS, STAYS_WORDS } from "../../sync/plan/conflict-words.js";
import type { ShownItem, TextChange } from "../../sync/plan/text-change.js";
import { type DiffPart, wordDiff } from "./word-diff.js";

export interface PlannedChangeProps extends ShownItem {
  /** Where links lead to it. */
  readonly id: string;
  readonly isOpen: boolean;
  readonly onConflict: keyof typeof CONFLICT_WORDS;
}

/** One thing of a plan, with each text that would change. What is signed is shown whole, however long. */
export function PlannedChange({ item, changes, id, isOpen, onConflict }: PlannedChangeProps): JSX.Element {
  const because = item.because;
  return (
    <details class="card planned" id={id} open={isOpen}>
      <summary>
        <strong>
          <Foreign text={item.title} />
        </strong>{" "}
        <ItemKey itemKey={item.key} />
        <span class="muted">
          {item.requests > 0 && `, ${countWords(item.requests, "write")}`}
          {because !== null && (
            <>
              , <Foreign text={because} />
            </>
          )}
        </span>
        {item.edited.length > 0 && <Warning text="edited there" />}
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

/** The key of an item, which may hold words of a site. */
export function ItemKey({ itemKey }: { readonly itemKey: string }): JSX.Element {
  return (
    <code class="muted">
      <Foreign text={itemKey} />
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
      Somebody edited it at the target since guideferry last wrote it:{" "}
      {things.map((thing, at) => (
        <>
          {at > 0 && ", "}
          <code>
            <Foreign text={thing} />
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
        <Foreign text={part === "" ? field : `${part}: ${field}`} />
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
  const words = <ForeignLines text={text} longest={WHOLE} />;
  if (what === "same") return words;
  return what === "gone" ? <del>{words}</del> : <ins>{words}</ins>;
}

function Issues({ issues }: { readonly issues: readonly Issue[] }): JSX.Element | null {
  if (issues.length === 0) return null;
  return (
    <>
      <h3>What to know</h3>
      <ul>
        {issues.map(({ level, path, message }) => (
          <li>
            <strong>{level}</strong>
            {path !== "" && (
              <>
                {" "}
                <code>
                  <Foreign text={path} />
                </code>
              </>
            )}
            : <Foreign text={message} longest={WHOLE} />
          </li>
        ))}
      </ul>
    </>
  );
}
