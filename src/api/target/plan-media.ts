import { extname } from "node:path";
import type { Loaded, Operation } from "../../contracts.js";
import type { MediaItem } from "../../model/item.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan.js";

/** One upload. Without bytes there is nothing to plan: the extract has listed why they are missing. */
export function planMedia(item: MediaItem, _loaded: Loaded, options: PlanOptions): readonly Operation[] {
  const { content } = item.body;
  if (content === null) return [];
  const fileName = uploadName(item);
  const label = `${item.kind} ${item.body.id} (${item.body.fileName ?? fileName})`;
  return [
    operation(
      { id: item.key, item: item.key, label, call: { verb: "upload", media: item.key, fileName, content } },
      options.output,
    ),
  ];
}

/** Characters of the hash that an upload's name carries, so that `find` recognises our own uploads (architecture, "How find is certain"). */
export const HASH_CHARACTERS = 12;

const EXTENSIONS: Readonly<Record<string, string>> = {
  "image/jpeg": ".jpg",
  "image/png": ".png",
  "image/gif": ".gif",
  "image/webp": ".webp",
  "image/bmp": ".bmp",
  "image/tiff": ".tiff",
  "video/mp4": ".mp4",
  "video/webm": ".webm",
  "video/quicktime": ".mov",
  "application/pdf": ".pdf",
};
const FALLBACK_EXTENSION: Readonly<Record<MediaItem["kind"], string>> = {
  image: ".jpg",
  video: ".mp4",
  document: ".pdf",
};

/** `drawing-0123456789ab.png`: the site goes by the extension (api-facts 5.2), so one is made up from the type where there is none. */
function uploadName(item: MediaItem): string {
  const given = item.body.fileName ?? `${item.kind}-${item.body.id}`;
  const extension = extname(given);
  const stem = given.slice(0, given.length - extension.length);
  const typed = EXTENSIONS[item.body.content?.type ?? ""] ?? FALLBACK_EXTENSION[item.kind];
  const hash = (item.body.content?.sha256 ?? "").slice(0, HASH_CHARACTERS);
  return `${stem}-${hash}${extension === "" ? typed : extension}`;
}
