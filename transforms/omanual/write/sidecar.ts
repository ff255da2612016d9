import { z } from "zod";
import { messageOf } from "../../../src/core/errors.js";
import { type Item, itemSchema, type MediaItem } from "../../../src/core/model/item.js";
import { isMediaKind, type Key, kindOf, restOf } from "../../../src/core/model/key.js";
import { canonicalJson, digest } from "../../../src/core/util/json.js";
import { slug } from "./names.js";

export interface SidecarEntry {
  /** Next to the sidecar; null: the item has no document. */
  readonly document: string | null;
  /** The written document, for the detection of later changes. */
  readonly xml: string | null;
  readonly item: Item;
  /** Needed media; paths are relative to the item's folder, null: the bytes were missing. */
  readonly media: readonly { readonly file: string | null; readonly item: MediaItem }[];
}

const FORMAT = "guideferry-omanual-sidecar";
const VERSION = 1;

const mediaItemSchema = itemSchema.refine((item): item is MediaItem => isMediaKind(item.kind));

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

/** Equal entries give equal bytes. */
export function printSidecar(entries: readonly SidecarEntry[]): string {
  return `${canonicalJson({ format: FORMAT, version: VERSION, entries })}\n`;
}

type ReadSidecar =
  | { readonly ok: true; readonly entries: readonly SidecarEntry[] }
  | { readonly ok: false; readonly reason: string };

/** `reason`: a clause with the problem and the remedy. */
export function readSidecar(text: string): ReadSidecar {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, reason: `it is not JSON (${messageOf(error)})` };
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
    reason: `it does not have the form that guideferry writes (${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""})`,
  };
}

export const SIDECAR = "guideferry.json";

/** `guideferry/wiki-ITEMShuttle-0a1b2c3d4e5f6071.json`, of an item without a document. */
export function sidecarName(key: Key): string {
  return `guideferry/${kindOf(key)}-${slug(restOf(key))}-${digest(key).slice(0, 16)}.json`;
}

export function isOwnSidecar(path: string): boolean {
  return /(?:^|\/)guideferry\/[a-z]+-[A-Za-z0-9_-]*-[0-9a-f]{16}\.json$/.test(path);
}

/** With its slash, or empty. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/") + 1);
}
