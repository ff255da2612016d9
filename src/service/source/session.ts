import type { Texts } from "../../core/contracts.js";
import { UsageError } from "../../core/errors.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Issue, Report } from "../../core/model/issue.js";
import type { Key, Namespace } from "../../core/model/key.js";
import { digest, isObject } from "../../core/util/json.js";
import type { Client } from "../http/client.js";
import { REFUSED } from "../http/status-error.js";
import { type GuideReleases, readGuideSummary } from "../wire/guide-lists.js";
import { JsonCursor, type ParseContext } from "../wire/json-cursor.js";
import { readAccount, type Team } from "../wire/people.js";
import { readDialect, readSiteInfo } from "../wire/site.js";
import type { Hierarchy } from "../wire/wiki.js";
import { askRecord, type RecordAnswer } from "./record-answer.js";

export interface SourceOptions {
  /** Also read each image's annotations and camera data: one more request for each image. */
  readonly imageDetails: boolean;
  /** `xml`: also as XML, one more request each. `xml-only`: only XML, with its losses. */
  readonly format: "json" | "xml" | "xml-only";
  /** Translations to read, by language id; empty: all that the site names. */
  readonly languages: readonly string[];
  /**
   * What visitors see (`latest`), the last release, or the newest edit, which may wait for approval
   * (api-facts 3.1, 8.1). Default: `latest`.
   */
  readonly version?: "latest" | "released" | "pending";
  /** Answers kept as records: the few of a migration, or `all` (a backup). Default: `basic`. */
  readonly records?: "basic" | "all";
  /** With `all`: also personal data. Default: no. */
  readonly personalData?: boolean;
}

/** Facts of a list row that the item's own answer doesn't repeat. */
export interface RowFacts {
  /** The id of the guide or page; null where the list has none. */
  readonly id: number | null;
  readonly token: string;
  /** undefined: the list has no tags. */
  readonly tags: readonly string[] | undefined;
  readonly archived: boolean;
  /** False for pages. */
  readonly public: boolean;
  /** Fields of the row that the full answer lacks, unchanged. */
  readonly rest: unknown;
  readonly issues: readonly Issue[];
}

/** The facts of all rows, as texts: a site may have a hundred thousand guides. */
export class ListedRows {
  readonly #rows: Texts;

  constructor(rows: Texts = new Map<string, string>()) {
    this.#rows = rows;
  }

  set(key: Key, facts: RowFacts): void {
    this.#rows.set(key, JSON.stringify([key, facts]));
  }

  get(key: Key): RowFacts | undefined {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : entryOf(row)[1];
  }

  *entries(): Generator<readonly [Key, RowFacts]> {
    for (const row of this.#rows.values()) yield entryOf(row);
  }
}

function entryOf(row: string): readonly [Key, RowFacts] {
  return JSON.parse(row);
}

/** Facts of a listing for the reads after it. */
export interface Listing {
  /** UNIX seconds of the last complete extract, or null. */
  readonly since: number | null;
  /** All comments, whatever `since` is. */
  readonly allComments: boolean;
  readonly rows: ListedRows;
  readonly families: boolean;
  /** Paths of lists whose rows' own records were listed, see `records.ts`. */
  readonly followed: Set<string>;
  readonly refused: Set<Namespace>;
  privateListed: boolean;
  /** Languages of pages that were found in this extract. */
  readonly languages: Set<string>;
  readonly hierarchy: (signal: AbortSignal) => Promise<{ readonly answer: RecordAnswer; readonly places: Hierarchy }>;
  readonly releases: (
    signal: AbortSignal,
  ) => Promise<{ readonly answer: RecordAnswer; readonly byGuide: ReadonlyMap<number, GuideReleases> }>;
  /** The site's teams by id: some guides name their viewing teams by id only. */
  readonly teams: (signal: AbortSignal) => Promise<ReadonlyMap<number, Team>>;
}

export interface SiteSession {
  readonly client: Client;
  readonly options: SourceOptions;
  readonly identify: (signal: AbortSignal) => Promise<SiteIdentity>;
  /** `sites/info`; the answer that identified the site is the first one. */
  readonly info: (signal: AbortSignal) => Promise<RecordAnswer>;
  readonly listing: () => Listing;
}

export function parseContextOf(
  session: Pick<SiteSession, "client">,
  key: Key,
  path: string,
  report: Report,
): ParseContext {
  return { key, endpoint: `GET ${path}`, origin: new URL(session.client.root).origin, report };
}

/** For answers whose issues are not reported: identities, viewers' team names. */
export function quietCursor(session: Pick<SiteSession, "client">, path: string, json: unknown): JsonCursor {
  return new JsonCursor(
    json,
    parseContextOf(session, "record/site", path, () => undefined),
  );
}

const USUAL_LANGUAGE = "en";

export function askSiteInfo(client: Client, signal: AbortSignal): Promise<RecordAnswer> {
  return askRecord(client, "sites/info", {}, signal);
}

/**
 * Three reads, and a guide where the list is not enough. Only the list of guides must be answered:
 * `GET user` is 401 without a sign-in. Throws UsageError without a list of guides, since the
 * address is not that of an API.
 *
 * @param askInfo default: requests it
 */
export async function identifySite(
  client: Client,
  signal: AbortSignal,
  askInfo: SiteSession["info"] = (asked) => askSiteInfo(client, asked),
): Promise<SiteIdentity> {
  const [user, info, guides] = await Promise.all([
    client.get("user", { expect: REFUSED }, signal),
    askInfo(signal),
    client.get("guides", { query: { limit: 1 }, expect: [404] }, signal),
  ]);
  if (guides.status === 404) throw noApi(client);
  const site = readSiteInfo(quietCursor({ client }, "sites/info", info.answer ?? {}));
  const [first] = quietCursor({ client }, "guides", guides.json).items();
  const summary = first === undefined ? undefined : readGuideSummary(first);
  const { origin, hostname } = new URL(client.root);
  const language = site.language ?? (summary?.language || USUAL_LANGUAGE);
  return {
    root: client.root,
    origin,
    siteId: site.siteId,
    name: site.name ?? hostname,
    dialect: await askDialect(client, first?.value, signal),
    hosts: [...new Set([hostname.toLowerCase(), ...site.hosts])],
    language,
    languages: [...new Set([language, ...site.languages])],
    account: user.status === 200 ? readAccount(quietCursor({ client }, "user", user.json)) : null,
  };
}

/**
 * The dialect (api-facts 0.3) by a row of a list of guides; undefined: no row. A row with only
 * `revisionid` fits both, so the guide itself is read.
 */
export async function askDialect(client: Client, row: unknown, signal: AbortSignal): Promise<SiteIdentity["dialect"]> {
  const reported = (json: unknown) => readDialect(quietCursor({ client }, "guides", json));
  const id = isObject(row) ? row["guideid"] : undefined;
  if (id === undefined || reported(row) === "dozuki") return reported(row);
  const query = { excludePrerequisiteSteps: true } as const;
  const { status, json } = await client.get(`guides/${String(id)}`, { query, expect: REFUSED }, signal);
  return status === 200 ? reported(json) : "unknown";
}

function noApi({ root }: Client): UsageError {
  return new UsageError(
    `There is no API 2.0 at ${root}: GET ${root}/guides was answered 404, and every site has that list. ` +
      "Check the address: use the site itself (https://site.example) or its API root (https://site.example/api/2.0).",
  );
}

/** The languages of a guide: those that the site names, else all possible ones. */
export async function otherLanguages(
  session: SiteSession,
  guide: { readonly id: number; readonly language: string },
  available: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly Key[]> {
  const wanted = session.options.languages;
  const candidates = available ?? (wanted.length > 0 ? wanted : await siteLanguages(session, signal));
  return [...new Set(candidates)]
    .filter((language) => language !== guide.language && (wanted.length === 0 || wanted.includes(language)))
    .map((language): Key => `guide/${guide.id}@${language}`);
}

async function siteLanguages(session: SiteSession, signal: AbortSignal): Promise<readonly string[]> {
  return [...(await session.identify(signal)).languages, ...session.listing().languages];
}

/** Asks at the first call only. After a failure the next call asks again. */
export function once<T>(ask: (signal: AbortSignal) => Promise<T>): (signal: AbortSignal) => Promise<T> {
  let asked: Promise<T> | undefined;
  return (signal) => {
    asked ??= ask(signal).catch((error: unknown) => {
      asked = undefined;
      throw error;
    });
    return asked;
  };
}

/** 64 bits */
const LENGTH = 16;

/** Equal for equal values. docs/design/reading-a-site.md lists the values of each kind. */
export function changeToken(...values: readonly unknown[]): string {
  return digest(values).slice(0, LENGTH);
}
