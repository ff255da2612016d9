import { stripVTControlCharacters } from "node:util";
import { columnsOf } from "./writer.js";

/** Lines at the end of a terminal's output that are drawn again in place. */
export interface LiveLines {
  /** Draws them now, unless they were drawn just before; then soon. */
  update(): void;
  /** Writes a text above them. */
  above(text: string): void;
  isDrawn(): boolean;
  /** Draws them a last time. They stay where they are. */
  end(): void;
}

type Terminal = NodeJS.WritableStream & { readonly columns?: number; readonly rows?: number };

const ESCAPE = "\u001b[";
const CLEAR_BELOW = `${ESCAPE}J`;
/** A line that is too wide, such as one with wide characters, is cut off and not broken. */
const [NO_WRAP, WRAP] = [`${ESCAPE}?7l`, `${ESCAPE}?7h`];

/** Milliseconds between two draws, and between two without news: the time goes on. */
const DRAW_EVERY = 100;
const TICK = 500;
/** Lines of a terminal that does not tell its height. */
const HEIGHT = 24;

/** `lines`: those to draw now, at most `rows` of them, each shorter than `columns`. */
export function createLiveLines(
  stream: Terminal,
  lines: (columns: number, rows: number) => readonly string[],
): LiveLines {
  let drawn: readonly string[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  /** Above the first line. A terminal that became narrower has broken lines into several rows. */
  const back = (): string => {
    if (drawn.length === 0) return "";
    const columns = columnsOf(stream);
    const rows = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
    return `\r${ESCAPE}${rows}A${CLEAR_BELOW}`;
  };
  const draw = (text = ""): void => {
    const [columns, rows] = [columnsOf(stream), stream.rows ?? HEIGHT];
    // The row of the cursor is below them.
    const now = lines(columns, Math.max(1, rows - 1));
    // One write, so that no other output comes between.
    stream.write(`${back()}${text}${NO_WRAP}${now.map((line) => `${line}\n`).join("")}${WRAP}`);
    drawn = now.map((line) => stripVTControlCharacters(line));
    drawnAt = performance.now();
  };
  return {
    update: () => {
      timer ??= setInterval(draw, TICK).unref();
      if (performance.now() - drawnAt >= DRAW_EVERY) draw();
    },
    above: (text) => draw(text),
    isDrawn: () => drawn.length > 0,
    end: () => {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      draw();
      drawn = [];
    },
  };
}
