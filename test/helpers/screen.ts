/**
 * A terminal's screen, as far as progress bars need one: what stands there after a text was written
 * to it.
 */
export interface Screen {
  write(text: string): void;
  /** Line by line, without spaces at their ends; rows that scrolled away too. */
  rows(): readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals obey.
const PIECES = /\u001b\[([0-9;?]*)([A-Za-z])|[\r\n]|[^\r\n\u001b]+/g;

/**
 * `columns`: what is longer goes on in the next row while lines may break, and is cut off while
 * they may not.
 */
export function createScreen(columns: number): Screen {
  const rows: string[] = [""];
  let [row, column, wraps] = [0, 0, true];
  const put = (text: string): void => {
    for (const sign of text) {
      if (column >= columns) {
        if (!wraps) column = columns - 1;
        else newRow();
      }
      const line = (rows[row] ?? "").padEnd(column);
      rows[row] = `${line.slice(0, column)}${sign}${line.slice(column + 1)}`;
      column += 1;
    }
  };
  const newRow = (): void => {
    row += 1;
    column = 0;
    rows[row] ??= "";
  };
  const obey: Readonly<Record<string, (given: string) => void>> = {
    A: (given) => {
      row = Math.max(0, row - Number(given || 1));
    },
    B: (given) => {
      row += Number(given || 1);
    },
    G: (given) => {
      column = Number(given || 1) - 1;
    },
    J: () => {
      rows[row] = (rows[row] ?? "").slice(0, column);
      rows.length = row + 1;
    },
    K: (given) => {
      rows[row] = given === "2" ? "" : (rows[row] ?? "").slice(0, column);
    },
    h: (given) => {
      wraps ||= given === "?7";
    },
    l: (given) => {
      wraps &&= given !== "?7";
    },
    m: () => undefined,
  };
  return {
    write: (text) => {
      for (const [piece, given = "", what] of text.matchAll(PIECES)) {
        if (piece === "\r") column = 0;
        else if (piece === "\n") newRow();
        else if (what === undefined) put(piece);
        else if (obey[what] === undefined) throw new Error(`this screen does not know ${JSON.stringify(piece)}`);
        else obey[what](given);
      }
    },
    rows: () => rows.map((line) => line.trimEnd()),
  };
}
