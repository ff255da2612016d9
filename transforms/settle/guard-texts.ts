import { neutralise } from "../wiki/neutralise.js";
import { print } from "../wiki/print.js";
import type { Inline } from "../wiki/tree.js";
import { GUARD } from "../wiki/unsafe.js";
import { withoutLooseBrackets } from "./loose-brackets.js";

/** What stands right beside some inlines. */
interface Sides {
  readonly before: string;
  readonly after: string;
}

const NOTHING: Sides = { before: "", after: "" };

/** Texts that would be markup broken up, see `neutralise`; in the labels of links also what a label cannot hold. */
export function guardTexts(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, guardText, NOTHING);
}

/** The same where everything stands in a macro, which none of its brackets may end. */
export function guardLabels(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, guardLabel, NOTHING);
}

/** Texts with the tags in them broken up that begin or end a block. */
export function guardTags(inlines: readonly Inline[]): readonly Inline[] {
  return guarded(inlines, (value) => value.replaceAll(TAGS, `[${GUARD}`), NOTHING);
}

const TAGS = /\[(?=\/?(?:code|quote|summary|info|def_flag)\b)/gi;

/** Whether a text has one of them. */
export function hasTag(text: string): boolean {
  return text.search(TAGS) >= 0;
}

type Guard = (value: string, sides: Sides) => string;

function guardText(value: string, sides: Sides): string {
  return neutralise(value, { place: "paragraph", ...sides }).text;
}

/** A field with an equals sign may be read as a parameter. */
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

/** A label stands between a pipe and a bracket. */
const LABEL: Sides = { before: "|", after: "]" };
