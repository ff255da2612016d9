import { embed, paragraph } from "../wiki/build.js";
import { text } from "../wiki/build-inlines.js";
import type { Block, GuideList, Inline, Video } from "../wiki/tree.js";
import { blanksAtEnd, blanksAtStart, isBlank } from "./blanks.js";

/** Running text as blocks: videos and lists of guides, which the site shows as blocks of their own, stand between paragraphs. */
export function mediaApart(inlines: readonly Inline[]): readonly Block[] {
  if (!inlines.some(isMedia)) return paragraphOf(inlines);
  const blocks: Block[] = [];
  let from = 0;
  inlines.forEach((inline, at) => {
    if (!isMedia(inline)) return;
    blocks.push(...paragraphOf(trimmed(inlines.slice(from, at))), embed(inline));
    from = at + 1;
  });
  return [...blocks, ...paragraphOf(trimmed(inlines.slice(from)))];
}

/** Without the blanks beside a block, which are spacing. */
function trimmed(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline, at) => {
    if (inline.type !== "text") return inline;
    const start = at === 0 ? blanksAtStart(inline.value) : 0;
    const end = at === inlines.length - 1 ? blanksAtEnd(inline.value) : 0;
    return text(inline.value.slice(start, Math.max(start, inline.value.length - end)));
  });
}

/** Whether an inline is shown as a block. */
export function isMedia(inline: Inline): inline is Video | GuideList {
  return inline.type === "video" || inline.type === "guideList";
}

function paragraphOf(inlines: readonly Inline[]): readonly Block[] {
  const first = inlines.findIndex(isWritten);
  if (first < 0) return [];
  const written = inlines.slice(first, inlines.findLastIndex(isWritten) + 1);
  return [paragraph(written.map((inline, at) => (at === written.length - 1 ? asLast(inline) : inline)))];
}

/** Behind a break at the end no line begins. */
function asLast(inline: Inline): Inline {
  return inline.type === "break" ? { ...inline, after: "" } : inline;
}

function isWritten(inline: Inline): boolean {
  return inline.type !== "text" || !isBlank(inline.value);
}
