import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { wikiOf } from "../../../core/model/key.js";
import { Icon, type IconName } from "../../components/elements.js";
import { Foreign } from "../../components/foreign.js";
import { countWords, numberWords } from "../../components/words.js";
import type { Catalogue, Entry } from "../catalogue.js";
import type { MediaFiles } from "./media-files.js";
import { hrefOf, type PageScope } from "./scope.js";
import { type LanguageAttributes, languageAttributes } from "./texts.js";

/** Beyond so many a list shows titles only. */
const MOST_CARDS = 60;

const STANDS: Readonly<Partial<Record<Entry["kind"], IconName>>> = { category: "folder", wiki: "book", guide: "guide" };
const LONGEST_SUMMARY = 180;

interface EntryCardsProps {
  readonly scope: PageScope;
  readonly entries: readonly Entry[];
  readonly media: MediaFiles;
  /** A line below the title. Default: none. */
  readonly note?: (entry: Entry) => Child;
  /** Small pictures beside the words. Default: false, large ones above them. */
  readonly compact?: boolean;
}

/** Entries as cards with their pictures; as a plain list where they are too many for that. */
export function EntryCards({ scope, entries, media, note, compact = false }: EntryCardsProps): JSX.Element {
  if (entries.length > MOST_CARDS) return <EntryList scope={scope} entries={entries} />;
  return (
    <ul class={compact ? "cards compact" : "cards"}>
      {entries.map((entry) => (
        <li class="card">
          <Picture src={media.picture(pictureFor(scope, entry))} stands={STANDS[entry.kind] ?? "file"} />
          <div class="card-words" {...languageOf(entry)}>
            <a class="card-title" href={hrefOf(scope, entry)}>
              <Foreign text={entry.title} />
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

/** Entries by their titles. */
function EntryList({ scope, entries }: Pick<EntryCardsProps, "scope" | "entries">): JSX.Element {
  return (
    <ul class="titles">
      {entries.map((entry) => (
        <li {...languageOf(entry)}>
          <a href={hrefOf(scope, entry)}>
            <Foreign text={entry.title} />
          </a>
          <Marks entry={entry} />
        </li>
      ))}
    </ul>
  );
}

/** The pictures that cards of entries show. */
export function picturesOf(scope: PageScope, entries: readonly Entry[]): readonly (string | null | undefined)[] {
  return entries.length > MOST_CARDS ? [] : entries.map((entry) => pictureFor(scope, entry));
}

/** Guides that are looked at for the picture of a category without one. */
const MOST_LOOKED_AT = 20;

/** A category without a picture is known by one of its guides. */
function pictureFor({ catalogue }: PageScope, { key, kind, more }: Entry): string | null | undefined {
  if (kind !== "category" || (more?.image ?? null) !== null) return more?.image;
  const guides = catalogue.guidesIn(wikiOf(key).title).slice(0, MOST_LOOKED_AT);
  return guides.find((guide) => (guide.more?.image ?? null) !== null)?.more?.image;
}

function Summary({ entry: { more } }: { readonly entry: Entry }): JSX.Element | null {
  if (more === undefined || more.summary === "") return null;
  return (
    <p class="card-text">
      <Foreign text={more.summary} longest={LONGEST_SUMMARY} />
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
  /** undefined: there is none, a drawing stands for it. */
  readonly src: string | undefined;
  readonly stands: IconName;
}

/** The picture of a card. It says nothing that the title beside it doesn't say. */
function Picture({ src, stands }: PictureProps): JSX.Element {
  if (src !== undefined) return <img class="card-picture" src={src} alt="" loading="lazy" decoding="async" />;
  return (
    <span class="card-picture empty">
      <Icon name={stands} />
    </span>
  );
}

/** Categories that the tree shows; those below the last of them stand on their pages. */
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
          {`The tree ends after ${numberWords(MOST)} categories; the pages of those above them lead to the others.`}
        </p>
      )}
    </>
  );
}

interface Walk {
  readonly scope: PageScope;
  /** Shown already: a circle of categories ends there. */
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
        <Foreign text={entry.title} />
      </a>
      <span class="count">
        {numberWords(guides)}
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
            Below <Foreign text={entry.title} />
          </span>
        </summary>
        <Level walk={walk} entries={below} depth={depth + 1} />
      </details>
    </li>
  );
}

/** What a walk through the categories needs. */
type CategoryWalk = Pick<Catalogue, "categoriesIn" | "guidesIn">;

/** Guides in a category and all below it. A circle of categories counts each once. */
export function guidesBelow(catalogue: CategoryWalk, category: Entry): number {
  const seen = new Set<string>();
  const open = [wikiOf(category.key).title];
  let count = 0;
  for (let title = open.pop(); title !== undefined; title = open.pop()) {
    if (seen.has(title)) continue;
    seen.add(title);
    count += catalogue.guidesIn(title).length;
    for (const below of catalogue.categoriesIn(title)) open.push(wikiOf(below.key).title);
  }
  return count;
}

/** `2 categories, 14 guides`, without what there is none of. */
export function categoryNote({ catalogue }: PageScope, category: Entry): string {
  const below = catalogue.categoriesIn(wikiOf(category.key).title).length;
  const guides = guidesBelow(catalogue, category);
  const words = [
    ...(below === 0 ? [] : [countWords(below, "category", "categories")]),
    ...(guides === 0 ? [] : [countWords(guides, "guide")]),
  ];
  return words.join(", ") || "No guides";
}

/** The guides that changed last, the latest first. */
export function latestGuides(catalogue: CategoryWalk, count: number): readonly Entry[] {
  const latest: Entry[] = [];
  for (const guide of allGuides(catalogue)) {
    if (latest.length === count && timeOf(guide) <= timeOf(latest.at(-1))) continue;
    const at = latest.findIndex((other) => timeOf(other) < timeOf(guide));
    latest.splice(at < 0 ? latest.length : at, 0, guide);
    latest.length = Math.min(latest.length, count);
  }
  return latest;
}

function timeOf(entry: Entry | undefined): number {
  return entry?.modified ?? 0;
}

/** Through the tree; a circle of categories is walked once. */
function* allGuides(catalogue: CategoryWalk): Generator<Entry> {
  yield* catalogue.guidesIn(null);
  const seen = new Set<string>();
  const open = catalogue.categoriesIn(null).map(({ key }) => wikiOf(key).title);
  for (let title = open.pop(); title !== undefined; title = open.pop()) {
    if (seen.has(title)) continue;
    seen.add(title);
    yield* catalogue.guidesIn(title);
    for (const { key } of catalogue.categoriesIn(title)) open.push(wikiOf(key).title);
  }
}
