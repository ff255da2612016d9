import type { Guide, Step } from "./guide.js";
import type { Key } from "./key.js";
import type { Content } from "./media.js";
import type { Person } from "./shared.js";
import type { Wiki } from "./wiki.js";

/** The fields of a guide that one write carries; steps, tags, viewers, flags and visibility have calls of their own. */
export type GuideFields = Omit<
  Guide,
  | "id"
  | "steps"
  | "tags"
  | "comments"
  | "author"
  | "public"
  | "archived"
  | "viewers"
  | "releases"
  | "flags"
  | "createdDate"
  | "publishedDate"
  | "modifiedDate"
  | "url"
>;

/** The fields of a wiki that one write carries. */
export type WikiFields = Pick<
  Wiki,
  | "namespace"
  | "title"
  | "language"
  | "displayTitle"
  | "contents"
  | "description"
  | "image"
  | "documents"
  | "info"
  | "suppliers"
  | "tableOfContents"
>;

/**
 * One write, in the model's words and with source keys: what it becomes for a site (paths, field names, ids) only the
 * target knows. Every call may be made again: it creates what isn't there, and changes what is.
 */
export type Call =
  | { readonly verb: "upload"; readonly media: Key; readonly fileName: string; readonly content: Content }
  /** `given`: that a transform gave it its title; absent: it is the page's own. */
  | { readonly verb: "save-wiki"; readonly wiki: Key; readonly fields: WikiFields; readonly given?: true }
  /** `pageTitle`: null where it follows from the title. */
  | {
      readonly verb: "finish-wiki";
      readonly wiki: Key;
      readonly flags: readonly string[];
      readonly pageTitle: string | null;
    }
  | { readonly verb: "set-parent"; readonly wiki: Key; readonly parent: Key | null }
  | { readonly verb: "save-guide"; readonly guide: Key; readonly fields: GuideFields }
  | { readonly verb: "save-step"; readonly guide: Key; readonly step: Step }
  | { readonly verb: "delete-step"; readonly guide: Key; readonly step: Key }
  | { readonly verb: "order-steps"; readonly guide: Key; readonly steps: readonly Key[] }
  | { readonly verb: "add-tag"; readonly of: Key; readonly tag: string }
  | { readonly verb: "remove-tag"; readonly of: Key; readonly tag: string }
  | { readonly verb: "add-viewer"; readonly guide: Key; readonly user: Person }
  | {
      readonly verb: "add-viewing-team";
      readonly guide: Key;
      readonly team: { readonly id: number; readonly name: string };
    }
  /** `operation`: the id of the one that added them, under which the ledger keeps who that is at the target. */
  | { readonly verb: "remove-viewer"; readonly guide: Key; readonly operation: string }
  | {
      readonly verb: "finish-guide";
      readonly guide: Key;
      readonly flags: readonly string[];
      readonly author: Person | null;
    }
  | { readonly verb: "set-visibility"; readonly guide: Key; readonly public: boolean };

export type Verb = Call["verb"];
export type CallOf<V extends Verb> = Extract<Call, { readonly verb: V }>;
