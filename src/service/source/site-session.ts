import type { SiteIdentity } from "../../core/contracts.js";
import type { Issue, Report } from "../../core/model/issue.js";
import type { Key, Namespace } from "../../core/model/key.js";
import type { Client } from "../client.js";
import type { Hierarchy } from "../wire/hierarchy.js";
import { Place, type Reading } from "../wire/place.js";
import type { GuideReleases } from "../wire/releases.js";
import type { Team } from "../wire/viewers.js";
import type { ReadManual } from "./read-manual.js";
import type { RecordAnswer } from "./record-answer.js";
import type { SourceOptions } from "./source-settings.js";

/** What a list said of an item and its own answer will not say again. */
export interface RowFacts {
  /** The number of the guide or page; null where the list has none. */
  readonly id: number | null;
  /** The token to store with the item. */
  readonly token: string;
  /** undefined: the list says nothing about tags. */
  readonly tags: readonly string[] | undefined;
  readonly archived: boolean;
  /** Guides: as the row says; false for pages. */
  readonly public: boolean;
  /** Fields of the row that the full answer lacks, as they came. */
  readonly rest: unknown;
  readonly issues: readonly Issue[];
}

/** What a listing learned, for the reads that follow it. */
export interface Listing {
  /** UNIX seconds of the last complete extract, or null. */
  readonly since: number | null;
  /** All comments, whatever `since` is. */
  readonly allComments: boolean;
  readonly rows: Map<Key, RowFacts>;
  /** Also the records of all families. */
  readonly families: boolean;
  /** Paths of the lists whose rows' own records were shown, see `follow-record.ts`. */
  readonly followed: Set<string>;
  /** Namespaces that the site refused to list. */
  readonly refused: Set<Namespace>;
  /** Were private guides among the guides? */
  privateListed: boolean;
  /** Languages that pages of the site turned out to be there in. */
  readonly languages: Set<string>;
  /** The category tree; asked for once. */
  readonly hierarchy: (signal: AbortSignal) => Promise<{ readonly answer: RecordAnswer; readonly places: Hierarchy }>;
  readonly releases: (
    signal: AbortSignal,
  ) => Promise<{ readonly answer: RecordAnswer; readonly byGuide: ReadonlyMap<number, GuideReleases> }>;
  /** The site's teams by id: a guide's viewers name some by number only. */
  readonly teams: (signal: AbortSignal) => Promise<ReadonlyMap<number, Team>>;
}

/** One site as the parts of a source share it. */
export interface SiteSession {
  readonly client: Client;
  readonly options: SourceOptions;
  readonly readManual: ReadManual;
  readonly identify: (signal: AbortSignal) => Promise<SiteIdentity>;
  readonly listing: () => Listing;
}

/** How an answer about an item is read. */
export function readingOf(session: Pick<SiteSession, "client">, key: Key, path: string, report: Report): Reading {
  return { key, endpoint: `GET ${path}`, origin: new URL(session.client.root).origin, report };
}

/** An answer whose oddities nobody can act on: identities, viewers' team names. */
export function quietPlace(session: Pick<SiteSession, "client">, path: string, json: unknown): Place {
  return new Place(
    json,
    readingOf(session, "record/site", path, () => undefined),
  );
}
