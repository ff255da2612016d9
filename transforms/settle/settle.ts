import { line, page } from "../wiki/build.js";
import { print } from "../wiki/print.js";
import type { Block, Inline, Line, Page } from "../wiki/tree.js";
import type { Draft, Tell } from "./draft.js";
import { guardTags, hasTag } from "./guard-texts.js";
import { mapInlines } from "./map-inlines.js";
import { mediaAsLinks } from "./media-as-links.js";
import { blocksReadBack, lineReadsBack } from "./reads-back.js";
import { NEUTRALISED } from "./repairs.js";
import { settleBlock } from "./settle-block.js";
import { READS_DIFFERENTLY, settleInlines } from "./settle-inlines.js";

/**
 * A page that, printed and parsed, says what the drafts say. The syntax has no escape: text that would be markup is guarded by
 * spaces without width, and marks that it has no unambiguous writing for are given up; both are told. What already reads as it
 * is meant is not touched.
 */
export function settlePage(drafts: readonly Draft[], tell: Tell): Page {
  const given = drafts.map(({ block }) => block);
  if (blocksReadBack(given)) return page(given);
  const settled = settleAll(drafts);
  if (blocksReadBack(settled.blocks)) return finish(settled);
  const apart = settleAll(drafts, withoutTags);
  if (blocksReadBack(apart.blocks)) return finish(apart);
  if (!settled.told.some(([, code]) => code === READS_DIFFERENTLY)) {
    tell(READS_DIFFERENTLY, "loss", "The text reads differently in wiki text, and no way was found to write it.");
  }
  return finish(settled);
}

/** The same for a step line, which shows no media: links stand for those that have an address. */
export function settleLine(inlines: readonly Inline[], tell: Tell): Line {
  return line(settleInlines(mediaAsLinks(inlines, tell), lineReadsBack, tell));
}

interface Settled {
  readonly blocks: readonly Block[];
  /** What to tell, and to whom, when these are the blocks that are taken. */
  readonly told: readonly (readonly [Tell, ...Parameters<Tell>])[];
}

function settleAll(drafts: readonly Draft[], prepare: (block: Block) => Block = (block) => block): Settled {
  const told: (readonly [Tell, ...Parameters<Tell>])[] = [];
  const blocks = drafts.map(({ block, tell }) => {
    const prepared = prepare(block);
    if (prepared !== block) told.push([tell, NEUTRALISED.code, NEUTRALISED.level, NEUTRALISED.message]);
    return settleBlock(prepared, (...issue) => {
      told.push([tell, ...issue]);
    });
  });
  return { blocks, told };
}

function finish({ blocks, told }: Settled): Page {
  for (const [tell, ...issue] of told) tell(...issue);
  return page(blocks);
}

/** A tag in one block, its end in another: each alone is text, together they make a block of all between them. */
function withoutTags(block: Block): Block {
  return hasTag(print(block)) ? mapInlines(block, guardTags) : block;
}
