import type { Answer } from "./answer.js";

/** Where the bytes of a medium come from. */
export type Content =
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "generator"; readonly make: "png" | "pdf" | "mp4"; readonly seed: string };

interface Medium {
  readonly guid: string;
  readonly filename: string;
  /** The uploader's userid; null for media of a loaded site, which belong to nobody here. */
  readonly owner: number | null;
  /** Shown in the owner's media manager. Leaving it does not touch content (facts, 5.3). */
  readonly inManager: boolean;
  /** UNIX seconds. */
  readonly date: number;
  readonly content: Content;
  readonly loaded: Answer;
}

export interface ImageRecord extends Medium {
  readonly id: number;
  /** Made by the site when an upload was attached; `srcid` is the upload. */
  readonly reencoded: boolean;
  /** The copy that was made of it when it was attached. */
  readonly copyid: number | null;
  /** The renditions that exist, without `original`. */
  readonly sizes: readonly string[];
  /** The original's address ends in `.full` or in the bare guid (facts, 3.5). */
  readonly originalSuffix: string;
  readonly srcid: number | null;
  readonly width: number;
  readonly height: number;
  readonly markup: string | null;
}

export interface VideoRecord extends Medium {
  /** Also its objectid. */
  readonly id: number;
  readonly image: number | null;
  readonly width: number;
  readonly height: number;
  /** How many more times it will be asked about before it is ready. */
  readonly pollsLeft: number;
}

export interface DocumentRecord extends Medium {
  readonly id: number;
  readonly extension: string;
}

/** A page of another site that a step can show. People make them with the site's own pages: no call does (facts, 5.2). */
export interface EmbedRecord extends Omit<Medium, "content"> {
  /** Its objectid. */
  readonly id: number;
}

/** All media of a site; `byGuid` says what a media address means. */
export interface MediaTables {
  readonly images: Map<number, ImageRecord>;
  readonly videos: Map<number, VideoRecord>;
  readonly documents: Map<number, DocumentRecord>;
  readonly embeds: Map<number, EmbedRecord>;
  /** By guid: encodings of loaded videos beside the best one, which is the video's own content. */
  readonly encodings: Map<string, { readonly guid: string; readonly filename: string; readonly content: Content }>;
}
