import { bareUrl } from "./bare-url.js";
import { type Draft, draftOf, leaveOpen, openDraft, type ScanState, type TextContext } from "./draft.js";
import { readField } from "./fields.js";
import { addressHead, type Head } from "./head.js";
import { readMacroHead, readWikiHead } from "./macro-heads.js";
import { readOwnAddress } from "./own-address.js";
import type { SiteAddresses } from "./site-addresses.js";

/** Reads a text from one bracket, pipe or URL to the next; a handler says where to go on, which is always further on. */
export function scan(text: string, site: SiteAddresses, context: TextContext): readonly Draft[] {
  const ends = {
    lastClose: text.lastIndexOf("]"),
    lastDoubleClose: text.lastIndexOf("]]"),
    lastCodeEnd: context === "page" ? text.lastIndexOf(CODE_END_LINE) : -1,
  };
  const state: ScanState = { text, site, ...ends, found: [], open: [], plain: 0 };
  const events = /[[\]|]|https?:\/\//gi;
  for (let event = events.exec(text); event !== null; event = events.exec(text)) {
    events.lastIndex = (HANDLERS.get(event[0]) ?? readUrl)(state, event.index);
  }
  state.open.forEach(leaveOpen);
  return state.found;
}

type Handler = (state: ScanState, at: number) => number;

const HANDLERS: ReadonlyMap<string, Handler> = new Map([
  ["[", open],
  ["]", close],
  ["|", readField],
]);

function open(state: ScanState, at: number): number {
  if (at > state.lastClose) return at + 1;
  const pastCode = codeBlockEnd(state, at);
  if (pastCode !== undefined) return pastCode;
  const head = readMacroHead(state.text, at, state.site) ?? readWiki(state, at);
  if (head !== undefined && head.form !== "foreign") return begin(state, head, at);
  (state.open.at(-1) ?? state).plain += 1;
  return head?.body ?? at + 1;
}

// Only what is code under every reading: begun and ended as the vendor's serializer writes it (wiki-syntax 5), and no
// further than to the first end inside. Its content is nothing but text there, so that nothing in it is a reference.
// Whatever else looks like code is read as markup: at worst an example shows a new id, but no old id stays. Double
// backticks are markup for sure, since the vendor writes links inside them.
const CODE_START = /(?<=^|\n)\[code\][ \t]*\r?\n/y;
const CODE_END = "[/code]";
const CODE_END_LINE = `\n${CODE_END}`;

function codeBlockEnd({ text, lastCodeEnd }: ScanState, at: number): number | undefined {
  CODE_START.lastIndex = at;
  if (at > lastCodeEnd || !CODE_START.test(text)) return undefined;
  return text.indexOf(CODE_END, at) + CODE_END.length;
}

/** `[[guide|12|x]]` is a macro with one bracket too many: read as a page named "guide" it would keep its id. */
function readWiki({ text, site, lastDoubleClose }: ScanState, at: number): Head | undefined {
  if (at > lastDoubleClose || text[at + 1] !== "[" || readMacroHead(text, at + 1, site) !== undefined) return undefined;
  return readWikiHead(text, at);
}

function begin(state: ScanState, head: Head, at: number): number {
  const draft = draftOf(state, head, at);
  state.found.push(draft);
  openDraft(state, draft);
  return head.body;
}

function close(state: ScanState, at: number): number {
  const holder = state.open.at(-1);
  if (holder === undefined || holder.plain > 0) {
    const within = holder ?? state;
    within.plain = Math.max(0, within.plain - 1);
    return at + 1;
  }
  const width = holder.draft.form === "wiki-link" ? 2 : 1;
  if (width === 2 && state.text[at + 1] !== "]") return at + 1;
  const end = at + width;
  holder.draft.end = end;
  holder.draft.close = { start: at, end };
  state.open.pop();
  return end;
}

function readUrl(state: ScanState, at: number): number {
  const { address, end } = bareUrl(state.text, at);
  const own = readOwnAddress(address, at, state.site);
  if (own !== undefined) state.found.push(draftOf(state, addressHead("url", own, end), at));
  return end;
}
