import type { BlockPlace, BlockReader, ReadBlock } from "./block-rule.js";
import { closingInLine } from "./characters.js";
import { readFields } from "./fields.js";
import { readInlines } from "./inlines.js";
import { reportKeptMedia } from "./media.js";
import { closingTag, type Source } from "./source.js";

const OPEN = /\[quote[ \t]*(?=[|\]])/iy;
const CLOSE = "[/quote]";

/** `[quote|Ann|format=featured]⏎…⏎⏎[/quote]`: blocks, but no quotes. */
export function readQuote(source: Source, place: BlockPlace, readInner: BlockReader): ReadBlock | undefined {
  const { text } = source;
  const { at, end, quoted } = place;
  OPEN.lastIndex = at;
  if (quoted || !OPEN.test(text)) return undefined;
  const fields = OPEN.lastIndex;
  const headClose = closingInLine(text, at, end);
  const close = headClose < 0 ? -1 : closingTag(source, "quote", headClose);
  const stop = close + CLOSE.length;
  if (close < 0 || stop > end) return undefined;
  const head = readFields(text, { start: at, fields, close: headClose, end: headClose + 1, balanced: true }, "label");
  const attribution = head.label === undefined ? [] : readInlines(source, head.label.start, head.label.end);
  reportKeptMedia(source, attribution);
  const inner = readInner(source, { start: headClose + 1, end: close, quoted: true });
  return {
    type: "quote",
    before: "",
    open: head.open,
    leading: head.leading,
    bar: head.bar,
    attribution,
    parameters: head.parameters,
    openEnd: head.close,
    children: inner.blocks,
    after: text.slice(inner.end, close),
    close: text.slice(close, stop),
    position: { start: at, end: stop },
  };
}
