import type { Inline } from "../wiki/tree.js";

/** Breaks a pattern without being seen. The syntax has no escape (wiki-syntax 8, advice 6). */
export const GUARD = "\u200B";

/**
 * Texts that look like markup, with a space without width where the markup would begin: two equal marker characters, one of
 * them beside a marker, a bracket, a list or heading mark at the beginning of a line, a field that would be a parameter. Code is guarded like all other text.
 */
export function guardTexts(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline) => guarded(inline, guardText));
}

/** The same where everything stands in a macro, which none of its brackets may end. */
export function guardLabels(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline) => guarded(inline, guardLabel));
}

/** Texts with the tags in them guarded that begin or end a block. */
export function guardTags(inlines: readonly Inline[]): readonly Inline[] {
  return inlines.map((inline) => guarded(inline, (value) => value.replaceAll(TAGS, `[${GUARD}`)));
}

const TAGS = /\[(?=\/?(?:code|quote|summary|info|def_flag)\b)/gi;

/** Whether a text has one of them. */
export function hasTag(text: string): boolean {
  return text.search(TAGS) >= 0;
}

/** The same for the label of a link, which no bracket may end. */
function guardLabel(value: string): string {
  return withoutLooseBrackets(guardText(value)).replaceAll("=", `${GUARD}=`);
}

function guarded(inline: Inline, guard: (value: string) => string): Inline {
  if (inline.type === "text") return { ...inline, value: guard(inline.value) };
  if (inline.type === "link")
    return { ...inline, children: inline.children.map((child) => guarded(child, guardLabel)) };
  return "children" in inline ? { ...inline, children: inline.children.map((child) => guarded(child, guard)) } : inline;
}

function guardText(value: string): string {
  return value
    .replaceAll(/(['+~^,`])(?=\1)/g, `$1${GUARD}`)
    .replaceAll(/^(?=['+~^,`])|(?<=['+~^,`])$/g, GUARD)
    .replaceAll("[", `[${GUARD}`)
    .replaceAll(/^(?=[ \t]*[*#=])/gm, GUARD);
}

/** A bracket without a partner would end the macro around it elsewhere; the wide form of it looks the same and ends nothing. */
function withoutLooseBrackets(value: string): string {
  const open: number[] = [];
  const loose = new Set<number>();
  [...value.matchAll(/[[\]]/g)].forEach(({ 0: bracket, index }) => {
    if (bracket === "[") open.push(index);
    else if (open.pop() === undefined) loose.add(index);
  });
  for (const index of open) loose.add(index);
  return value.replaceAll(/[[\]]/g, (bracket, index) => (loose.has(index) ? WIDE[bracket as "[" | "]"] : bracket));
}

const WIDE = { "[": "\uFF3B", "]": "\uFF3D" } as const;
