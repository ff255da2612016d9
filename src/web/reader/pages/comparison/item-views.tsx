import type { JSX } from "hono/jsx/jsx-runtime";
import type { Guide } from "../../../../core/model/guide.js";
import type { Item } from "../../../../core/model/item.js";
import type { Key } from "../../../../core/model/key.js";
import type { FieldChange } from "../../../../backup/past/field-changes.js";
import { ChangedField, TypedWords } from "../changed-field.js";
import { type FieldWords, fieldWords } from "../field-words.js";
import { flagWords } from "../flags.js";
import { shownValue } from "../shown-value.js";
import { isShownAsHtml } from "../wiki-texts.js";
import { ComparedMedia } from "./compared-media.js";
import { ComparedNames } from "./compared-names.js";
import { ComparedParts } from "./compared-parts.js";
import type { ComparedSide } from "./compared-side.js";
import { ComparedStep, type PlacedStep, StepName, StepOrder } from "./compared-step.js";
import { ComparedText } from "./compared-text.js";
import { paired } from "./paired.js";

/** What differs between two versions of an item, as people read it. */
export interface ShownChange {
  /** Of little interest to who reads. */
  readonly isSmall: boolean;
  readonly content: JSX.Element;
}

export type TwoSides = readonly [old: ComparedSide, now: ComparedSide];

/** Groups of changes that are shown as one thing, by the paths of their fields; the first that fits counts. */
const VIEWS: readonly (readonly [RegExp, View])[] = [
  [/^steps$/, orderView],
  [/^steps\[([^\]]+)\](?!\.comments)/, stepView],
  [/^contents$/, contentsView],
  [/^(introduction|conclusion)$/, textView],
  [/^(translations|comments)\[[^\]]+\]\.(?:contents|text)$/, textView],
  [/^steps\[[^\]]+\]\.comments\[[^\]]+\]\.text$/, textView],
  [/^html$/, htmlView],
  [/^(tags|flags)(?:\[|$)/, namesView],
  [/^(parts|tools)(?:\[|$)/, partsView],
];

/** `part`: what the pattern found, by which changes come together. */
type View = (sides: TwoSides, change: FieldChange, part: string) => JSX.Element;

/** Shows what differs; each group once, where its first change stands. */
export function shownChanges(sides: TwoSides, changes: readonly FieldChange[]): readonly ShownChange[] {
  const seen = new Set<string>();
  return inOrder(sides, changes).flatMap((change) => {
    const [view, name, part] = viewOf(change.path);
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ isSmall: wordsFor(sides, change.path).isSmall, content: view(sides, change, part) }];
  });
}

/** The order of the steps comes before them, and they as they stand now. */
function inOrder([old, now]: TwoSides, changes: readonly FieldChange[]): readonly FieldChange[] {
  const at = changes.findIndex(({ path }) => ABOUT_STEPS.test(path));
  const place = ({ path }: FieldChange): number => {
    const key = ABOUT_STEPS.exec(path)?.[1];
    if (key === undefined) return 0;
    return (placed(now.item, key) ?? placed(old.item, key))?.number ?? 0;
  };
  const steps = changes
    .filter(({ path }) => ABOUT_STEPS.test(path))
    .toSorted((one, other) => place(one) - place(other));
  const others = changes.filter(({ path }) => !ABOUT_STEPS.test(path));
  return [...others.slice(0, at), ...steps, ...others.slice(at)];
}

const ABOUT_STEPS = /^steps(?:\[([^\]]+)\]|$)/;

function viewOf(path: string): readonly [View, name: string, part: string] {
  for (const [pattern, view] of VIEWS) {
    const found = pattern.exec(path);
    if (found !== null) return [view, view === textView ? path : `${view.name} ${found[1] ?? ""}`, found[1] ?? ""];
  }
  return [valueView, path, ""];
}

function wordsFor([old, now]: TwoSides, path: string): FieldWords {
  return fieldWords(path, [now.item, old.item]);
}

/** Any other field. */
function valueView(sides: TwoSides, { path, before, after }: FieldChange): JSX.Element {
  const [old, now] = [shownValue(before, path), shownValue(after, path)];
  return (
    <ChangedField words={wordsFor(sides, path)}>
      {old.media.length + now.media.length > 0 ? (
        <ComparedMedia sides={sides} before={old.media} after={now.media} />
      ) : (
        <TypedWords before={old.text} after={now.text} />
      )}
    </ChangedField>
  );
}

function textView(sides: TwoSides, change: FieldChange): JSX.Element {
  return writtenView(sides, change, "wiki");
}

function htmlView(sides: TwoSides, change: FieldChange): JSX.Element {
  return writtenView(sides, change, "html");
}

/** As the page itself shows them. */
function contentsView([old, now]: TwoSides, { path }: FieldChange): JSX.Element {
  return (
    <ChangedField words={wordsFor([old, now], path)}>
      <ComparedText before={contentsAt(old)} after={contentsAt(now)} language={languageOf(now.item)} />
    </ChangedField>
  );
}

function contentsAt(side: ComparedSide): ReturnType<ComparedSide["text"]> {
  const { body } = side.item;
  if (!("contents" in body)) return side.text("", "contents");
  return isShownAsHtml(body) ? side.text(body.html, "contents", "html") : side.text(body.contents, "contents");
}

function writtenView(sides: TwoSides, { path, before, after }: FieldChange, form: "wiki" | "html"): JSX.Element {
  const [old, now] = sides;
  const anchors = path.toLowerCase().replace(/[^a-z]+/g, "-");
  return (
    <ChangedField words={wordsFor(sides, path)}>
      <ComparedText
        before={old.text(textOf(before), anchors, form)}
        after={now.text(textOf(after), anchors, form)}
        language={languageOf(now.item)}
      />
    </ChangedField>
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function languageOf({ body }: Item): string {
  return "language" in body ? body.language : "";
}

function namesView(sides: TwoSides, _change: FieldChange, field: string): JSX.Element {
  const [before, after] = sides.map(({ item }) => namesIn(item, field));
  return (
    <ChangedField words={wordsFor(sides, field)}>
      <ComparedNames before={before ?? []} after={after ?? []} />
    </ChangedField>
  );
}

function namesIn({ body }: Item, field: string): readonly string[] {
  if (field === "tags") return "tags" in body ? body.tags : [];
  return "flags" in body ? body.flags.map(flagWords) : [];
}

function partsView(sides: TwoSides, _change: FieldChange, field: string): JSX.Element {
  const [before, after] = sides.map(({ item }) => guideOf(item)?.[field === "tools" ? "tools" : "parts"] ?? []);
  return (
    <ChangedField words={wordsFor(sides, field)}>
      <ComparedParts before={before ?? []} after={after ?? []} />
    </ChangedField>
  );
}

function guideOf(item: Item): Guide | undefined {
  return item.kind === "guide" ? item.body : undefined;
}

function stepView(sides: TwoSides, _change: FieldChange, key: string): JSX.Element {
  const [before, after] = [placed(sides[0].item, key), placed(sides[1].item, key)];
  return (
    <section class="changed-field">
      <h2>
        <StepName before={before} after={after} />
      </h2>
      <ComparedStep sides={sides} before={before} after={after} />
    </section>
  );
}

function placed(item: Item, key: string): PlacedStep | undefined {
  const steps = guideOf(item)?.steps ?? [];
  const at = steps.findIndex((step) => step.key === key);
  const step = steps[at];
  return step === undefined ? undefined : { step, number: at + 1 };
}

function orderView(sides: TwoSides): JSX.Element {
  const [before, after] = [guideOf(sides[0].item)?.steps ?? [], guideOf(sides[1].item)?.steps ?? []];
  const there = new Set(after.map(({ key }) => key));
  const pairs = paired(before, after, ({ key }) => key, false);
  const moved = new Set<Key>(
    pairs.flatMap((pair) => (pair.after === undefined && there.has(pair.before.key) ? [pair.before.key] : [])),
  );
  return (
    <section class="changed-field">
      <h2>Order of the steps</h2>
      <StepOrder before={before} after={after} moved={moved} />
    </section>
  );
}
