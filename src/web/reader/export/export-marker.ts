import { z } from "zod";

/** Says that a folder is an export, and of what. */
export const MARKER = "guideferry-export.json";
/** The addresses of everything that exports wrote there, one a line: what is not in it is somebody else's and is never removed. */
export const FILE_LIST = "guideferry-export.files";
/** The addresses of the media that the pages of a time lead to, which lie where all times share them, one a line. */
export const MEDIA_LIST = "guideferry-export.media";
/** Held while an export is on, with a note of who holds it beside it; it stays. */
export const LOCK = "guideferry-export.lock";
/** Files that are being written; a killed run leaves them. */
export const TEMPORARY = ".guideferry-temporary";
/** The folder of all times, each in one that has its id for a name and is an export by itself. */
export const TIMES_FOLDER = "at";

export const markerSchema = z.object({
  format: z.literal("guideferry-export"),
  version: z.literal(1),
  /** The origin of the site. */
  site: z.string(),
  /** The id of the time that was exported last. */
  time: z.string(),
  /** false: the last run did not get to its end. */
  complete: z.boolean(),
  /** Of a time among others: what it was made from. A time that was made from the same, and of which all could be read, is as it would be made again. */
  made: z
    .object({
      /** The version of the program. */
      by: z.string(),
      /** The id of the time that it was compared with; null: it was the oldest. */
      before: z.string().nullable(),
      /** The number of items that could not be read. */
      failures: z.number(),
    })
    .optional(),
});
export type ExportMarker = z.infer<typeof markerSchema>;
export type MadeFrom = NonNullable<ExportMarker["made"]>;
