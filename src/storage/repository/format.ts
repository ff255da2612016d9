import { crc32 } from "node:zlib";
import { z } from "zod";
import { keySchema, siteSchema } from "../../core/model/identity.js";
import { ITEM_KINDS } from "../../core/model/key.js";
import type { JsonObject } from "../../core/util/json.js";

// The shapes of README.md. Unknown fields are let through, so that a later minor addition doesn't
// lock an older reader out.

/** The format of README.md; raised by whatever an older guideferry would misread. */
export const REPOSITORY_FORMAT = 1;

/** Default of `--part-size`, in bytes of contents. */
export const PART_BYTES = 4_000_000_000;

/** `20261120T030000Z`: UTC, to the second. Sorts as its time. */
export const snapshotIdSchema = z.string().regex(/^\d{8}T\d{6}Z$/, "expected a time such as 20261120T030000Z");
export type SnapshotId = z.infer<typeof snapshotIdSchema>;

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const bytesSchema = z.number().int().nonnegative();
const secondsSchema = z.number().int();

/** Where bytes lie: a file of the repository, and the path of the entry in it. */
const placeShape = { sha256: sha256Schema, size: bytesSchema, archive: z.string(), path: z.string() };

/** `repository.json`. */
export const repositorySchema = z.object({
  format: z.literal(REPOSITORY_FORMAT),
  name: z.string(),
  /** ISO time. */
  created: z.string(),
  madeBy: z.string(),
  /** Whose backups these are, to refuse those of another site before anything is written. */
  site: z.object({ root: z.string(), siteId: z.string().nullable() }).optional(),
});
export type RepositoryStamp = Readonly<z.infer<typeof repositorySchema>>;

const presentRowSchema = z.object({
  key: keySchema,
  kind: z.enum(ITEM_KINDS),
  state: z.literal("present"),
  /** The change token, see the item; empty: what belongs to it was not all had. */
  revision: z.string(),
  title: z.string(),
  category: z.string().nullable(),
  /** UNIX seconds. */
  modified: z.number().nullable(),
  /** UNIX seconds at which it was last compared with the site. */
  read: secondsSchema,
  ...placeShape,
});
const deletedRowSchema = z.object({
  key: keySchema,
  kind: z.enum(ITEM_KINDS),
  state: z.literal("deleted"),
  revision: z.string(),
  title: z.string(),
  /** The snapshot that no longer had it first. */
  deleted: snapshotIdSchema,
});
/** A line of `items.ndjson`. */
export const itemRowSchema = z.discriminatedUnion("state", [presentRowSchema, deletedRowSchema]);
export type ItemRow = Readonly<z.infer<typeof itemRowSchema>>;
export type PresentRow = Extract<ItemRow, { readonly state: "present" }>;

/** A line of `media.ndjson`. */
export const mediaRowSchema = z.object({ ...placeShape });
export type MediaRow = Readonly<z.infer<typeof mediaRowSchema>>;

/** What bytes are known by, wherever their row came from. */
export type Place = Pick<MediaRow, "sha256" | "size" | "archive" | "path">;

const countsSchema = z.object({
  /** Items of the site now. */
  present: z.number().int(),
  new: z.number().int(),
  changed: z.number().int(),
  /** Gone since the snapshot before. */
  deleted: z.number().int(),
  /** Contents that present items name, and their bytes. */
  media: z.number().int(),
  mediaBytes: bytesSchema,
  newMedia: z.number().int(),
});
export type SnapshotCounts = Readonly<z.infer<typeof countsSchema>>;

const kindSchema = z.enum(["full", "incremental"]);
export type SnapshotKind = z.infer<typeof kindSchema>;

/** Snapshots since the last full one; 0: this one is full. Archives of early versions don't say. */
const sinceFullSchema = z.number().int().nonnegative().optional();

const rowsSchema = z.object({ count: z.number().int(), sha256: sha256Schema });

/** How a site was read, as far as the bytes of its items depend on it. All records always are. */
const readingSchema = z.object({
  imageDetails: z.boolean(),
  format: z.enum(["json", "xml", "xml-only"]),
  /** Empty: all that the site names. */
  languages: z.array(z.string()),
  personalData: z.boolean(),
});
export type ReadingOptions = Readonly<z.infer<typeof readingSchema>>;

/**
 * What manifest and index say of what vanished at once. Absent: nothing of it, or an older
 * guideferry wrote it.
 */
const deletionsShape = {
  /**
   * Lists of which more vanished in this run than --max-deletions allows, with how many rows they
   * had, and how many of these are gone.
   */
  manyDeleted: z.array(z.object({ list: z.string(), present: z.number().int(), gone: z.number().int() })).optional(),
  /**
   * The run was told that everything may be deleted: what earlier snapshots say of `manyDeleted` is
   * agreed to.
   */
  deletionsAccepted: z.literal(true).optional(),
};
const deletionsSchema = z.object(deletionsShape);
export type Deletions = Readonly<z.infer<typeof deletionsSchema>>;

/**
 * What a manifest tells of how its night went, beside failures. Absent fields: nothing of it, or an
 * older guideferry wrote it.
 */
const notesShape = {
  /**
   * Listed, and not in it, or as it was before: not shown to this account since it is archived, or
   * deleted before it was read.
   */
  leftOut: z.array(z.object({ key: z.string(), why: z.enum(["archived", "vanished"]) })).optional(),
  /**
   * Records, or families of them, that the site refused, with its status; what was had of them
   * before stays.
   */
  refused: z.array(z.object({ key: z.string(), status: z.number().int() })).optional(),
  /**
   * How many guides and pages no list showed, which stand as they were at their `read`: private
   * ones that were not asked for, refused lists.
   */
  kept: z.number().int().optional(),
  /** So a repair reads it, to have the same bytes. */
  reading: readingSchema.optional(),
};
const notesSchema = z.object(notesShape);
export type ManifestNotes = Readonly<z.infer<typeof notesSchema>>;

/** `manifest.json`. */
export const manifestSchema = z.object({
  format: z.literal(REPOSITORY_FORMAT),
  madeBy: z.string(),
  name: z.string(),
  snapshot: snapshotIdSchema,
  kind: kindSchema,
  sinceFull: sinceFullSchema,
  /** The snapshot before; null: the first one. */
  previous: snapshotIdSchema.nullable(),
  site: siteSchema,
  /** ISO times. */
  started: z.string(),
  finished: z.string(),
  /** false: some items failed; they stand as they were in the snapshot before, or are missing. */
  complete: z.boolean(),
  failures: z.array(z.object({ key: z.string(), stage: z.string(), reason: z.string(), remedy: z.string() })),
  /** Whether private guides are in it. */
  privateIncluded: z.enum(["yes", "no-not-admin", "no-by-request"]),
  /** The families with personal data that are in it; empty: none was asked for. */
  personalData: z.array(z.string()),
  ...notesShape,
  ...deletionsShape,
  counts: countsSchema,
  /** Every archive that rows name; sha256 null: the one that this manifest lies in. */
  archives: z.array(z.object({ name: z.string(), bytes: bytesSchema.nullable(), sha256: sha256Schema.nullable() })),
  items: rowsSchema,
  media: rowsSchema,
});
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

/** A file of a snapshot, as it lies in the folder. */
const archiveFileSchema = z.object({
  name: z.string(),
  bytes: bytesSchema,
  sha256: sha256Schema,
  /** Of the zip inside, where the file is encrypted; else null. */
  plain: z.object({ bytes: bytesSchema, sha256: sha256Schema }).nullable(),
});
export type ArchiveFile = Readonly<z.infer<typeof archiveFileSchema>>;

/** `….index.json` */
export const indexSchema = z.object({
  format: z.literal(REPOSITORY_FORMAT),
  madeBy: z.string(),
  name: z.string(),
  snapshot: snapshotIdSchema,
  kind: z.enum(["full", "incremental", "repair"]),
  sinceFull: sinceFullSchema,
  /** A full snapshot was due, one every so many, and waited for a key. */
  fullDue: z.number().int().min(0).optional(),
  previous: snapshotIdSchema.nullable(),
  /** ISO times. */
  started: z.string(),
  finished: z.string(),
  complete: z.boolean(),
  encrypted: z.boolean(),
  /** Its own files, parts first, the main archive last. */
  archives: z.array(archiveFileSchema).min(1),
  /** Files of other snapshots that its rows name, with how many contents and bytes of each. */
  needs: z.array(z.object({ archive: z.string(), contents: z.number().int(), bytes: bytesSchema })),
  ...deletionsShape,
  counts: countsSchema,
});
export type SnapshotIndex = Readonly<z.infer<typeof indexSchema>>;

/**
 * The checksum of a row that is written: of its JSON without `read`, which may be another each
 * night in a row that says the same, and without the checksum itself. Eight hexadecimal digits.
 */
export function rowSum({ read: _read, sum: _sum, ...said }: JsonObject): string {
  return crc32(JSON.stringify(said)).toString(16).padStart(8, "0");
}
