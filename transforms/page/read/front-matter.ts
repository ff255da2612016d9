import { type Reading, tellAt } from "../../markdown/reading.js";
import { heading } from "../../wiki/build.js";
import { text } from "../../wiki/build-inlines.js";
import type { PagePiece } from "./page-source.js";

const FRONT = /^---[ \t]*\r?\n([\s\S]{0,20000}?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/;

/** What stands before many pages for the programs that publish them; in its place blanks, so that all others stay where they are. */
export function frontMatterOf(markdown: string): { readonly front: string | undefined; readonly body: string } {
  const [found, front] = FRONT.exec(markdown) ?? [];
  const isOne = found !== undefined && front !== undefined && /^[\w-]+[ \t]*:/.test(front.trimStart());
  if (!isOne) return { front: undefined, body: markdown };
  return { front, body: found.replace(/[^\r\n]/g, " ") + markdown.slice(found.length) };
}

/** The title of a page that has it there and in no heading at the top (`top`: what that says); all else there is told. */
export function frontPieces(
  front: string | undefined,
  top: string | undefined,
  reading: Reading,
): readonly PagePiece[] {
  if (front === undefined) return [];
  const lines = front.split(/\r?\n/);
  const said = lines.map(titleIn).find((each) => each !== undefined);
  const title = top === undefined ? said : undefined;
  const others = lines.filter((line) => /^[\w-]+[ \t]*:/.test(line) && ![top, title].includes(titleIn(line) ?? line));
  const tell = tellAt(reading, { type: "root" });
  if (others.length > 0) {
    const message = `Of what stands before the page only the title is read; this is left out: ${others.join(", ").slice(0, 200)}.`;
    tell("front-matter", "loss", message);
  }
  if (title === undefined) return [];
  return [{ type: "block", draft: { block: heading(1, [text(title)]), tell } }];
}

function titleIn(line: string): string | undefined {
  const value = /^title[ \t]*:[ \t]*(.+)$/i.exec(line)?.[1]?.trim();
  return value?.replace(/^(["'])(.*)\1$/, "$2") || undefined;
}
