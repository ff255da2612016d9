import type { JSX } from "hono/jsx/jsx-runtime";
import { type FieldChange, fieldChanges } from "../../../backup/history/diff.js";
import type { Guide, Item } from "../../../core/model/item.js";
import type { Key } from "../../../core/model/key.js";
import { textIn } from "../../../core/util/json.js";
import { TypedWords } from "../../components/two-columns.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import type { SnapshotView } from "../library.js";
import { pagePathOf } from "../page-path.js";
import { snapshotMoment } from "../snapshot-words.js";
import {
  ComparedMedia,
  type ComparedSide,
  ComparedStep,
  comparedSide,
  type PlacedStep,
  StepName,
  StepOrder,
} from "./compared-content.js";
import {
  ChangedField,
  ComparedNames,
  ComparedParts,
  ComparedText,
  type FieldWords,
  fieldWords,
  shownValue,
} from "./compared-fields.js";
import { paired } from "./compared-sides.js";
import { type SnapshotPair, snapshotPair } from "./history-pages.js";
import { flagWords } from "./item-parts.js";
import { type FoundItem, itemOf } from "./media-files.js";
import { homeCrumb, readerPage } from "./reader-frame.js";
import { hrefAt, hrefTo, type PageScope } from "./scope.js";
import { isShownAsHtml } from "./texts.js";

/**
 * Compares an item in two snapshots, field by field. undefined: no such snapshot, or neither has
 * it.
 */
export async function itemChangesPage(
  scope: PageScope,
  [other = "", path = ""]: readonly string[],
): Promise<string | undefined> {
  const times = await snapshotPair(scope, other);
  if (times === undefined) return undefined;
  const key = scope.catalogue.byPath(path)?.key ?? (await keyOf(times, path));
  if (key === undefined) return undefined;
  const [before, after] = [await itemOf(times.before, key), await itemOf(times.after, key)];
  const title = titleOf(after.item ?? before.item) || key;
  const children = (
    <article class="comparison">
      <p class="kind">Comparison</p>
      <h1>
        <UntrustedText text={title} />
      </h1>
      <Sides scope={scope} path={path} times={times} found={[before, after]} />
      {before.item !== undefined && after.item !== undefined ? (
        <Changes changes={await changesOf(scope, times, [before.item, after.item])} />
      ) : (
        <p class="note">This item is in only one of the two snapshots, so there is nothing to compare.</p>
      )}
    </article>
  );
  const crumbs = [homeCrumb(scope), { title: "Changes", href: hrefTo(scope, `changes/${other}.html`) }];
  return readerPage({ scope, title: `${title}: comparison`, crumbs, children });
}

/** A deleted item has no entry: finds its key among the rows of both snapshots. */
async function keyOf({ before, after }: SnapshotPair, path: string): Promise<Key | undefined> {
  for (const snapshot of [before, after])
    for await (const { key } of snapshot.rows()) if (pagePathOf(key) === path) return key;
  return undefined;
}

function titleOf(item: Item | undefined): string {
  return item !== undefined && "title" in item.body ? item.body.title : "";
}

interface SidesProps {
  readonly scope: PageScope;
  readonly path: string;
  readonly times: SnapshotPair;
  readonly found: readonly [FoundItem, FoundItem];
}

function Sides({ scope, path, times, found: [before, after] }: SidesProps): JSX.Element {
  return (
    <div class="sides heads">
      <Side name="Old" scope={scope} path={path} snapshot={times.before} found={before} />
      <Side name="New" scope={scope} path={path} snapshot={times.after} found={after} />
    </div>
  );
}

interface SideProps extends Pick<SidesProps, "scope" | "path"> {
  readonly name: string;
  readonly snapshot: SnapshotView;
  readonly found: FoundItem;
}

function Side({ name, scope, path, snapshot, found }: SideProps): JSX.Element {
  const when = snapshotMoment(scope.library.snapshots, snapshot.facts);
  return (
    <p>
      <strong>{name}: </strong>
      {found.item === undefined ? when : <a href={hrefAt(scope, snapshot.facts.id, path)}>{when}</a>}
      {found.damage !== undefined && (
        <span class="warn">
          {" "}
          cannot be read: <UntrustedText text={found.damage} />
        </span>
      )}
      {found.item === undefined && found.damage === undefined && <span class="muted"> not in this snapshot</span>}
    </p>
  );
}

async function changesOf(
  scope: PageScope,
  { before, after }: SnapshotPair,
  [old, now]: readonly [Item, Item],
): Promise<readonly ShownChange[]> {
  const sides = [
    await comparedSide(scope, "old", { snapshot: before, item: old }),
    await comparedSide(scope, "new", { snapshot: after, item: now }),
  ] as const;
  return shownChanges(sides, fieldChanges(old, now));
}

function Changes({ changes }: { readonly changes: readonly ShownChange[] }): JSX.Element {
  if (changes.length === 0) return <p>This item is equal in the two snapshots.</p>;
  const [large, small] = [changes.filter(({ isSmall }) => !isSmall), changes.filter(({ isSmall }) => isSmall)];
  return (
    <>
      {large.map(({ content }) => content)}
      {small.length > 0 && (
        <details class="small-changes" open={large.length === 0}>
          <summary>Derived and technical fields</summary>
          {small.map(({ content }) => content)}
        </details>
      )}
    </>
  );
}

interface ShownChange {
  /** Of little interest to readers. */
  readonly isSmall: boolean;
  readonly content: JSX.Element;
}

type TwoSides = readonly [old: ComparedSide, now: ComparedSide];

/** Views by the path of the changed field; the first that fits counts. */
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

/** `part`: the pattern's group; changes with the same part are shown once. */
type View = (sides: TwoSides, change: FieldChange, part: string) => JSX.Element;

/** Shows each group once, at its first change. */
function shownChanges(sides: TwoSides, changes: readonly FieldChange[]): readonly ShownChange[] {
  const seen = new Set<string>();
  return inOrder(sides, changes).flatMap((change) => {
    const [view, name, part] = viewOf(change.path);
    if (seen.has(name)) return [];
    seen.add(name);
    return [{ isSmall: wordsFor(sides, change.path).isSmall, content: view(sides, change, part) }];
  });
}

/** Puts the order of the steps first, then the steps in their new order. */
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

/** Shows the contents as the page does. */
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
        before={old.text(textIn(before), anchors, form)}
        after={now.text(textIn(after), anchors, form)}
        language={languageOf(now.item)}
      />
    </ChangedField>
  );
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
