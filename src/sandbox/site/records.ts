import type { Answer } from "./answer.js";

/** A line of a step; other fields (bullet style, rendered text) are kept and served unchanged. */
export interface LineRecord {
  readonly text_raw: string;
  readonly bullet: string;
  readonly level: number;
  readonly [other: string]: unknown;
}

/** Up to three images, or one video, or `loaded` (embeds of loaded answers). */
export type StepMedia =
  | { readonly type: "image"; readonly ids: readonly number[] }
  | { readonly type: "video"; readonly id: number }
  | { readonly type: "kept"; readonly answer: Answer };

export interface StepRecord {
  readonly stepid: number;
  readonly revisionid: number;
  readonly title: string;
  readonly lines: readonly LineRecord[];
  readonly media: StepMedia;
  readonly loaded: Answer;
}

/** A part or tool as it reads (facts, 3.7). */
export interface PartRecord {
  readonly text: string;
  readonly type: string;
  readonly quantity: number;
  readonly notes: string | null;
  readonly url: string;
  readonly [other: string]: unknown;
}

/** A guide in one language. Deleted guides are kept: they can be restored. */
export interface GuideRecord {
  readonly guideid: number;
  readonly langid: string;
  readonly title: string;
  readonly category: string;
  readonly subject: string;
  readonly type: string;
  readonly summary: string;
  readonly introduction: string;
  readonly conclusion: string;
  readonly difficulty: string | null;
  /** Seconds; 0 for no estimate. */
  readonly timeRequiredMin: number;
  readonly timeRequiredMax: number;
  readonly flags: readonly string[];
  readonly image: number | null;
  readonly documents: readonly number[];
  readonly featuredDocument: number | null;
  readonly introVideo: number | null;
  readonly prerequisites: readonly number[];
  readonly parts: readonly PartRecord[];
  readonly tools: readonly PartRecord[];
  readonly public: boolean;
  readonly author: number;
  readonly workLog: boolean;
  readonly steps: readonly StepRecord[];
  readonly tags: readonly string[];
  readonly viewers: { readonly users: readonly number[]; readonly teams: readonly number[] };
  readonly completedBy: readonly number[];
  readonly releases: readonly Answer[];
  /** Never equal: `guide_revisionid`, the full guide's `revisionid`, the list's (facts, 3.10). */
  readonly revisions: { readonly guide: number; readonly full: number; readonly list: number };
  /** UNIX seconds. */
  readonly dates: {
    readonly created: number;
    readonly modified: number;
    readonly published: number | null;
    readonly prerequisites: number;
  };
  readonly deleted: boolean;
  /** The loaded answer without its steps, for unknown fields and rendered texts. */
  readonly loaded: Answer;
}

/** The key of a guide in the site's table: `12`, a translation `12@de`. */
export function guideKey(guideid: number, langid?: string): string {
  return langid === undefined ? String(guideid) : `${guideid}@${langid}`;
}

export const NAMESPACES = ["CATEGORY", "ITEM", "TEAM", "USER", "INFO", "WIKI"] as const;
export type Namespace = (typeof NAMESPACES)[number];

/** A wiki in one language. `title` never changes; `displayTitle` is only shown. */
export interface WikiRecord {
  readonly wikiid: number;
  readonly namespace: Namespace;
  readonly title: string;
  readonly langid: string;
  readonly revisionid: number;
  readonly sourceRevisionid: number | null;
  readonly contents: string;
  readonly displayTitle: string | null;
  readonly description: string;
  readonly image: number | null;
  readonly flags: readonly string[];
  readonly documents: readonly number[];
  readonly info: readonly Answer[];
  readonly suppliers: readonly Answer[];
  readonly tableOfContents: boolean;
  readonly pageTitle: string;
  readonly repairability: number | null;
  readonly tags: readonly string[];
  readonly author: number;
  readonly dates: { readonly created: number; readonly modified: number };
  readonly loaded: Answer;
}

/** The key of a wiki in the site's table: `WIKI/Some title`, a translation `WIKI/Some title@de`. */
export function wikiKey(namespace: Namespace, title: string, langid?: string): string {
  return langid === undefined ? `${namespace}/${title}` : `${namespace}/${title}@${langid}`;
}

export type Content =
  | { readonly from: "file"; readonly path: string }
  | { readonly from: "generator"; readonly make: "png" | "pdf" | "mp4"; readonly seed: string };

interface Medium {
  readonly guid: string;
  readonly filename: string;
  /** null for media of a loaded site, which have no owner. */
  readonly owner: number | null;
  /** Shown in the owner's media manager. Its removal there does not change content (facts, 5.3). */
  readonly inManager: boolean;
  /** UNIX seconds. */
  readonly date: number;
  readonly content: Content;
  readonly loaded: Answer;
}

export interface ImageRecord extends Medium {
  readonly id: number;
  /** Created by the site when an upload was attached; `srcid` is the upload. */
  readonly reencoded: boolean;
  readonly copyid: number | null;
  /** The existing renditions, without `original`. */
  readonly sizes: readonly string[];
  /** The original's address ends in `.full` or in the bare guid (facts, 3.5). */
  readonly originalSuffix: string;
  readonly srcid: number | null;
  readonly width: number;
  readonly height: number;
  readonly markup: string | null;
}

export interface VideoRecord extends Medium {
  readonly id: number;
  readonly image: number | null;
  readonly width: number;
  readonly height: number;
  readonly pollsLeft: number;
}

export interface DocumentRecord extends Medium {
  readonly id: number;
  readonly extension: string;
}

/** A page of another site in a step. No call creates one, only the site's pages (facts, 5.2). */
export interface EmbedRecord extends Omit<Medium, "content"> {
  readonly id: number;
}

/** All media of a site; `byGuid` resolves media addresses. */
export interface MediaTables {
  readonly images: Map<number, ImageRecord>;
  readonly videos: Map<number, VideoRecord>;
  readonly documents: Map<number, DocumentRecord>;
  readonly embeds: Map<number, EmbedRecord>;
  /** By guid: further encodings of loaded videos; the best one is the video's own file. */
  readonly encodings: Map<string, { readonly guid: string; readonly filename: string; readonly content: Content }>;
}

/** A comment on a guide, step or wiki (facts, 7); one level of replies. */
export interface CommentRecord {
  readonly commentid: number;
  readonly context: string;
  readonly contextid: number;
  readonly parentid: number | null;
  readonly langid: string | null;
  readonly author: number;
  readonly text: string;
  readonly date: number;
  readonly modified: number;
  readonly status: string;
  readonly loaded: Answer;
}

/** A person of the site: a light user (facts, 2.3) with the sandbox's own fields. */
export interface UserRecord {
  readonly userid: number;
  readonly username: string;
  readonly admin: boolean;
  /** Fields of the loaded answer, served unchanged. */
  readonly loaded: Answer;
}

/** A team; `members` are userids. */
export interface TeamRecord {
  readonly teamid: number;
  readonly name: string;
  readonly members: readonly number[];
  readonly loaded: Answer;
}
