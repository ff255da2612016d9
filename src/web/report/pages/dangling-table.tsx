import type { JSX } from "hono/jsx/jsx-runtime";
import { Foreign } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/numbers.js";
import { Table } from "../../components/table.js";
import type { RunReport } from "../run-report.js";

/** References that could not point home. */
export function DanglingTable({ dangling: { count, first } }: Pick<RunReport, "dangling">): JSX.Element {
  return (
    <details class="card">
      <summary>Each with where it stands</summary>
      {count > first.length && (
        <p class="muted">
          The first {numberWords(first.length)} of {countWords(count, "reference")}.
        </p>
      )}
      <Table
        label="References without a goal"
        head={["Where", "What"]}
        rows={first.map(({ from, title, to }) => [
          <>
            <Foreign text={title} />{" "}
            <code>
              <Foreign text={from} />
            </code>
          </>,
          <Foreign text={to} />,
        ])}
      />
    </details>
  );
}
