import { FerryError } from "../../core/errors.js";
import type { Issue } from "../../core/model/issue.js";
import type { Media, MediaItem, MediaUse } from "../../core/model/item.js";
import { idIn, type Key, kindOf, restOf } from "../../core/model/key.js";
import { segment } from "../http/client.js";
import { NOT_AVAILABLE } from "../http/status-error.js";
import { answerOf, JsonCursor, type ParseContext } from "../wire/json-cursor.js";
import { MediaUses, readDocumentDetail, readImageDetail, readVideoDetail } from "../wire/media.js";
import { changeToken, parseContextOf, type SiteSession } from "./session.js";

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
export async function readMediaItem(
  session: SiteSession,
  use: MediaUse,
  signal: AbortSignal,
): Promise<MediaItem | undefined> {
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
