import type { Person, Team } from "./identity.js";
import type { Content, Guide, Step, Wiki, WikiTranslation } from "./item.js";
import type { Key } from "./key.js";

/**
 * The fields of a guide that one write carries; steps, tags, viewers, flags and visibility have
 * calls of their own.
 */
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
  | "releaseLines"
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

/** What of a guide is told in each language anew. */
export type GuideTexts = Pick<Guide, "title" | "summary" | "introduction" | "conclusion">;

/** What has a call of its own when a thing is put back. */
export type PartBack = "fields" | "order" | "visibility" | "parent";

/**
 * One write, in the model's words and with source keys: what it becomes for a site (paths, field
 * names, ids) only the target knows. Every call may be made again: it creates what isn't there, and
 * changes what is.
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
  /** `fields`: null once it is gone at the source; `remove`: and it is to go at the target too. */
  | {
      readonly verb: "save-translation";
      readonly wiki: Key;
      readonly language: string;
      readonly fields: Omit<WikiTranslation, "language" | "modifiedDate"> | null;
      readonly remove: boolean;
    }
  | { readonly verb: "set-parent"; readonly wiki: Key; readonly parent: Key | null }
  | { readonly verb: "save-guide"; readonly guide: Key; readonly fields: GuideFields }
  | { readonly verb: "save-step"; readonly guide: Key; readonly step: Step }
  /**
   * `translation`: `guide/12@de`. Starts it, or changes it; only where a probe showed that the site
   * takes one.
   */
  | {
      readonly verb: "translate-guide";
      readonly guide: Key;
      readonly translation: Key;
      readonly language: string;
      readonly fields: GuideTexts;
    }
  /** `translated`: the step's key in the translation, `step/34@de`. */
  | {
      readonly verb: "translate-step";
      readonly guide: Key;
      readonly translation: Key;
      readonly language: string;
      readonly step: Key;
      readonly translated: Key;
      readonly fields: Pick<Step, "title" | "lines">;
    }
  | { readonly verb: "delete-step"; readonly guide: Key; readonly step: Key }
  | { readonly verb: "order-steps"; readonly guide: Key; readonly steps: readonly Key[] }
  | { readonly verb: "add-tag"; readonly of: Key; readonly tag: string }
  | { readonly verb: "remove-tag"; readonly of: Key; readonly tag: string }
  | { readonly verb: "add-viewer"; readonly guide: Key; readonly user: Person }
  | { readonly verb: "add-viewing-team"; readonly guide: Key; readonly team: Team }
  /**
   * `operation`: the id of the one that added them, under which the ledger keeps who that is at the
   * target.
   */
  | { readonly verb: "remove-viewer"; readonly guide: Key; readonly operation: string }
  | {
      readonly verb: "finish-guide";
      readonly guide: Key;
      readonly flags: readonly string[];
      readonly author: Person | null;
    }
  /** `hides`: only as long as it is changed. */
  | { readonly verb: "set-visibility"; readonly guide: Key; readonly public: boolean; readonly hides?: true }
  /**
   * `text`: null once it is gone at the source. `parent`: the id of the operation that posts what
   * it replies to.
   */
  | {
      readonly verb: "post-comment";
      readonly of: Key;
      readonly comment: number;
      readonly parent: string | null;
      readonly text: string | null;
    }
  /** With its steps, and only as we left it. */
  /**
   * `tags`: those that we put on it; absent: whatever tags it has are no reason to leave it.
   * `gone`: the target's ids of guides that go too: a site takes them out of those that need them.
   */
  | {
      readonly verb: "delete-item";
      readonly of: Key;
      readonly tags?: readonly string[];
      readonly gone?: readonly string[];
    }
  /**
   * A part of a thing as it was before a run, in the names of writing and with the target's ids.
   * `guide`: the one that a step belongs to.
   */
  | {
      readonly verb: "put-back";
      readonly of: Key;
      readonly guide: Key | null;
      readonly part: PartBack;
      readonly body: Readonly<Record<string, unknown>>;
    }
  /**
   * The same of one that was deleted, and had this id. It gets another one, unless it is a page.
   */
  | {
      readonly verb: "make-again";
      readonly of: Key;
      readonly id: string;
      readonly guide: Key | null;
      readonly body: Readonly<Record<string, unknown>>;
    };

export type Verb = Call["verb"];
export type CallOf<V extends Verb> = Extract<Call, { readonly verb: V }>;
