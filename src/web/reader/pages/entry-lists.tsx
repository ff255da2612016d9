import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { wikiOf } from "../../../core/model/key.js";
import { withCommas } from "../../../core/util/printable-text.js";
import { Icon, type IconName } from "../../components/elements.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { countWords } from "../../components/words.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, type PageScope } from "./scope.js";
import { type LanguageAttributes, languageAttributes } from "./texts.js";

export const FALLBACK_ICONS: Readonly<Partial<Record<Entry["kind"], IconName>>> = {
  category: "folder",
  wiki: "book",
  guide: "guide",
};
export const LONGEST_SUMMARY = 180;

interface EntryCardsProps {
  readonly scope: PageScope;
  readonly entries: readonly Entry[];
  readonly media: MediaFiles;
  /** A line below the title. Default: none. */
  readonly note?: (entry: Entry) => Child;
  /** Small pictures next to the text. Default: false. */
  readonly compact?: boolean;
}

/** Cards with pictures. */
export function EntryCards({ scope, entries, media, note, compact = false }: EntryCardsProps): JSX.Element {
  return (
    <ul class={compact ? "cards compact" : "cards"}>
      {entries.map((entry) => (
        <li class="card">
          <Picture src={media.picture(pictureFor(scope, entry))} fallback={FALLBACK_ICONS[entry.kind] ?? "file"} />
          <div class="card-words" {...languageOf(entry)}>
            <a class="card-title" href={hrefOf(scope, entry)}>
              <UntrustedText text={entry.title} />
            </a>
            {note !== undefined && <span class="muted">{note(entry)}</span>}
            <Summary entry={entry} />
            <Marks entry={entry} />
          </div>
        </li>
      ))}
    </ul>
  );
}

/** Contents of the pictures on cards. */
export function picturesOf(scope: PageScope, entries: readonly Entry[]): readonly (string | null | undefined)[] {
  return entries.map((entry) => pictureFor(scope, entry));
}

/** Guides that are tried for the picture of a category. */
const MOST_LOOKED_AT = 20;

/** A category without a picture shows the one of a guide. */
function pictureFor({ catalogue }: PageScope, { key, kind, more }: Entry): string | null | undefined {
  if (kind !== "category" || (more?.image ?? null) !== null) return more?.image;
  const guides = catalogue.guidesIn(wikiOf(key).title).slice(0, MOST_LOOKED_AT);
  return guides.find((guide) => (guide.more?.image ?? null) !== null)?.more?.image;
}

function Summary({ entry: { more } }: { readonly entry: Entry }): JSX.Element | null {
  if (more === undefined || more.summary === "") return null;
  return (
    <p class="card-text">
      <UntrustedText text={more.summary} longest={LONGEST_SUMMARY} />
    </p>
  );
}

function Marks({ entry: { more } }: { readonly entry: Entry }): JSX.Element | null {
  if (more?.isPrivate !== true) return null;
  return (
    <span class="chip">
      <Icon name="lock" /> Private
    </span>
  );
}

function languageOf({ more }: Entry): Partial<LanguageAttributes> {
  return more === undefined ? {} : languageAttributes(more.language);
}

interface PictureProps {
  /** undefined: the icon is shown. */
  readonly src: string | undefined;
  readonly fallback: IconName;
}

/** Decorative: the title next to it has the same meaning. */
function Picture({ src, fallback: stands }: PictureProps): JSX.Element {
  if (src !== undefined) return <img class="card-picture" src={src} alt="" loading="lazy" decoding="async" />;
  return (
    <span class="card-picture empty">
      <Icon name={stands} />
    </span>
  );
}

/** Categories in the tree; the pages of the last ones lead to the others. */
const MOST = 1500;
const DEEPEST = 12;

/** All categories, folded. */
export function CategoryTree({ scope }: { readonly scope: PageScope }): JSX.Element {
  const walk: Walk = { scope, seen: new Set() };
  return (
    <>
      <Level walk={walk} entries={scope.catalogue.categoriesIn(null)} depth={0} />
      {scope.catalogue.counts.category > MOST && (
        <p class="muted">
          {`This tree shows ${withCommas(MOST)} categories. The pages of these categories lead to the others.`}
        </p>
      )}
    </>
  );
}

interface Walk {
  readonly scope: PageScope;
  /** Ends cycles of categories. */
  readonly seen: Set<Entry>;
}

interface LevelProps {
  readonly walk: Walk;
  readonly entries: readonly Entry[];
  readonly depth: number;
}

function Level({ walk, entries, depth }: LevelProps): JSX.Element {
  const fresh = entries.filter((entry) => walk.seen.size < MOST && !walk.seen.has(entry) && walk.seen.add(entry));
  return (
    <ul class={depth === 0 ? "tree" : undefined}>
      {fresh.map((entry) => (
        <Branch walk={walk} entry={entry} depth={depth} />
      ))}
    </ul>
  );
}

function Branch({ walk, entry, depth }: Omit<LevelProps, "entries"> & { readonly entry: Entry }): JSX.Element {
  const { scope } = walk;
  const below = depth < DEEPEST ? scope.catalogue.categoriesIn(wikiOf(entry.key).title) : [];
  const guides = guidesBelow(scope.catalogue, entry);
  const line = (
    <span class="branch">
      <a href={hrefOf(scope, entry)}>
        <UntrustedText text={entry.title} />
      </a>
      <span class="count">
        {withCommas(guides)}
        <span class="unseen">{guides === 1 ? " guide" : " guides"}</span>
      </span>
    </span>
  );
  if (below.length === 0) return <li>{line}</li>;
  return (
    <li>
      {line}
      <details>
        <summary>
          <span class="unseen">
            Categories in <UntrustedText text={entry.title} />
          </span>
        </summary>
        <Level walk={walk} entries={below} depth={depth + 1} />
      </details>
    </li>
  );
}

type CategoryWalk = Pick<Catalogue, "categoriesIn" | "guidesIn">;

/** Guides in a category and all below it; a cycle counts once. */
export function guidesBelow(catalogue: CategoryWalk, category: Entry): number {
  let count = 0;
  for (const guides of guidesIn(catalogue, [category])) count += guides.length;
  return count;
}

/** `2 categories, 14 guides` */
export function categoryNote({ catalogue }: PageScope, category: Entry): string {
  const below = catalogue.categoriesIn(wikiOf(category.key).title).length;
  const guides = guidesBelow(catalogue, category);
  const words = [
    ...(below === 0 ? [] : [countWords(below, "category", "categories")]),
    ...(guides === 0 ? [] : [countWords(guides, "guide")]),
  ];
  return words.join(", ") || "No guides";
}

/** The latest first. */
export function latestGuides(catalogue: CategoryWalk, count: number): readonly Entry[] {
  const latest: Entry[] = [];
  const add = (guide: Entry): void => {
    if (latest.length === count && timeOf(guide) <= timeOf(latest.at(-1))) return;
    const at = latest.findIndex((other) => timeOf(other) < timeOf(guide));
    latest.splice(at < 0 ? latest.length : at, 0, guide);
    latest.length = Math.min(latest.length, count);
  };
  catalogue.guidesIn(null).forEach(add);
  for (const guides of guidesIn(catalogue, catalogue.categoriesIn(null))) guides.forEach(add);
  return latest;
}

function timeOf(entry: Entry | undefined): number {
  return entry?.modified ?? 0;
}

/** The guides of each category, from these on downward; a cycle counts once. */
function* guidesIn(catalogue: CategoryWalk, categories: readonly Entry[]): Generator<readonly Entry[]> {
  const seen = new Set<string>();
  const open = categories.map(({ key }) => wikiOf(key).title);
  for (let title = open.pop(); title !== undefined; title = open.pop()) {
    if (seen.has(title)) continue;
    seen.add(title);
    yield catalogue.guidesIn(title);
    for (const { key } of catalogue.categoriesIn(title)) open.push(wikiOf(key).title);
  }
}
