import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";

interface TableProps {
  /** The accessible name. */
  readonly label: string;
  readonly head: readonly Child[];
  readonly rows: readonly (readonly Child[])[];
  /** Columns, from 0, that hold numbers. Default: none. */
  readonly numbers?: readonly number[];
  /** On small screens rows are blocks with the heads as labels. Default: false, it scrolls. */
  readonly stacked?: boolean;
}

/** Scrolls by itself on small screens. The first cell of a row is its header. */
export function Table({ label, head, rows, numbers = [], stacked = false }: TableProps): JSX.Element {
  const labelOf = (column: number): Child => (stacked ? head[column] : undefined);
  const classOf = (column: number): string | undefined => (numbers.includes(column) ? "num" : undefined);
  return (
    // Scrollable areas must be reachable with the keyboard.
    <section class="wide" tabindex={0} aria-label={`${label} (table)`}>
      <table class={stacked ? "table stacked" : "table"}>
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
                column === 0 ? (
                  <th scope="row">{cell}</th>
                ) : (
                  <td class={classOf(column)} data-label={labelOf(column)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Lines of 1.75 in a field of 24 by 24. */
const PATHS = {
  alert: "M12 4 2.5 20h19L12 4zM12 10v4.5M12 17.4v.1",
  back: "M15 5l-7 7 7 7",
  book: "M4 5.5A2.5 2.5 0 0 1 6.5 3H20v15H6.5A2.5 2.5 0 0 0 4 20.5zM4 20.5A1.5 1.5 0 0 0 5.5 21H20v-3",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3.5 2",
  close: "M6 6l12 12M18 6 6 18",
  compare: "M9 4v16M15 4v16M4 7h5M4 12h5M4 17h5M15 7h5M15 12h5M15 17h5",
  download: "M12 4v11M7 11l5 5 5-5M5 20h14",
  file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  film: "M4 5h16v14H4zM10 9.2v5.6l4.6-2.8z",
  folder: "M3 6h6l2 2.5h10V19H3z",
  guide: "M5 3h14v18H5zM9 8h6M9 12h6M9 16h4",
  history: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5M12 8v4.4l3 1.8",
  home: "M4 11l8-7 8 7M6 10v10h12V10",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5.5M12 7.6v.1",
  list: "M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  menu: "M4 7h16M4 12h16M4 17h16",
  message: "M4 5h16v11H10l-4 4v-4H4z",
  outside: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 2.5-2.5L20 16M15.5 9.5v.01",
  pin: "M9 3h6l-1 7 3.5 3.5h-11L10 10zM12 13.5V21",
  print: "M7 9V3h10v6M7 17H4V9h16v8h-3M7 13.5h10V21H7z",
  search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20.5 20.5",
  tag: "M4 4h8l8.5 8.5-8 8L4 12zM8.5 8.5v.01",
  world: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5.5 5 12.5 0 18M12 3c-5 5.5-5 12.5 0 18",
} as const;

export type IconName = keyof typeof PATHS;

/** Decorative: the text next to it has the same meaning. */
export function Icon({ name }: { readonly name: IconName }): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
