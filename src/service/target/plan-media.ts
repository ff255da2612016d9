import type { Loaded, Operation } from "../../core/contracts.js";
import { extensionOf } from "../../core/model/extension-of.js";
import type { MediaItem } from "../../core/model/item.js";
import { operation } from "./operation.js";
import type { PlanOptions } from "./plan-options.js";

/** One upload. Without bytes there is nothing to plan (the extract has listed why). */
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

const FALLBACK_EXTENSION: Readonly<Record<MediaItem["kind"], string>> = {
  image: "jpg",
  video: "mp4",
  document: "pdf",
};

/** `drawing-0123456789ab.png`: the site goes by the extension (api-facts 5.2), so one is made up where nothing tells. */
function uploadName({ kind, body }: MediaItem): string {
  const extension = extensionOf(body) ?? FALLBACK_EXTENSION[kind];
  const given = body.fileName ?? `${kind}-${body.id}`;
  const stem = given.toLowerCase().endsWith(`.${extension}`) ? given.slice(0, -extension.length - 1) : given;
  return `${stem}-${(body.content?.sha256 ?? "").slice(0, HASH_CHARACTERS)}.${extension}`;
}
