import { writableAddress } from "../wiki/draft.js";

/** A video at a service that the site can embed. */
export interface ServiceVideo {
  readonly service: "youtube" | "vimeo";
  readonly id: string;
}

// Addresses of pages, of frames, and short ones. Ids are what the services give out: letters,
// digits, `-` and `_`.
const ADDRESSES: readonly (readonly [ServiceVideo["service"], RegExp])[] = [
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/watch\?(?:[^#]*&)?v=([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/(?:[\w-]+\.)?youtube(?:-nocookie)?\.com\/(?:embed|v|shorts|live)\/([\w-]+)/i],
  ["youtube", /^(?:https?:)?\/\/youtu\.be\/([\w-]+)/i],
  ["vimeo", /^(?:https?:)?\/\/(?:player\.|www\.)?vimeo\.com\/(?:video\/)?(\d+)/i],
];

/** Reads a video's address; undefined when it is at no known service. */
export function readVideoAddress(address: string): ServiceVideo | undefined {
  for (const [service, pattern] of ADDRESSES) {
    const id = pattern.exec(address.trim())?.[1];
    if (id !== undefined) return { service, id };
  }
  return undefined;
}

/**
 * The address of the page that shows the video of a page, frame or short address, with all else
 * that this says: its scheme, and fields such as the second that it starts at. undefined when it is
 * at no known service.
 */
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

/** Addresses of frames and files, which are no pages. */
const PLAYER =
  /^\/\/(?:[\w-]+\.)?(?:youtube(?:-nocookie)?\.com\/(?:embed|v)\/|youtube-nocookie\.com|player\.vimeo\.com\/)/i;

/** The site writes it behind each of its videos (real, wiki-syntax 3.4). */
const SITE_SETTING = "wmode=opaque";

/** The address of the page that shows the video: what people write into a text. */
export function videoPage({ service, id }: ServiceVideo): string {
  return service === "youtube" ? `https://www.youtube.com/watch?v=${id}` : `https://vimeo.com/${id}`;
}
