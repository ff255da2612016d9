/** A shell block of a page of the docs. */
export interface Block {
  /** The line of the page where it begins, from 1. */
  readonly line: number;
  readonly commands: string;
  /** The exit status of its last command: `sh exit=3`. Default 0. */
  readonly exit: number;
  /** What the page shows as its output: the `text` block right behind it. null where it shows none. */
  readonly output: string | null;
  /** Why it is not run: `<!-- not run: REASON -->` above it. null where it is run. */
  readonly notRun: string | null;
  /** In a comment of the page (`<!-- run: … -->`): what somebody else does meanwhile. Readers don't see it. */
  readonly hidden: boolean;
}

const BLOCK =
  /(?:<!-- not run: ([^>]*?) -->\n)?^( *)```(\w+)(?: exit=(\d+))?\n([\s\S]*?)^\2```$|<!-- run:\s([\s\S]*?)-->/gm;

/**
 * The shell blocks of a page, from top to bottom. A `text` block belongs to the `sh` block that it
 * follows with nothing but blank lines between.
 */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let end = 0;
  for (const match of page.matchAll(BLOCK)) {
    const [whole, notRun = null, indent = "", language, exit = "0", body = "", hiddenBody] = match;
    const text = body.replaceAll(new RegExp(`^${indent}`, "gm"), "");
    const last = blocks.at(-1);
    if (language === "text" && last !== undefined && page.slice(end, match.index).trim() === "")
      blocks[blocks.length - 1] = { ...last, output: text };
    else if (hiddenBody !== undefined || language === "sh")
      blocks.push({
        line: page.slice(0, match.index).split("\n").length,
        commands: hiddenBody ?? text,
        exit: Number(exit),
        output: null,
        notRun,
        hidden: hiddenBody !== undefined,
      });
    end = language === "sh" ? match.index + whole.length : 0;
  }
  return blocks;
}

/** What differs from run to run, as a pattern and the word that takes its place. */
const CHANGING: readonly (readonly [RegExp, string])[] = [
  [/\d{8}T\d{6}-[0-9a-f]{6}/g, "RUN"],
  [/\d{8}T\d{6}Z/g, "SNAPSHOT"],
  [/\d{4}-\d\d-\d\d(?:T| |, )\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?/g, "TIME"],
  [/\d{4}-\d\d-\d\d/g, "DATE"],
  [/\b[0-9a-f]{8,64}\b/g, "HASH"],
  [/\b\d+(?:[.,]\d+)? (?:ms|s|min|seconds?|minutes?)\b/g, "DURATION"],
  [/\b\d+(?:[.,]\d+)*(?: of \d+)?\/s\b/g, "PACE"],
  [/\b\d+(?:\.\d+)? (?:bytes|kB|MB)\b/g, "SIZE"],
  [/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT"],
  [/ +$/gm, ""],
];

/**
 * Does the output match what the page shows? Times, ids of runs and snapshots, hashes, durations
 * and sizes may differ. A line of the page that is `…` stands for any lines, and `…` in a line for
 * any text.
 */
export function isShown(shown: string, output: string): boolean {
  const lines = stable(shown).trim().split("\n");
  const pattern = lines.map((line) => (line.trim() === "…" ? "(?:.*\\n)*?" : `${linePattern(line)}\\n`)).join("");
  return new RegExp(`^${pattern}$`).test(`${stable(output).trim()}\n`);
}

/** The text with a fixed word for each thing that differs from run to run. */
export function stable(text: string): string {
  return CHANGING.reduce((result, [pattern, word]) => result.replaceAll(pattern, word), text);
}

function linePattern(line: string): string {
  return line
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
}
