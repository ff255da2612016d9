import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, ForeignLines } from "../../components/foreign.js";
import { numberWords } from "../../components/numbers.js";
import type { RunReport } from "../run-report.js";

type LossGroup = RunReport["losses"][number];

/** Of a text that is shown. */
const LONGEST = 4000;

/** What could not be carried, by kind, the first of each with the texts of both sides. */
export function LossList({ losses }: Pick<RunReport, "losses">): JSX.Element {
  if (losses.length === 0) return <p>Nothing was lost on the way.</p>;
  return (
    <div class="card rows">
      {losses.map((group) => (
        <details>
          <summary>
            <strong>
              {group.kind}: <Foreign text={group.code} />
            </strong>{" "}
            <span class={`chip is-${group.level}`}>{group.level}</span>{" "}
            <span class="num">{numberWords(group.count)}</span>
          </summary>
          {group.count > group.examples.length && (
            <p class="muted">
              The first {group.examples.length}; <code>losses.ndjson</code> beside this page has all.
            </p>
          )}
          <ol class="stack">{group.examples.map(Example)}</ol>
        </details>
      ))}
    </div>
  );
}

function Example({ issue, title, atSource, atTarget, unread }: LossGroup["examples"][number]): JSX.Element {
  return (
    <li>
      <p>
        {title !== "" && (
          <>
            <strong>
              <Foreign text={title} />
            </strong>{" "}
          </>
        )}
        <code>
          <Foreign text={issue.key} />
        </code>
        {issue.path !== "" && (
          <>
            {" "}
            <code>
              <Foreign text={issue.path} />
            </code>
          </>
        )}
        : <Foreign text={issue.message} />
        {issue.remedy !== undefined && (
          <>
            {" "}
            <em>
              <Foreign text={issue.remedy} />
            </em>
          </>
        )}
      </p>
      {unread !== null && (
        <p class="muted">
          Its texts can't be shown. <Foreign text={unread} />
        </p>
      )}
      {(atSource !== null || atTarget !== null) && atSource !== atTarget && (
        <div class="sides">
          <Side name="At the source" text={atSource} />
          <Side name="At the target" text={atTarget} />
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
        <p class="muted">not there, or not known</p>
      ) : (
        <pre class="words">
          <ForeignLines text={text} longest={LONGEST} />
        </pre>
      )}
    </div>
  );
}
