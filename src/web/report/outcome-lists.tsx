import type { JSX } from "hono/jsx/jsx-runtime";
import { Table } from "../components/elements.js";
import { UntrustedLines, UntrustedText } from "../components/untrusted-text.js";
import { countWords, numberWords } from "../components/words.js";
import type { RunReport } from "./run-report.js";

/** Characters of a reason. */
const LONGEST_REASON = 2000;

/** `bad`: failed; `warn`: could be loaded; `plain`: intended, or not possible. */
type Weight = "bad" | "warn" | "plain";

const EDGES: Readonly<Record<Weight, string>> = { bad: " bad-edge", warn: " warn-edge", plain: "" };

/** Failures or omissions by cause with the remedy of each. `weight`: default `bad`. */
export function FailureList({
  failures,
  weight = "bad",
}: Pick<RunReport, "failures"> & { readonly weight?: Weight }): JSX.Element {
  if (failures.count === 0) return <p>No failures.</p>;
  return (
    <div class="stack">
      {failures.causes.map(({ reason, remedy, stages, count, keys }) => (
        <section class={`card cause${EDGES[weight]}`}>
          <h3>
            {countWords(count, "item")} ({stages.join(", ")})
          </h3>
          <pre class="words">
            <UntrustedLines text={reason} longest={LONGEST_REASON} />
          </pre>
          {remedy !== "" && (
            <p>
              <strong>What to do:</strong> <UntrustedText text={remedy} />
            </p>
          )}
          <details>
            <summary>
              {count > keys.length ? `Show the first ${countWords(keys.length, "item")}` : "Show items"}
            </summary>
            <ul>
              {keys.map((key) => (
                <li>
                  <code>
                    <UntrustedText text={key} />
                  </code>
                </li>
              ))}
            </ul>
          </details>
        </section>
      ))}
    </div>
  );
}

type LossGroup = RunReport["losses"][number];

/** Characters of a shown text. */
const LONGEST_TEXT = 4000;

/** Losses by kind, with the texts of both sides of the first ones. */
export function LossList({ losses }: Pick<RunReport, "losses">): JSX.Element {
  if (losses.length === 0) return <p>No values were lost.</p>;
  return (
    <div class="card rows">
      {losses.map((group) => (
        <details>
          <summary>
            <strong>
              {group.kind}: <UntrustedText text={group.code} />
              <FirstMessage {...group} />
            </strong>{" "}
            <span class={`chip is-${group.level}`}>{group.level}</span>{" "}
            <span class="num">{numberWords(group.count)}</span>
          </summary>
          {group.count > group.examples.length && (
            <p class="muted">
              First {group.examples.length} of {numberWords(group.count)}. The file <code>losses.ndjson</code> next to
              this page lists all.
            </p>
          )}
          <ol class="stack">{group.examples.map(Example)}</ol>
        </details>
      ))}
    </div>
  );
}

/** Characters of a message next to its code. */
const LONGEST_MESSAGE = 200;

/** Explains the code of a group, which stays folded. */
function FirstMessage({ examples: [first] }: LossGroup): JSX.Element | null {
  if (first === undefined) return null;
  return (
    <span class="first-message">
      <UntrustedText text={first.issue.message} longest={LONGEST_MESSAGE} />
    </span>
  );
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
            <code>
              <UntrustedText text={issue.path} />
            </code>
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
          The texts of this item can't be shown. <UntrustedText text={unread} />
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

export function DanglingTable({ dangling: { count, first } }: Pick<RunReport, "dangling">): JSX.Element {
  return (
    <details class="card">
      <summary>Show locations</summary>
      {count > first.length && (
        <p class="muted">
          First {numberWords(first.length)} of {countWords(count, "link")}.
        </p>
      )}
      <Table
        label="Broken links"
        head={["Location", "Problem"]}
        rows={first.map(({ from, title, to }) => [
          <>
            <UntrustedText text={title} />{" "}
            <code>
              <UntrustedText text={from} />
            </code>
          </>,
          <UntrustedText text={to} />,
        ])}
      />
    </details>
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
