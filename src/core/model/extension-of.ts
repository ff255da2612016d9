import type { Media } from "./media.js";

/** The usual extension of a Content-Type; the service decides by the extension alone (api-facts 5.2). */
const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": "jpg",
  "image/png": "png",
  "image/gif": "gif",
  "image/bmp": "bmp",
  "image/tiff": "tif",
  "image/heic": "heic",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "video/ogg": "ogv",
  "video/quicktime": "mov",
  "application/pdf": "pdf",
};

/** The extension that a media item is uploaded with, lower case, without the dot; undefined: nobody knows. */
export function extensionOf(media: Media): string | undefined {
  const named = /\.([a-z0-9_]{1,10})$/i.exec(media.fileName ?? "")?.[1];
  return named?.toLowerCase() ?? EXTENSIONS[media.content?.type ?? ""];
}
