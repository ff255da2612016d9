import type {
  ManualDocument,
  ManualExtra,
  ManualFlag,
  ManualImage,
  ManualMedia,
  ManualPart,
  ManualPlace,
  ManualReference,
  ManualStep,
  ManualText,
} from "./manual-pieces.js";

export * from "./manual-pieces.js";

/**
 * The oManual document as it stands in a file, before any meaning is made of it: what the reader gives and what the
 * writer takes. All versions share these types. Texts are as written, entities decoded; an absent element or attribute
 * is null, an empty one is an empty text.
 */
export type Manual = ManualGuide | ManualCategory | ManualManifest;

export type ManualVersion = "0.2" | "0.3" | "0.4" | "1.0";

/** A root `guide` (1.0) or `procedure` (0.2 to 0.4). */
export interface ManualGuide {
  readonly kind: "guide";
  readonly version: ManualVersion;
  /** `id` on the root (the DITA plugin), or `guideid` (server dumps). */
  readonly id: string | null;
  readonly locale: string | null;
  readonly title: string;
  readonly subject: string | null;
  readonly type: string | null;
  readonly summary: string | null;
  readonly image: ManualImage | null;
  readonly author: { readonly id: string | null; readonly name: string } | null;
  /** Free text: "One Hour". */
  readonly timeRequired: string | null;
  readonly difficulty: string | null;
  /** Names; 1.0 has room for one. */
  readonly categories: readonly string[];
  readonly introduction: ManualText | null;
  /** 0.3 and 0.4: the medium inside of the introduction. */
  readonly introductionMedia: ManualMedia | null;
  readonly conclusion: ManualText | null;
  readonly tools: readonly ManualPart[];
  readonly parts: readonly ManualPart[];
  readonly flags: readonly ManualFlag[];
  readonly documents: readonly ManualDocument[];
  readonly prerequisites: readonly ManualReference[];
  /** In the order of their numbers; those without a number stay behind the one before them. */
  readonly steps: readonly ManualStep[];
  /** ISO 8601, as written. */
  readonly createdDate: string | null;
  readonly modifiedDate: string | null;
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}

/** A root `category` (1.0), `topic` (0.3, 0.4) or `device` (0.2). */
export interface ManualCategory {
  readonly kind: "category";
  readonly version: ManualVersion;
  readonly id: string | null;
  readonly locale: string | null;
  /** The title of the page; may differ from the name. */
  readonly title: string | null;
  /** The canonical name: the text of `category_info`, `topic_info`, `device_info`. */
  readonly name: string | null;
  readonly manufacturer: string | null;
  readonly introduced: string | null;
  readonly discontinued: string | null;
  readonly image: ManualImage | null;
  readonly description: ManualText | null;
  readonly flags: readonly ManualFlag[];
  /** As written: nearest first in real files, the other way round in the documentation; `Root` may end it. */
  readonly ancestors: readonly string[];
  readonly children: readonly string[];
  readonly solutions: { readonly count: string | null; readonly url: string | null } | null;
  readonly parts: readonly ManualPart[];
  readonly tools: readonly ManualPart[];
  readonly contents: ManualText | null;
  readonly guides: readonly ManualReference[];
  readonly documents: readonly ManualDocument[];
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}

/** A root `manifest` (0.2 to 0.4, and optional metadata in 1.0). */
export interface ManualManifest {
  readonly kind: "manifest";
  readonly version: ManualVersion;
  readonly locale: string | null;
  readonly title: string | null;
  readonly description: string | null;
  readonly categories: readonly string[];
  readonly guides: readonly ManualReference[];
  readonly documents: readonly ManualDocument[];
  readonly extra: readonly ManualExtra[];
  readonly at?: ManualPlace;
}
