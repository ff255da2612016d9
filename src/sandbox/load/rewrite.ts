import { type Answer, isAnswer } from "../state/answer.js";
import type { Site } from "../state/site.js";
import { imageView } from "../views/image-view.js";
import { guidOf, isImage } from "./collect.js";

/** Returns an answer with every media address pointed to this site's own media. */
export type Rewrite = (answer: Answer) => Answer;

/**
 * Points media addresses to this site, so that nobody calls the CDN that an answer came from. All media must be known
 * by now. Raw texts stay as they are: they are content.
 */
export function createRewrite(site: Site): Rewrite {
  const tables = [site.media.images, site.media.videos, site.media.documents];
  const guids = new Set([
    ...tables.flatMap((table) => [...table.values()].map((medium) => medium.guid)),
    ...site.media.encodings.keys(),
  ]);
  const own = `https://${site.settings.domain}/static/`;
  const point = (address: string): string => {
    if (address.startsWith(own)) return `${site.mediaOrigin}/static/${address.slice(own.length)}`;
    return guids.has(guidOf(address)) ? `${site.mediaOrigin}/media/${address.split("/").at(-1)}` : address;
  };
  const rewrite = (value: unknown, field: string): unknown => {
    if (typeof value === "string") return field.endsWith("_raw") ? value : value.replaceAll(ADDRESS, point);
    if (Array.isArray(value)) return value.map((inner) => rewrite(inner, field));
    return isAnswer(value) ? rewriteObject(value) : value;
  };
  const rewriteObject = (object: Answer): Answer => {
    // An avatar's address has no guid in it, but its object has.
    const image = isImage(object) ? imageView(site, Number(object["id"])) : null;
    if (image !== null) return { ...object, ...image };
    return Object.fromEntries(Object.entries(object).map(([field, value]) => [field, rewrite(value, field)]));
  };
  return rewriteObject;
}

/** Does the same to what was kept of answers in the site's own tables. */
export function rewriteTables(site: Site, rewrite: Rewrite): void {
  const { images, videos, documents } = site.media;
  rewriteTable(images, rewrite);
  rewriteTable(videos, rewrite);
  rewriteTable(documents, rewrite);
  rewriteTable(site.users, rewrite);
  rewriteTable(site.teams, rewrite);
  for (const [flagid, answer] of site.flagTexts) site.flagTexts.set(flagid, rewrite(answer));
  for (const [styleid, answer] of site.bulletStyles) site.bulletStyles.set(styleid, rewrite(answer));
}

function rewriteTable<Entry extends { readonly loaded: Answer }>(table: Map<number, Entry>, rewrite: Rewrite): void {
  for (const [key, entry] of table) table.set(key, { ...entry, loaded: rewrite(entry.loaded) });
}

const ADDRESS = /https?:\/\/[^\s"'<>()\\]+/g;
