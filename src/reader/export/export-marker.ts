import { z } from "zod";

/** Says that a folder is an export, and of what. */
export const MARKER = "guideferry-export.json";
/** The addresses of everything that exports wrote there, one a line: what is not in it is somebody else's and is never removed. */
export const FILE_LIST = "guideferry-export.files";
/** Files that are being written; a killed run leaves them. */
export const TEMPORARY = ".guideferry-temporary";

export const markerSchema = z.object({
  format: z.literal("guideferry-export"),
  version: z.literal(1),
  /** The origin of the site. */
  site: z.string(),
  /** The id of the time that was exported last. */
  time: z.string(),
  /** false: the last run did not get to its end. */
  complete: z.boolean(),
});
export type ExportMarker = z.infer<typeof markerSchema>;
