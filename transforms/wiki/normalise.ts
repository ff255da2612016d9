import type { TextIssue } from "../../src/core/model/text-codes.js";
import { line, link, page, paragraph, text } from "./build.js";
import type { Draft, Tell } from "./draft.js";
import { GUARD, neutralise } from "./neutralise.js";
import { type AddressSpan, bareAddressesIn } from "./parse/inlines.js";
import { parse } from "./parse.js";
import { print } from "./print.js";
import { childrenOf, mapInlines, type Node } from "./read-tree.js";
import { haveOneShape } from "./shape.js";
import type { Block, Inline, Line, Link, Page } from "./tree.js";

/**
 * A page that means what the drafts mean when it is printed and parsed. The syntax has no escape:
 * zero-width spaces guard text that would be markup, and marks without an unambiguous form are
 * dropped; both are reported. Unambiguous content stays unchanged.
 */
export function normalisePage(drafts: readonly Draft[], tell: Tell): Page {
  const given = drafts.map(({ block }) => block);
  if (blocksReadBack(given)) return page(given);
  const normalised = normaliseAll(drafts);
  if (blocksReadBack(normalised.blocks)) return finish(normalised);
  const untagged = normaliseAll(drafts, withoutTags);
  if (blocksReadBack(untagged.blocks)) return finish(untagged);
  if (!normalised.reported.some(([, code]) => code === READS_DIFFERENTLY)) {
    tell(
      READS_DIFFERENTLY,
      "loss",
      "The text reads back differently from wiki text, and guideferry found no way to write it.",
    );
  }
  return finish(normalised);
}

/** Like `normalisePage` for a step line: links replace media that have an address. */
export function normaliseLine(inlines: readonly Inline[], tell: Tell): Line {
  return line(normaliseInlines(mediaAsLinks(inlines, tell), lineReadsBack, tell));
}

interface Normalised {
  readonly blocks: readonly Block[];
  /** The issues to report when these blocks are used, each with its reporter. */
  readonly reported: readonly (readonly [Tell, ...Parameters<Tell>])[];
}

function normaliseAll(drafts: readonly Draft[], prepare: (block: Block) => Block = (block) => block): Normalised {
  const reported: (readonly [Tell, ...Parameters<Tell>])[] = [];
  const blocks = drafts.map(({ block, tell }) => {
    const prepared = prepare(block);
    if (prepared !== block) reported.push([tell, NEUTRALISED.code, NEUTRALISED.level, NEUTRALISED.message]);
    return normaliseBlock(prepared, (...issue) => {
      reported.push([tell, ...issue]);
    });
  });
  return { blocks, reported };
}

function finish({ blocks, reported }: Normalised): Page {
  for (const [tell, ...issue] of reported) tell(...issue);
  return page(blocks);
}

/** A tag in one block and its end in another would make one block of all between them. */
function withoutTags(block: Block): Block {
  return hasTag(print(block)) ? mapInlines(block, guardTags) : block;
}

function normaliseBlock(block: Block, tell: Tell): Block {
  const normalised = mapInlines(block, (inlines, wrap) =>
    normaliseInlines(inlines, (written) => blocksReadBack([wrap(written)]), tell),
  );
  return guardCode(normalised, tell);
}

const CODE_END = /\[(?=\/code\])/gi;

/** Only its own end is markup in code. */
function guardCode(block: Block, tell: Tell): Block {
  if (block.type === "quote") return { ...block, children: block.children.map((child) => guardCode(child, tell)) };
  if (block.type !== "codeBlock" || block.value.search(CODE_END) < 0) return block;
  tell("markup-neutralised", "note", 'A space without width was put into "[/code]" in code.');
  return { ...block, value: block.value.replaceAll(CODE_END, `[${GUARD}`) };
}

/** Whether inlines mean the same when they are printed and parsed at their place. */
type ReadBack = (inlines: readonly Inline[]) => boolean;

/** Reported when no form was found. */
const READS_DIFFERENTLY = "reads-differently";

/** Changes inlines as little as possible so that they read back with the same meaning. */
function normaliseInlines(given: readonly Inline[], readsBack: ReadBack, tell: Tell): readonly Inline[] {
  const inlines = joinNeighbours(given);
  const repair = REPAIRS.find(({ apply }) => readsBack(apply(inlines)));
  if (repair === undefined) {
    tell(
      READS_DIFFERENTLY,
      "loss",
      "This text reads back differently from wiki text, and guideferry found no way to write it.",
    );
    return inlines;
  }
  const { apply, issue } = repair;
  if (issue !== undefined) tell(issue.code, issue.level, issue.message);
  return apply(inlines);
}

function blocksReadBack(blocks: readonly Block[]): boolean {
  const { children } = parse(print(page(blocks)), { context: "page" }).tree;
  return sayTheSame(blocks, children);
}

function lineReadsBack(inlines: readonly Inline[]): boolean {
  const { children } = parse(print(line(inlines)), { context: "line" }).tree;
  return sayTheSame([paragraph(inlines)], [paragraph(children)]);
}

/** Compares addresses in running text, which shapes ignore: each must be read at its place. */
function sayTheSame(written: readonly Block[], read: readonly Block[]): boolean {
  if (!haveOneShape(read, written)) return false;
  const found = read.flatMap(bareAddresses);
  let next = 0;
  return written.flatMap(meantAddresses).every((address) => {
    next = found.indexOf(address, next) + 1;
    return next > 0;
  });
}

function bareAddresses(node: Node): readonly string[] {
  if (node.type === "link") return node.kind === "bare" ? [node.target] : [];
  return childrenOf(node).flatMap(bareAddresses);
}

/** Includes addresses in texts, which the site links, unless one begins a macro in a bracket. */
function meantAddresses(node: Node): readonly string[] {
  if (node.type === "text") {
    const { value } = node;
    const spans = bareAddressesIn(value).filter(({ start }) => value.charAt(start - 1) !== "[");
    return spans.map(({ start, end }) => value.slice(start, end));
  }
  if (node.type === "link") return bareAddresses(node);
  return childrenOf(node).flatMap(meantAddresses);
}

/** For a place that shows no videos: a video at an address becomes a link to it. */
function mediaAsLinks(inlines: readonly Inline[], tell: Tell): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "video" && WEB.test(inline.target)) {
      tell("media-in-line", "loss", "A line of a step does not show videos. This one becomes a link.");
      return link("bare", inline.target.trim());
    }
    return "children" in inline ? { ...inline, children: mediaAsLinks(inline.children, tell) } : inline;
  });
}

const WEB = /^\s*https?:\/\//i;

/** Brackets addresses that would extend into what follows, or that a marker would cut. */
function bracketAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, (address, value, isLast) => isCut(address, value) || (!isLast && endsText(address, value)));
}

/** Brackets addresses that a marker would cut: a guard between its marks would join the address. */
function bracketCutAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, isCut);
}

/** Brackets all addresses: for a macro's field, where each equals sign is guarded. */
function bracketAllAddresses(inlines: readonly Inline[]): readonly Inline[] {
  return bracketed(inlines, () => true);
}

type Wanted = (address: AddressSpan, value: string, isLast: boolean) => boolean;

function bracketed(inlines: readonly Inline[], wanted: Wanted): readonly Inline[] {
  return inlines.flatMap((inline, at): readonly Inline[] => {
    const isLast = at === inlines.length - 1;
    if (inline.type === "text") return withoutBare(inline.value, isLast, wanted);
    if (inline.type === "link") return [inline.kind === "bare" ? withBrackets(inline, wanted) : inline];
    return ["children" in inline ? { ...inline, children: bracketed(inline.children, wanted) } : inline];
  });
}

/** Replaces the wanted addresses of a text by links with brackets. */
function withoutBare(value: string, isLast: boolean, wanted: Wanted): readonly Inline[] {
  const inlines: Inline[] = [];
  let done = 0;
  for (const address of bareAddressesIn(value)) {
    if (!wanted(address, value, isLast)) continue;
    const { start, end } = address;
    inlines.push(text(value.slice(done, start)), addressLink(value.slice(start, end)));
    done = end;
  }
  return [...inlines, text(value.slice(done))].filter((inline) => inline.type !== "text" || inline.value !== "");
}

function withBrackets(bare: Link, wanted: Wanted): Link {
  const { target } = bare;
  const whole = { start: 0, end: target.length, run: target.length };
  return wanted(whole, target, false) ? addressLink(target) : bare;
}

const MARKER = /(['+~^,`])\1/;
const HALF_MARKER = /['+~^,`]$/;

/** Whether a marker is in or after an address, or half of one that the next text may complete. */
function isCut({ start, run }: AddressSpan, value: string): boolean {
  const around = value.slice(start, run + 2);
  return MARKER.test(around) || (run === value.length && HALF_MARKER.test(around));
}

function endsText({ run }: AddressSpan, value: string): boolean {
  return run === value.length;
}

function addressLink(address: string): Link {
  return link("url", address, { label: [text(address)] });
}

interface Repair {
  readonly apply: (inlines: readonly Inline[]) => readonly Inline[];
  /** undefined: nothing changes. */
  readonly issue: Pick<TextIssue, "code" | "level" | "message"> | undefined;
}

/** Reported when guards are added. */
const NEUTRALISED = {
  code: "markup-neutralised",
  level: "note",
  message: "Spaces without width, or wide brackets, keep text from becoming markup.",
} as const;

const MARKS_DROPPED = {
  code: "marks-dropped",
  level: "loss",
  message: "The marks of this text cannot be written next to each other. The text is kept without them.",
} as const;

const MARKUP_AS_TEXT = {
  code: "markup-as-text",
  level: "loss",
  message: "The markup cannot be written at this place. It is kept as text.",
} as const;

/** From the least to the most change; the first that reads back is used. */
const REPAIRS: readonly Repair[] = [
  { apply: (inlines) => inlines, issue: undefined },
  { apply: withShortBreaks, issue: undefined },
  { apply: onOneLine, issue: undefined },
  { apply: bracketAddresses, issue: undefined },
  { apply: (inlines) => guardTexts(bracketCutAddresses(inlines)), issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(bracketAddresses(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardLabels(bracketAllAddresses(onOneLine(inlines))), issue: NEUTRALISED },
  { apply: (inlines) => guardTexts(bracketAddresses(withoutMarks(onOneLine(inlines)))), issue: MARKS_DROPPED },
  { apply: (inlines) => guardTexts(bracketAddresses(withoutMedia(onOneLine(inlines)))), issue: MARKUP_AS_TEXT },
  { apply: (inlines) => guardTexts(bracketCutAddresses(onOneLine([sourceOf(inlines)]))), issue: MARKUP_AS_TEXT },
];

/** Drops the optional line ends after forced breaks, where a block could begin. */
function withShortBreaks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline): Inline => {
    if (inline.type === "break") return { ...inline, after: "" };
    return "children" in inline ? { ...inline, children: withShortBreaks(inline.children) } : inline;
  });
}

/** In running text a line end is a blank. */
function onOneLine(inlines: readonly Inline[]): readonly Inline[] {
  return withShortBreaks(inlines).map((inline): Inline => {
    if (inline.type === "text") return text(inline.value.replaceAll(/[ \t]*\n[ \t\n]*/g, " "));
    return "children" in inline ? { ...inline, children: onOneLine(inline.children) } : inline;
  });
}

function withoutMarks(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.flatMap((inline): readonly Inline[] => {
    if (inline.type === "link") return [{ ...inline, children: withoutMarks(inline.children) }];
    return "children" in inline ? withoutMarks(inline.children) : [inline];
  });
}

/** Media as the text of their macros, for step lines and labels. */
function withoutMedia(inlines: readonly Inline[]): readonly Inline[] {
  return joinNeighbours(
    inlines.map((inline): Inline => {
      if ("children" in inline) return { ...inline, children: withoutMedia(inline.children) };
      return MEDIA.has(inline.type) ? sourceOf([inline]) : inline;
    }),
  );
}

const MEDIA: ReadonlySet<Inline["type"]> = new Set(["image", "video", "guideList"]);

function sourceOf(inlines: readonly Inline[]): Inline {
  return text(inlines.map(print).join(""));
}

interface Sides {
  readonly before: string;
  readonly after: string;
}

const NOTHING: Sides = { before: "", after: "" };

/** Breaks up markup in texts, see `neutralise`, and in labels what a label cannot hold. */
function guardTexts(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, guardText, NOTHING);
}

/** Like `guardTexts` inside of a macro, which no bracket may end. */
function guardLabels(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, guardLabel, NOTHING);
}

/** Breaks up tags that begin or end a block. */
function guardTags(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, (value) => value.replaceAll(TAGS, `[${GUARD}`), NOTHING);
}

const TAGS = /\[(?=\/?(?:code|quote|summary|info|def_flag)\b)/gi;

function hasTag(text: string): boolean {
  return text.search(TAGS) >= 0;
}

type Guard = (value: string, sides: Sides) => string;

function guardText(value: string, sides: Sides): string {
  return neutralise(value, { place: "paragraph", ...sides }).text;
}

/** A field with an equals sign can be read as a parameter. */
function guardLabel(value: string, sides: Sides): string {
  return withoutLooseBrackets(guardText(value, sides)).replaceAll("=", `${GUARD}=`);
}

function guarded(inlines: readonly Inline[], guard: Guard, around: Sides): readonly Inline[] {
  return inlines.map((inline, at, all): Inline => {
    const before = all[at - 1];
    const after = all[at + 1];
    if (inline.type === "text") {
      const sides = {
        before: before === undefined ? around.before : print(before),
        after: after === undefined ? around.after : print(after),
      };
      return { ...inline, value: guard(inline.value, sides) };
    }
    if (inline.type === "link") return { ...inline, children: guarded(inline.children, guardLabel, LABEL) };
    if (!("children" in inline)) return inline;
    return { ...inline, children: guarded(inline.children, guard, { before: inline.open, after: inline.close }) };
  });
}

/** A label is between a pipe and a bracket. */
const LABEL: Sides = { before: "|", after: "]" };

/** An unpaired bracket would end the macro around it; its fullwidth form ends nothing. */
function withoutLooseBrackets(value: string): string {
  const open: number[] = [];
  const loose = new Set<number>();
  for (const { 0: bracket, index } of value.matchAll(/[[\]]/g)) {
    if (bracket === "[") open.push(index);
    else if (open.pop() === undefined) loose.add(index);
  }
  for (const index of open) loose.add(index);
  return value.replaceAll(/[[\]]/g, (bracket, index) => (loose.has(index) ? WIDE[bracket as "[" | "]"] : bracket));
}

const WIDE = { "[": "\uFF3B", "]": "\uFF3D" } as const;

/** Joins neighbouring texts, since markup or an address can span several of them. */
export function joinNeighbours(inlines: readonly Inline[]): readonly Inline[] {
  const joined: Inline[] = [];
  for (const inline of inlines) {
    const last = joined.at(-1);
    if (inline.type === "text" && last?.type === "text") joined[joined.length - 1] = text(last.value + inline.value);
    else joined.push("children" in inline ? { ...inline, children: joinNeighbours(inline.children) } : inline);
  }
  return joined;
}
