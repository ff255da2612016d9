import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign, ForeignLines } from "../../pages/foreign.js";
import { countWords, numberWords } from "../../pages/numbers.js";
import type { RunReport } from "../run-report.js";

/** Longer than any reason that a person should read on a page. */
const LONGEST = 2000;

/** What failed, by cause, with what to do about each. `isBad`: it is no failure where it is false, but as somebody wanted it. Default: true. */
export function FailureList({
  failures,
  isBad = true,
}: Pick<RunReport, "failures"> & { readonly isBad?: boolean }): JSX.Element {
  if (failures.count === 0) return <p>Nothing failed.</p>;
  return (
    <div class="stack">
      {failures.causes.map(({ reason, remedy, stages, count, keys }) => (
        <section class={isBad ? "card cause bad-edge" : "card cause"}>
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
