import type { JSX } from "hono/jsx/jsx-runtime";
import { withCommas } from "../../core/util/printable-text.js";
import { codeMeaning, fieldInWords } from "../components/issue-words.js";
import { UntrustedLines, UntrustedText } from "../components/untrusted-text.js";
import { countWords } from "../components/words.js";
import { resultOf } from "./entries.js";
import type { RunReport } from "./run-report.js";
import { stageName } from "./stages.js";

/** Characters of a reason. */
const LONGEST_REASON = 2000;

/** `bad`: failed; `warn`: could be loaded; `plain`: intended, or not possible. */
type Weight = "bad" | "warn" | "plain";

const EDGES: Readonly<Record<Weight, string>> = { bad: " bad-edge", warn: " warn-edge", plain: "" };

interface FailureListProps extends Pick<RunReport, "failures"> {
  /** Default: none is known. */
  readonly titles?: RunReport["titles"];
  /** Default: `bad`. */
  readonly weight?: Weight;
  /** The filter that shows all of them in the list of entries; default: there is no such list. */
  readonly find?: string;
}

/** Failures or omissions by cause with the remedy of each. */
export function FailureList({ failures, titles = {}, weight = "bad", find }: FailureListProps): JSX.Element {
  if (failures.count === 0) return <p>No failures.</p>;
  // The live view would unfold again what its reader folded.
  const isReport = find !== undefined;
  return (
    <div class="stack">
      {failures.causes.map(({ reason, remedy, stages, count, keys }) => (
        <section class={`card cause${EDGES[weight]}`}>
          <h3>
            {countWords(count, "item")} ({stages.map(stageName).join(", ")})
          </h3>
          <pre class="words">
            <UntrustedLines text={reason} longest={LONGEST_REASON} />
          </pre>
          {remedy !== "" && (
            <p>
              <strong>What to do:</strong> <UntrustedText text={remedy} />
            </p>
          )}
          <details open={isReport && weight !== "plain" && count <= OPEN}>
            <summary>
              {count > keys.length ? `Show the first ${countWords(keys.length, "item")}` : "Show items"}
            </summary>
            <ul>
              {keys.map((key) => (
                <li>
                  <NamedItem itemKey={key} {...titles[key]} />
                </li>
              ))}
            </ul>
          </details>
          {isReport && count > keys.length && <FindAll filter={find} count={failures.count} />}
        </section>
      ))}
    </div>
  );
}

/** Shorter lists are not folded. */
const OPEN = 10;

/** A title without a page, or a page without a title: what was never read has no title. */
function NamedItem({ itemKey, title = "", address = null }: NamedItemProps): JSX.Element {
  const words = <UntrustedText text={title || itemKey} />;
  const isLink = address !== null && /^https?:\/\//i.test(address);
  return (
    <>
      {isLink ? (
        <a href={address} rel="noreferrer noopener">
          {words}
        </a>
      ) : (
        words
      )}
      {title !== "" && (
        <>
          {" "}
          <code class="muted">
            <UntrustedText text={itemKey} />
          </code>
        </>
      )}
    </>
  );
}

interface NamedItemProps {
  readonly itemKey: string;
  readonly title?: string;
  /** null: no page. */
  readonly address?: string | null;
}

/** A command line; `browser/rows.ts` adds a button that copies it. */
export function Command({ line }: { readonly line: string }): JSX.Element {
  return (
    <code class="command">
      <UntrustedText text={line} />
    </code>
  );
}

/** A link to all of them in the list of entries, which needs a script. */
export function FindAll({ filter, count }: { readonly filter: string; readonly count: number }): JSX.Element {
  return (
    <a class="find-all not-printed" href={`#find=${encodeURIComponent(filter)}`} hidden>
      Show {withCommas(count)} in the list
    </a>
  );
}

type LossGroup = RunReport["losses"][number];

/** Characters of a shown text. */
const LONGEST_TEXT = 4000;

/** Losses by kind, with the meaning of each code, and the texts of both sides of the first ones. */
export function LossList({ losses }: Pick<RunReport, "losses">): JSX.Element {
  return (
    <div class="card rows">
      {losses.map((group) => (
        <details>
          <summary>
            <span class="group">
              <strong>
                {group.kind}: <UntrustedText text={meaningOf(group)} longest={LONGEST_MEANING} />
              </strong>{" "}
              <code class="muted">
                <UntrustedText text={group.code} />
              </code>
            </span>
            <span class="num">{withCommas(group.count)}</span>
          </summary>
          {group.count > group.examples.length && (
            <p class="muted">
              First {group.examples.length} of {withCommas(group.count)}.{" "}
              <FindAll filter={filterOf(group)} count={group.count} />
            </p>
          )}
          <ol class="stack">{group.examples.map(Example)}</ol>
        </details>
      ))}
    </div>
  );
}

/** Characters of a message in place of the meaning of its code. */
const LONGEST_MEANING = 200;

/** Where no table explains a code, its first message does. */
function meaningOf({ code, examples: [first] }: LossGroup): string {
  return codeMeaning(code) || (first?.issue.message ?? "");
}

function filterOf({ kind, code, examples: [first] }: LossGroup): string {
  return `kind:${kind} code:${code}${first === undefined ? "" : ` result:${resultOf(first.issue)}`}`;
}

function Example({ issue, title, atSource, atTarget, unread }: LossGroup["examples"][number]): JSX.Element {
  return (
    <li>
      <p>
        {title !== "" && (
          <>
            <strong>
              <UntrustedText text={title} />
            </strong>{" "}
          </>
        )}
        <code>
          <UntrustedText text={issue.key} />
        </code>
        {issue.path !== "" && (
          <>
            {" "}
            <span class="muted">
              <UntrustedText text={fieldInWords(issue.path)} />
            </span>
          </>
        )}
        : <UntrustedText text={issue.message} />
        {issue.remedy !== undefined && (
          <>
            {" "}
            <em>
              <UntrustedText text={issue.remedy} />
            </em>
          </>
        )}
      </p>
      {unread !== null && (
        <p class="muted">
          The texts of this item cannot be shown. <UntrustedText text={unread} />
        </p>
      )}
      {(atSource !== null || atTarget !== null) && atSource !== atTarget && (
        <div class="sides">
          <Side name="Source" text={atSource} />
          <Side name="Target" text={atTarget} />
        </div>
      )}
    </li>
  );
}

function Side({ name, text }: { readonly name: string; readonly text: string | null }): JSX.Element {
  return (
    <div>
      <p class="side-name">{name}</p>
      {text === null ? (
        <p class="muted">none, or unknown</p>
      ) : (
        <pre class="words">
          <UntrustedLines text={text} longest={LONGEST_TEXT} />
        </pre>
      )}
    </div>
  );
}

/** Characters of a reason. */
const LONGEST_CAUSE = 4000;

export function Unread({ unread }: Pick<RunReport, "unread">): JSX.Element {
  return (
    <section class="card bad-edge" aria-labelledby="unread-title">
      <h2 id="unread-title">Missing from this page</h2>
      <ul>
        {unread.map((words) => (
          <li>
            <UntrustedLines text={words} longest={LONGEST_CAUSE} />
          </li>
        ))}
      </ul>
    </section>
  );
}
