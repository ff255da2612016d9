import type { Listed, ListOptions, Opened, Source } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Item, Media, MediaItem, MediaUse } from "../../core/model/item.js";
import { type ItemKind, idIn, type Key, kindOf, NAMESPACES, restOf } from "../../core/model/key.js";
import { type Client, segment } from "../http/client.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { readReleases, releaseKey, releaseRows } from "../wire/guide-lists.js";
import { answerOf, JsonCursor, type ParseContext } from "../wire/json-cursor.js";
import { MediaUses, readDocumentDetail, readImageDetail, readVideoDetail } from "../wire/media.js";
import { readTeam } from "../wire/people.js";
import { type Hierarchy, readHierarchy, readOrderedHierarchy } from "../wire/wiki.js";
import { listGuides, readGuideItem } from "./guides.js";
import { askListRecord, askRecord, type RecordAnswer } from "./record-answer.js";
import { coversRecord, followRecord, listFamilies, listRecords, readRecord, takesRecord } from "./records.js";
import {
  askSiteInfo,
  changeToken,
  identifySite,
  ListedRows,
  type Listing,
  once,
  parseContextOf,
  quietCursor,
  type SiteSession,
  type SourceOptions,
} from "./session.js";
import { listWikis, readWikiItem } from "./wikis.js";

/** Opens the file at an address from a site's answer, from a position on. */
export type OpenMedia = (url: string, from: number, signal: AbortSignal) => Promise<Opened>;

interface SourceParts {
  readonly client: Client;
  readonly openMedia: OpenMedia;
  readonly name: string;
  readonly options: SourceOptions;
}

/** A site of the service as a source: docs/design/reading-a-site.md. */
export function createSource({ client, openMedia, name, options }: SourceParts): Source {
  let listing: Listing = createListing(client, {});
  let known: RecordAnswer | undefined;
  const identify = once((signal) =>
    identifySite(client, signal, async (asked) => {
      known = await askSiteInfo(client, asked);
      return known;
    }),
  );
  const session: SiteSession = {
    client,
    options,
    identify,
    info: async (signal) => {
      const answer = known ?? (await askSiteInfo(client, signal));
      known = undefined;
      return answer;
    },
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

/** In the order of dependencies. Media have no list: items name them. */
const LISTS = [
  ["record", () => listRecords()],
  ["category", (session, _options, signal) => listWikis(session, "CATEGORY", signal)],
  ["wiki", listOtherWikis],
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

async function* listOtherWikis(
  session: SiteSession,
  _options: ListOptions,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  for (const namespace of NAMESPACES) {
    if (namespace !== "CATEGORY") yield* listWikis(session, namespace, signal);
  }
}

function createListing(
  client: Client,
  { since = null, families = false, allComments = false, rows }: Partial<ListOptions>,
): Listing {
  return {
    since,
    families,
    allComments,
    followed: new Set(),
    refused: new Set(),
    privateListed: false,
    rows: new ListedRows(rows),
    languages: new Set(),
    hierarchy: once((signal) => askHierarchy(client, signal)),
    releases: once((signal) => askReleases(client, signal)),
    teams: once((signal) => askTeams(client, signal)),
  };
}

async function askReleases(client: Client, signal: AbortSignal) {
  const path = "guides/releases";
  const place = (json: unknown) => quietCursor({ client }, path, json);
  const answer = await askListRecord(
    client,
    {
      path,
      query: {},
      order: "fixed",
      rowsOf: (json) => releaseRows(place(json)),
      keyOf: releaseKey,
    },
    signal,
  );
  return { answer, byGuide: readReleases(place(answer.answer).items()) };
}

async function askTeams(client: Client, signal: AbortSignal) {
  const { answer } = await askRecord(client, "teams", {}, signal);
  const teams = quietCursor({ client }, "teams", answer)
    .items()
    .flatMap((place) => readTeam(place) ?? []);
  return new Map(teams.map((team) => [team.id, team]));
}

const TREE = { includeStubs: true } as const;

/** In the best form of the site (api-facts 8.1, 8.5). `includeStubs`: also empty categories. */
async function askHierarchy(
  client: Client,
  signal: AbortSignal,
): Promise<{ readonly answer: RecordAnswer; readonly places: Hierarchy }> {
  const ordered = await askRecord(client, "wikis/CATEGORY", { display: "hierarchyOrder", ...TREE }, signal);
  const inOrder =
    ordered.status === 200 ? readOrderedHierarchy(quietCursor({ client }, ordered.path, ordered.answer)) : undefined;
  if (inOrder !== undefined) return { answer: ordered, places: inOrder };
  const keyed = await askRecord(client, "wikis/CATEGORY", { display: "hierarchy", ...TREE }, signal);
  const usable = keyed.status === 200 && !Array.isArray(keyed.answer);
  const answer = usable ? keyed : await askRecord(client, "categories", {}, signal);
  return { answer, places: readHierarchy(quietCursor({ client }, answer.path, answer.answer)) };
}

type MediaKind = MediaItem["kind"];

interface MediaRules {
  readonly path: string;
  /** Is the detail read although the address is known? */
  readonly asksDetail: (session: SiteSession) => boolean;
  /** `uses` gets the media that the item itself needs. */
  readonly read: (detail: JsonCursor, uses: MediaUses) => Media | undefined;
}

/** docs/design/reading-a-site.md says when a detail is read. */
const RULES: Readonly<Record<MediaKind, MediaRules>> = {
  image: { path: "media/images", asksDetail: asksImageDetail, read: readImageDetail },
  video: { path: "media/videos", asksDetail: () => true, read: readVideoDetail },
  document: { path: "media/documents", asksDetail: () => false, read: readDocumentDetail },
};

/** XML names images by address only. */
function asksImageDetail({ options }: SiteSession): boolean {
  return options.imageDetails && options.format !== "xml-only";
}

/**
 * A media item without its file. undefined: unknown to the site. Throws FerryError while it has no
 * address (a video that is being transcoded).
 */
async function readMediaItem(session: SiteSession, use: MediaUse, signal: AbortSignal): Promise<MediaItem | undefined> {
  const rules = RULES[kindOf(use.key) as MediaKind];
  if (use.url !== null && !rules.asksDetail(session))
    return itemOf(session, use, { media: mediaOf(use, use.url), needs: [], raw: { use }, issues: [] });
  // A reference may name a medium by its guid (wiki-syntax); the site accepts both.
  const path = `${rules.path}/${segment(restOf(use.key))}`;
  // A picture with a known address exists, even if its detail is forbidden (api-facts 5.1).
  const expect = use.url === null ? NOT_AVAILABLE : [403, ...NOT_AVAILABLE];
  const { status, json } = await session.client.get(path, { expect }, signal);
  const issues: Issue[] = [];
  const reading = parseContextOf(session, use.key, path, (issue) => issues.push(issue));
  if (status === 200) {
    const { media, needs } = detailOf(rules, json, use.key, reading);
    // Else the name of an uploaded image would depend on which mention is read first: only texts
    // need the detail.
    const named = kindOf(use.key) === "image" && !rules.asksDetail(session) ? { ...media, fileName: null } : media;
    return itemOf(session, use, { media: named, needs, raw: { json }, issues });
  }
  if (use.url === null) return undefined;
  new JsonCursor(undefined, reading).report(
    "no-detail",
    "note",
    `was answered ${status}: its annotations and camera data are unknown`,
  );
  return itemOf(session, use, { media: mediaOf(use, use.url), needs: [], raw: { use }, issues });
}

function detailOf(rules: MediaRules, json: unknown, key: Key, reading: ParseContext): Pick<Found, "media" | "needs"> {
  const uses = new MediaUses();
  const media = rules.read(answerOf(json, reading), uses);
  if (media !== undefined) return { media, needs: uses.list() };
  throw new FerryError(
    `${reading.endpoint} gives no address for ${key}. The site may still be preparing the file. ` +
      "Run the same command again later: guideferry tries again.",
    { retriable: true },
  );
}

function mediaOf(use: MediaUse, url: string): Media {
  const { guid, fileName } = use;
  return {
    id: idIn(use.key),
    guid,
    fileName,
    url,
    width: null,
    height: null,
    markup: null,
    sourceImage: null,
    content: null,
  };
}

interface Found {
  readonly media: Media;
  readonly needs: readonly MediaUse[];
  readonly raw: object;
  readonly issues: readonly Issue[];
}

function itemOf({ options }: SiteSession, use: MediaUse, { media, needs, raw, issues }: Found): MediaItem {
  const body = { ...media, fileName: media.fileName ?? use.fileName, guid: media.guid ?? use.guid };
  return {
    key: use.key,
    kind: kindOf(use.key) as MediaKind,
    // A guid never changes its bytes; `imageDetails` counts, so that details are read later.
    revision: changeToken(body.guid ?? body.url, options.imageDetails),
    raw,
    media: needs,
    translations: [],
    issues,
    body,
  };
}
