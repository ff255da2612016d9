import type { Listed, ListOptions, Opened, Source } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type ItemKind, type Key, kindOf, NAMESPACES } from "../../core/model/key.js";
import type { Client } from "../client.js";
import { coversRecord, takesRecord } from "./covers.js";
import { listFamilies } from "./families.js";
import { followRecord } from "./follow-record.js";
import { identifySite } from "./identify.js";
import { listGuides } from "./list-guides.js";
import { listRecords, readRecord } from "./list-records.js";
import { listWikis } from "./list-wikis.js";
import { createListing } from "./listing.js";
import { once } from "./once.js";
import { readGuideItem } from "./read-guide.js";
import type { ReadManual } from "./read-manual.js";
import { readMediaItem } from "./read-media.js";
import { readWikiItem } from "./read-wiki.js";
import type { Listing, SiteSession } from "./site-session.js";
import type { SourceOptions } from "./source-settings.js";

/** Gets the bytes at an address that a site's answer named, from a position on. */
export type OpenMedia = (url: string, from: number, signal: AbortSignal) => Promise<Opened>;

export interface SourceParts {
  readonly client: Client;
  readonly openMedia: OpenMedia;
  /** For people: what the user called the site. */
  readonly name: string;
  readonly options: SourceOptions;
  readonly readManual: ReadManual;
}

/** A site of the service as a source. README.md says what is asked when, and what makes an item count as changed. */
export function createSource({ client, openMedia, name, options, readManual }: SourceParts): Source {
  let listing: Listing = createListing(client, {});
  const session: SiteSession = {
    client,
    options,
    readManual,
    identify: once((signal) => identifySite(client, signal)),
    listing: () => listing,
  };
  return {
    name,
    identify: session.identify,
    list: (asked, signal) => {
      listing = createListing(client, { ...asked, families: asked.families === true && options.records === "all" });
      return listAll(session, asked, signal);
    },
    covers: (key) => coversRecord(session, key),
    takes: (key) => takesRecord(session, key),
    follow: (record) => followRecord(session, record),
    read: async (key, signal) => READERS[kindOf(key)]?.(session, key, signal),
    readMedia: (use, signal) => readMediaItem(session, use, signal),
    open: openMedia,
  };
}

type ListKind = (
  session: SiteSession,
  options: ListOptions,
  signal: AbortSignal,
) => Iterable<Listed> | AsyncIterable<Listed>;

/** In the order in which kinds build on each other. Media are named by the items that use them, there is no list of them. */
const LISTS = [
  ["record", () => listRecords()],
  ["category", (session, _options, signal) => listWikis(session, "CATEGORY", signal)],
  ["wiki", listPages],
  ["guide", (session, options, signal) => listGuides(session, options.includePrivate, signal)],
] as const satisfies readonly (readonly [ItemKind, ListKind])[];

const READERS: Readonly<
  Record<string, (session: SiteSession, key: Key, signal: AbortSignal) => Promise<Item | undefined>>
> = { guide: readGuideItem, category: readWikiItem, wiki: readWikiItem, record: readRecord };

async function* listAll(session: SiteSession, options: ListOptions, signal: AbortSignal): AsyncGenerator<Listed> {
  for (const [kind, list] of LISTS) {
    if (options.kinds.has(kind)) yield* list(session, options, signal);
  }
  if (session.listing().families && options.kinds.has("record")) yield* listFamilies(session);
}

async function* listPages(session: SiteSession, _options: ListOptions, signal: AbortSignal): AsyncGenerator<Listed> {
  for (const namespace of NAMESPACES) {
    if (namespace !== "CATEGORY") yield* listWikis(session, namespace, signal);
  }
}
