import { writableAddress } from "../wiki/draft.js";

/** A video at a service that the site can embed. */
export interface ServiceVideo {
  readonly service: "youtube" | "vimeo";
  readonly id: string;
}

// Addresses of pages and frames, and short ones. Ids of the services have letters, digits, `-` and
// `_`.
const ADDRESSES: readonly (readonly [ServiceVideo["service"], RegExp])[] = [
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/watch\?(?:[^#]*&)?v=([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/(?:embed|v|shorts|live)\/([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/youtu\.be\/([\w-]+)/i],
  ["vimeo", /^(?:https?:)?\/\/(?:player\.|www\.)?vimeo\.com\/(?:video\/)?(\d+)/i],
];

/** undefined: no known service. */
export function readVideoAddress(address: string): ServiceVideo | undefined {
  for (const [service, pattern] of ADDRESSES) {
    const id = pattern.exec(address.trim())?.[1];
    if (id !== undefined) return { service, id };
  }
  return undefined;
}

/** Keeps the scheme and fields such as the start second; undefined: no known service. */
export function videoPageOf(address: string): string | undefined {
  const found = readVideoAddress(address);
  if (found === undefined) return undefined;
  const [, scheme = "https:", rest = "", query, hash = ""] = PARTS.exec(address.trim()) ?? [];
  if (!PLAYER.test(rest)) return writableAddress(scheme + rest + (query === undefined ? "" : `?${query}`) + hash);
  const fields = (query ?? "").split("&").filter((field) => field !== "" && field !== SITE_SETTING);
  const page = videoPage(found).replace(/^https:/, scheme);
  const settings = fields.map((field) => (found.service === "youtube" ? field.replace(/^start=/, "t=") : field));
  const mark = page.includes("?") ? "&" : "?";
  return writableAddress(page + (settings.length === 0 ? "" : mark + settings.join("&")) + hash);
}

const PARTS = /^(https?:)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is;

/** Addresses of frames and files, which are not pages. */
const PLAYER =
  /^\/\/(?:[\w-]+\.)?(?:youtube(?:-nocookie)?\.com\/(?:embed|v)\/|youtube-nocookie\.com|player\.vimeo\.com\/)/i;

/** The site appends it to each of its videos (real, wiki-syntax 3.4). */
const SITE_SETTING = "wmode=opaque";

/** The address of the video's page, as people write it. */
export function videoPage({ service, id }: ServiceVideo): string {
  return service === "youtube" ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
