import { crc32 } from "node:zlib";
import { z } from "zod";
import { isKey, keySchema, siteSchema } from "../../core/model/identity.js";
import { ITEM_KINDS, type ItemKind } from "../../core/model/key.js";
import { isObject, type JsonObject, objectIn } from "../../core/util/json.js";

// The shapes of docs/design/repository.md. Unknown fields are accepted, so that an older reader can
// read files with later minor additions.

/**
 * Raised by every change that an older guideferry would misread. 2: rows can be differences from
 * those of a base, and can lack `read`.
 */
export const REPOSITORY_FORMAT = 2;

/** The format of archives outside a repository: whole rows, each with `read`, as in format 1. */
export const EXPORT_FORMAT = 1;

/** The formats that this version reads. */
export const formatSchema = z.union([z.literal(EXPORT_FORMAT), z.literal(REPOSITORY_FORMAT)]);

const SNAPSHOT_ID = /^\d{8}T\d{6}Z$/;
/** `20261120T030000Z`: UTC, to the second. Sorts as its time. */
export const snapshotIdSchema = z.string().regex(SNAPSHOT_ID, "expected a time such as 20261120T030000Z");
export type SnapshotId = z.infer<typeof snapshotIdSchema>;

const SHA256 = /^[0-9a-f]{64}$/;
const sha256Schema = z.string().regex(SHA256);
const bytesSchema = z.number().int().nonnegative();
const secondsSchema = z.number().int();

/** The position of bytes: a file of the repository, and the path of the entry in it. */
const placeShape = { sha256: sha256Schema, size: bytesSchema, archive: z.string(), path: z.string() };

export const repositorySchema = z.object({
  format: formatSchema,
  name: z.string(),
  /** ISO time. */
  created: z.string(),
  madeBy: z.string(),
  /** The site, to refuse backups of another one before anything is written. */
  site: z.object({ root: z.string(), siteId: z.string().nullable() }).optional(),
});
export type RepositoryStamp = Readonly<z.infer<typeof repositorySchema>>;

const presentRowSchema = z.object({
  key: keySchema,
  kind: z.enum(ITEM_KINDS),
  state: z.literal("present"),
  /** The change token, see the item; empty: parts of it could not be read. */
  revision: z.string(),
  title: z.string(),
  category: z.string().nullable(),
  /** UNIX seconds. */
  modified: z.number().nullable(),
  /** UNIX seconds of the last comparison with the site. */
  read: secondsSchema,
  ...placeShape,
});
const deletedRowSchema = z.object({
  key: keySchema,
  kind: z.enum(ITEM_KINDS),
  state: z.literal("deleted"),
  revision: z.string(),
  title: z.string(),
  /** The first snapshot without it. */
  deleted: snapshotIdSchema,
});
/** The row of an item. */
export const itemRowSchema = z.discriminatedUnion("state", [presentRowSchema, deletedRowSchema]);
export type ItemRow = Readonly<z.infer<typeof itemRowSchema>>;
export type PresentRow = Extract<ItemRow, { readonly state: "present" }>;

/** A line of `items.ndjson`: without `read`, the one of the manifest holds. */
export const storedItemRowSchema = z.discriminatedUnion("state", [
  presentRowSchema.partial({ read: true }),
  deletedRowSchema,
]);

/** A line of `media.ndjson`. */
export const mediaRowSchema = z.object({ ...placeShape });
export type MediaRow = Readonly<z.infer<typeof mediaRowSchema>>;

export type Place = Pick<MediaRow, "sha256" | "size" | "archive" | "path">;

/**
 * The row of a medium, checked by hand: the schema takes ten times as long, and a check of a
 * repository reads a row for each item and medium. undefined: the schema decides.
 */
export function usualMediaRow(value: unknown): MediaRow | undefined {
  const { sha256, size, archive, path } = objectIn(value);
  if (typeof sha256 !== "string" || !SHA256.test(sha256)) return undefined;
  if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return undefined;
  return typeof archive === "string" && typeof path === "string" ? { sha256, size, archive, path } : undefined;
}

/** The same of a present item; `snapshotRead`: the `read` of a row without one. */
export function usualItemRow(value: unknown, snapshotRead: number | undefined): PresentRow | undefined {
  const { key, kind, state, revision, title, category, modified, read = snapshotRead } = objectIn(value);
  const place = usualMediaRow(value);
  if (place === undefined || state !== "present" || !isKey(key) || !isItemKind(kind)) return undefined;
  if (typeof revision !== "string" || typeof title !== "string") return undefined;
  if (category !== null && typeof category !== "string") return undefined;
  if (modified !== null && (typeof modified !== "number" || !Number.isFinite(modified))) return undefined;
  if (typeof read !== "number" || !Number.isSafeInteger(read)) return undefined;
  return { key, kind, state, revision, title, category, modified, read, ...place };
}

function isItemKind(kind: unknown): kind is ItemKind {
  return ITEM_KINDS.some((one) => one === kind);
}

const countsSchema = z.object({
  present: z.number().int(),
  new: z.number().int(),
  changed: z.number().int(),
  /** Deleted since the previous snapshot. */
  deleted: z.number().int(),
  /** Contents of present items, and their bytes. */
  media: z.number().int(),
  mediaBytes: bytesSchema,
  newMedia: z.number().int(),
});
export type SnapshotCounts = Readonly<z.infer<typeof countsSchema>>;

const kindSchema = z.enum(["full", "incremental"]);
export type SnapshotKind = z.infer<typeof kindSchema>;

/** Snapshots since the last full one; 0: this one is full. Absent in early versions. */
const sinceFullSchema = z.number().int().nonnegative().optional();

const rowsSchema = z.object({ count: z.number().int(), sha256: sha256Schema });
/** The number of lines of a file of rows, and its sha256. */
export type RowsFacts = Readonly<z.infer<typeof rowsSchema>>;

/** Whole rows, which differences can be based on: their facts, and the archive with their copy. */
const wholeSchema = z.object({ copy: z.string(), items: rowsSchema, media: rowsSchema });
export type WholeRows = Readonly<z.infer<typeof wholeSchema>>;

/** The whole rows from which the rows of a snapshot differ. `archive`: its main archive. */
const baseSchema = wholeSchema.extend({ snapshot: snapshotIdSchema, archive: z.string() });
export type BaseRows = Readonly<z.infer<typeof baseSchema>>;

/** The rows of a snapshot, in manifest and index. Neither: whole rows without a copy (format 1). */
const rowsShape = { whole: wholeSchema.optional(), base: baseSchema.optional() };

/** The options of reading a site that change the bytes of items. */
const readingSchema = z.object({
  imageDetails: z.boolean(),
  format: z.enum(["json", "xml", "xml-only"]),
  /** Empty: all languages of the site. */
  languages: z.array(z.string()),
  personalData: z.boolean(),
});
export type ReadingOptions = Readonly<z.infer<typeof readingSchema>>;

/** Mass deletions, in manifest and index. Absent: none, or written by an older guideferry. */
const deletionsShape = {
  /** Lists that lost more rows than --max-deletions allows, with the rows before and the lost. */
  manyDeleted: z.array(z.object({ list: z.string(), present: z.number().int(), gone: z.number().int() })).optional(),
  /** The run had `--max-deletions 100%`, which confirms the `manyDeleted` of earlier snapshots. */
  deletionsAccepted: z.literal(true).optional(),
};
const deletionsSchema = z.object(deletionsShape);
export type Deletions = Readonly<z.infer<typeof deletionsSchema>>;

/** Notes of a manifest about its run. Absent fields: none, or written by an older guideferry. */
const notesShape = {
  /**
   * Listed items that are missing or as before: archived, so not shown to this account, or deleted
   * before they were read.
   */
  leftOut: z.array(z.object({ key: z.string(), why: z.enum(["archived", "vanished"]) })).optional(),
  /** Records, or families of them, that the site refused, with its status; old ones stay. */
  refused: z.array(z.object({ key: z.string(), status: z.number().int() })).optional(),
  /**
   * Guides and pages that no list showed and that are as they were at their `read` time: private
   * ones that were not requested, refused lists.
   */
  kept: z.number().int().optional(),
  /** A repair uses the same options, to get the same bytes. */
  reading: readingSchema.optional(),
};
const notesSchema = z.object(notesShape);
export type ManifestNotes = Readonly<z.infer<typeof notesSchema>>;

export const manifestSchema = z.object({
  format: formatSchema,
  madeBy: z.string(),
  name: z.string(),
  snapshot: snapshotIdSchema,
  kind: kindSchema,
  sinceFull: sinceFullSchema,
  /** The previous snapshot; null: this is the first one. */
  previous: snapshotIdSchema.nullable(),
  site: siteSchema,
  /** ISO times. */
  started: z.string(),
  finished: z.string(),
  /** false: some items failed; they are as in the previous snapshot, or missing. */
  complete: z.boolean(),
  failures: z.array(z.object({ key: z.string(), stage: z.string(), reason: z.string(), remedy: z.string() })),
  privateIncluded: z.enum(["yes", "no-not-admin", "no-by-request"]),
  /** The included families of personal data; empty: none was requested. */
  personalData: z.array(z.string()),
  ...notesShape,
  ...deletionsShape,
  counts: countsSchema,
  /** Every archive in the rows; sha256 null: the archive with this manifest. */
  archives: z.array(z.object({ name: z.string(), bytes: bytesSchema.nullable(), sha256: sha256Schema.nullable() })),
  /** UNIX seconds: the `read` of every row without its own. */
  read: secondsSchema.optional(),
  ...rowsShape,
  /** The files of rows in this archive. */
  items: rowsSchema,
  media: rowsSchema,
});
export type Manifest = Readonly<z.infer<typeof manifestSchema>>;

const archiveFileSchema = z.object({
  name: z.string(),
  bytes: bytesSchema,
  sha256: sha256Schema,
  /** The zip inside an encrypted file; else null. */
  plain: z.object({ bytes: bytesSchema, sha256: sha256Schema }).nullable(),
});
export type ArchiveFile = Readonly<z.infer<typeof archiveFileSchema>>;

/** Files of another snapshot that one needs. */
export interface Need {
  readonly archive: string;
  readonly contents: number;
  readonly bytes: number;
}

/**
 * Checked by hand: the indexes of a chain of 365 snapshots have 66,000 of them, and each command
 * reads all indexes.
 */
const needsSchema = z.array(z.unknown()).transform((all, context): Need[] => {
  const needs: Need[] = [];
  for (const one of all) {
    const { archive, contents, bytes } = objectIn(one);
    const isNeed = typeof archive === "string" && Number.isSafeInteger(contents) && Number.isSafeInteger(bytes);
    if (isNeed && Number(bytes) >= 0) needs.push({ archive, contents: Number(contents), bytes: Number(bytes) });
    else context.addIssue("expected an archive with its contents and bytes");
  }
  return needs;
});

export const indexSchema = z.object({
  format: formatSchema,
  madeBy: z.string(),
  name: z.string(),
  snapshot: snapshotIdSchema,
  kind: z.enum(["full", "incremental", "repair"]),
  sinceFull: sinceFullSchema,
  /** A full snapshot was due, one in every `fullDue`, but a key was missing. */
  fullDue: z.number().int().min(0).optional(),
  previous: snapshotIdSchema.nullable(),
  /** ISO times. */
  started: z.string(),
  finished: z.string(),
  complete: z.boolean(),
  encrypted: z.boolean(),
  /** Its own files, parts first, the main archive last. */
  archives: z.array(archiveFileSchema).min(1),
  /** Files of other snapshots in its rows, with the number of contents and bytes of each. */
  needs: needsSchema,
  ...rowsShape,
  ...deletionsShape,
  counts: countsSchema,
});
export type SnapshotIndex = Readonly<z.infer<typeof indexSchema>>;

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isInteger: Check = (value) => Number.isSafeInteger(value);
const isSize: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isSha256: Check = (value) => typeof value === "string" && SHA256.test(value);
const isSnapshot: Check = (value) => typeof value === "string" && SNAPSHOT_ID.test(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

/** Has an object these fields, perhaps some of `more`, and no others? */
function shaped(fields: Readonly<Record<string, Check>>, more: Readonly<Record<string, Check>> = {}): Check {
  const [checks, optional] = [new Map(Object.entries(fields)), new Map(Object.entries(more))];
  return (value) => {
    if (!isObject(value)) return false;
    let found = 0;
    for (const [field, content] of Object.entries(value)) {
      const check = checks.get(field);
      if ((check ?? optional.get(field))?.(content) !== true) return false;
      if (check !== undefined) found += 1;
    }
    return found === checks.size;
  };
}

const isFacts = shaped({ count: isInteger, sha256: isSha256 });
const isPlain = shaped({ bytes: isSize, sha256: isSha256 });
const isArchive = shaped({ name: isText, bytes: isSize, sha256: isSha256, plain: orNull(isPlain) });
const WHOLE = { copy: isText, items: isFacts, media: isFacts };
const COUNTS = ["present", "new", "changed", "deleted", "media", "newMedia"];

/**
 * Is it an index as most are, with its needs cut out? By hand: `indexSchema`, which decides on all
 * others, takes half of the time in which 365 indexes are read.
 */
export const isUsualIndex = shaped(
  {
    format: (value) => value === EXPORT_FORMAT || value === REPOSITORY_FORMAT,
    ...{ madeBy: isText, name: isText, snapshot: isSnapshot, previous: orNull(isSnapshot) },
    kind: (value) => value === "full" || value === "incremental" || value === "repair",
    ...{ started: isText, finished: isText, complete: isFlag, encrypted: isFlag },
    archives: (value) => Array.isArray(value) && value.length > 0 && value.every(isArchive),
    needs: (value) => Array.isArray(value) && value.length === 0,
    counts: shaped({ ...Object.fromEntries(COUNTS.map((name) => [name, isInteger])), mediaBytes: isSize }),
  },
  { sinceFull: isSize, whole: shaped(WHOLE), base: shaped({ ...WHOLE, snapshot: isSnapshot, archive: isText }) },
);

/**
 * What a snapshot needs of others by name: the archives in its rows, and those with the rows of its
 * base, even if none of their contents is used.
 */
export function needsWith(needs: Iterable<Need>, base: BaseRows | undefined): readonly Need[] {
  const all = new Map([...needs].map((need) => [need.archive, need]));
  for (const archive of base === undefined ? [] : [base.archive, base.copy])
    if (!all.has(archive)) all.set(archive, { archive, contents: 0, bytes: 0 });
  return [...all.values()].toSorted((one, other) => (one.archive < other.archive ? -1 : 1));
}

/**
 * The CRC-32 of a row's JSON in eight hexadecimal digits, without the checksum itself and without
 * `read`, which differs in each snapshot even if nothing changed.
 */
export function rowSum({ read: _read, sum: _sum, ...fields }: JsonObject): string {
  return sumOf(JSON.stringify(fields));
}

/** The same from this JSON. */
export function sumOf(json: string): string {
  return crc32(json).toString(16).padStart(8, "0");
}
