import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, ForeignLines } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/numbers.js";
import type { RunReport } from "../run-report.js";

/** Longer than any reason that a person should read on a page. */
const LONGEST = 2000;

/** `bad`: it failed; `warn`: it could go; `plain`: as somebody wanted it, or nobody can do anything about it. */
type Weight = "bad" | "warn" | "plain";

const EDGES: Readonly<Record<Weight, string>> = { bad: " bad-edge", warn: " warn-edge", plain: "" };

/** What failed, or was not done, by cause, with what to do about each. `weight`: default `bad`. */
export function FailureList({
  failures,
  weight = "bad",
}: Pick<RunReport, "failures"> & { readonly weight?: Weight }): JSX.Element {
  if (failures.count === 0) return <p>Nothing failed.</p>;
  return (
    <div class="stack">
      {failures.causes.map(({ reason, remedy, stages, count, keys }) => (
        <section class={`card cause${EDGES[weight]}`}>
          <h3>
            {countWords(count, "item")} ({stages.join(", ")})
          </h3>
          <pre class="words">
            <ForeignLines text={reason} longest={LONGEST} />
          </pre>
          {remedy !== "" && (
            <p>
              <strong>What to do:</strong> <Foreign text={remedy} />
            </p>
          )}
          <details>
            <summary>{count > keys.length ? `The first ${numberWords(keys.length)} of them` : "Which"}</summary>
            <ul>
              {keys.map((key) => (
                <li>
                  <code>
                    <Foreign text={key} />
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
