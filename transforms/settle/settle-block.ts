import type { Block } from "../wiki/tree.js";
import { GUARD } from "../wiki/unsafe.js";
import type { Tell } from "./draft.js";
import { mapInlines } from "./map-inlines.js";
import { blocksReadBack } from "./reads-back.js";
import { settleInlines } from "./settle-inlines.js";

/** A block whose texts read as they are meant, each where it stands. */
export function settleBlock(block: Block, tell: Tell): Block {
  const settled = mapInlines(block, (inlines, wrap) =>
    settleInlines(inlines, (written) => blocksReadBack([wrap(written)]), tell),
  );
  return settleCode(settled, tell);
}

const CODE_END = /\[(?=\/code\])/gi;

/** Nothing in code is markup but its own end. */
function settleCode(block: Block, tell: Tell): Block {
  if (block.type === "quote") return { ...block, children: block.children.map((child) => settleCode(child, tell)) };
  if (block.type !== "codeBlock" || block.value.search(CODE_END) < 0) return block;
  tell("markup-neutralised", "note", 'A space without width was put into "[/code]" in code.');
  return { ...block, value: block.value.replaceAll(CODE_END, `[${GUARD}`) };
}
