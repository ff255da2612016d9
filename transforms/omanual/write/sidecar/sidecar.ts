import { z } from "zod";
import { type Item, itemSchema, type MediaItem } from "../../../../src/core/model/item.js";
import { canonicalJson } from "../../../../src/core/util/canonical-json.js";

/** One item as it was, and the document that was made of it. */
export interface SidecarEntry {
  /** The file beside the sidecar; null: the item has none. */
  readonly document: string | null;
  /** The document as it was written: what it says differently now was changed by somebody. */
  readonly xml: string | null;
  readonly item: Item;
  /** The media that it needs; paths count from the folder of the sidecar's item, null where the bytes were not there. */
  readonly media: readonly { readonly file: string | null; readonly item: MediaItem }[];
}

const FORMAT = "guideferry-omanual-sidecar";
const VERSION = 1;

const mediaItemSchema = itemSchema.refine((item): item is MediaItem =>
  ["image", "video", "document"].includes(item.kind),
);

const sidecarSchema = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  entries: z.array(
    z.object({
      document: z.string().nullable(),
      xml: z.string().nullable(),
      item: itemSchema,
      media: z.array(z.object({ file: z.string().nullable(), item: mediaItemSchema })),
    }),
  ),
});

/** The text of a sidecar; equal entries give equal bytes. */
export function printSidecar(entries: readonly SidecarEntry[]): string {
  return `${canonicalJson({ format: FORMAT, version: VERSION, entries })}\n`;
}

export type ReadSidecar =
  | { readonly ok: true; readonly entries: readonly SidecarEntry[] }
  | { readonly ok: false; readonly reason: string };

/** Reads the text of a sidecar. `reason` is a clause: what is wrong with it, and what can be done. */
export function readSidecar(text: string): ReadSidecar {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  const version = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(value).data?.version;
  if (version !== undefined && version > VERSION)
    return {
      ok: false,
      reason: `a newer guideferry wrote it (version ${version}, this one reads ${VERSION}); update guideferry`,
    };
  const result = sidecarSchema.safeParse(value);
  if (result.success) return { ok: true, entries: result.data.entries };
  const [issue] = result.error.issues;
  return {
    ok: false,
    reason: `it is not as guideferry writes it (${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""})`,
  };
}
