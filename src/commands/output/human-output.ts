import { createRequire } from "node:module";
import type { Output, OutputOptions } from "./output.js";
import { printable } from "./printable.js";
import { createProgressDisplay } from "./progress-display.js";
import { createQuietEnd } from "./quiet-end.js";
import type { Writer } from "./writer.js";

const require = createRequire(import.meta.url);

/** Results on stdout, everything else on stderr, progress bars on a terminal. */
export function humanOutput(options: OutputOptions, out: Writer, stderr: Writer): Output {
  const error = options.dated && !stderr.terminal ? stderr.dated(() => new Date()) : stderr;
  const display = createProgressDisplay(options.progress && !options.quiet, error);
  const result = (text: string): void => {
    if (options.quiet) return;
    // Where both streams are one screen, results that come while bars are up would tear them.
    if (out.terminal && display.isDrawn()) display.line(text);
    else out.line(text);
  };
  const warn = (text: string): void => display.line(text, { style: "yellow", text: "warning:" });
  return {
    say: result,
    table: (head, rows) => result(tableOf(head, rows)),
    event: options.quiet ? createQuietEnd(warn) : () => undefined,
    note: (text) => {
      if (!options.quiet) display.line(text);
    },
    warn,
    request: (text) => {
      if (options.verbose) display.line(text);
    },
    progress: (event) => {
      if (!options.quiet) display.show(event);
    },
    watch: display.watch,
    fail: (text) => display.line(text, { style: "red", text: "error:" }),
    stopped: (text) => display.line(text),
    close: () => display.close(),
  };
}

/** Without colours and lines: it must read well in a log and through a pipe. */
function tableOf(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  // Loaded with the first table, since most runs print none and loading it delays the start.
  const Table: typeof import("cli-table3") = require("cli-table3");
  const numeric = head.map((_name, column) => rows.length > 0 && rows.every((row) => typeof row[column] === "number"));
  const table = new Table({
    head: [...head],
    colAligns: numeric.map((right) => (right ? "right" : "left")),
    chars: NO_LINES,
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  });
  // Before it is laid out, so that the columns stand below each other.
  table.push(...rows.map((row) => row.map((cell) => (typeof cell === "string" ? printable(cell) : cell))));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

const NO_LINES = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
};
