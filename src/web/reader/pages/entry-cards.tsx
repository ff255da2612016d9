import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { wikiOf } from "../../../core/model/key.js";
import { Foreign } from "../../components/foreign.js";
import type { IconName } from "../../components/icon.js";
import { Icon } from "../../components/icon.js";
import type { Entry } from "../catalogue.js";
import { type LanguageAttributes, languageAttributes } from "./language.js";
import type { MediaFiles } from "./media-files.js";
import { Picture } from "./picture.js";
import { hrefOf, type PageScope } from "./scope.js";

/** Beyond so many a list shows titles only. */
export const MOST_CARDS = 60;

const STANDS: Readonly<Partial<Record<Entry["kind"], IconName>>> = { category: "folder", wiki: "book", guide: "guide" };
const LONGEST_SUMMARY = 180;

export interface EntryCardsProps {
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
export function EntryList({ scope, entries }: Pick<EntryCardsProps, "scope" | "entries">): JSX.Element {
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
