import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

export interface TableProps {
  /** What it holds, for who can't see it whole. */
  readonly label: string;
  readonly head: readonly Child[];
  readonly rows: readonly (readonly Child[])[];
  /** Columns, from 0, that hold numbers. Default: none. */
  readonly numbers?: readonly number[];
}

/** A table that scrolls by itself on small screens. The first cell of a row names it. */
export function Table({ label, head, rows, numbers = [] }: TableProps): JSX.Element {
  const classOf = (column: number): string | undefined => (numbers.includes(column) ? "num" : undefined);
  return (
    // What scrolls has to be reached with the keyboard.
    <section class="wide" tabindex={0} aria-label={`${label} (table)`}>
      <table class="table">
        <thead>
          <tr>
            {head.map((cell, column) => (
              <th scope="col" class={classOf(column)}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell, column) =>
                column === 0 ? <th scope="row">{cell}</th> : <td class={classOf(column)}>{cell}</td>,
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
