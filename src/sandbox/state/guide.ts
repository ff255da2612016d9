import type { Answer } from "./answer.js";

/** A line of a step; other fields (bullet style, rendered text) are kept and served as they are. */
export interface LineRecord {
  readonly text_raw: string;
  readonly bullet: string;
  readonly level: number;
  readonly [other: string]: unknown;
}

/** A step shows up to three images, or one video, or something that only a loaded answer can hold (embeds). */
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
  /** Three counters that never coincide: `guide_revisionid`, the full guide's `revisionid`, the list's (facts, 3.10). */
  readonly revisions: { readonly guide: number; readonly full: number; readonly list: number };
  /** UNIX seconds. */
  readonly dates: {
    readonly created: number;
    readonly modified: number;
    readonly published: number | null;
    readonly prerequisites: number;
  };
  readonly deleted: boolean;
  /** The loaded answer without its steps: unknown fields and rendered texts are served from here. */
  readonly loaded: Answer;
}

/** The key of a guide in the site's table: `12`, a translation `12@de`. */
export function guideKey(guideid: number, langid?: string): string {
  return langid === undefined ? String(guideid) : `${guideid}@${langid}`;
}
