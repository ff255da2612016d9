import type { Answer } from "../state/answer.js";
import type { RowKindName } from "../state/row-tables.js";
import type { StepLimits } from "../state/settings.js";
import type { Namespace } from "../state/wiki.js";

type Body = Answer;

/**
 * Another person's hands on the site: the same writes as over HTTP, with the same rules and a new revision each, but with
 * no request, no login and no revision to know. Bodies are those of the API. Throws for an id that is not there.
 */
export interface Editor {
  createGuide(body: Body): number;
  guide(guideid: number, body: Body): void;
  /** An edit that waits for approval: readers see it only with `unpatrolled`. */
  pendGuide(guideid: number, body: Body): void;
  setPublic(guideid: number, isPublic: boolean): void;
  moveGuide(guideid: number, category: string): void;
  /** Any flags, also those that only the server sets. */
  setGuideFlags(guideid: number, flags: readonly string[]): void;
  setGuideTags(guideid: number, tags: readonly string[]): void;
  setViewers(
    guideid: number,
    viewers: { readonly users?: readonly number[]; readonly teams?: readonly number[] },
  ): void;
  /** Another title, other texts, the first step overwritten and all others gone, no tags: what an angry person does. */
  vandaliseGuide(guideid: number): void;
  deleteGuide(guideid: number): void;
  /** Every language of a deleted guide, as it was. */
  restoreGuide(guideid: number): void;
  /** A guide in another language: starts it, or changes it. */
  translateGuide(guideid: number, langid: string, body: Body): void;
  /** One of its steps, in a language that the guide has. */
  translateStep(guideid: number, stepid: number, langid: string, body: Body): void;
  /** Returns the release's number. */
  releaseGuide(guideid: number, fields?: Body): number;

  /** From now on writes of steps keep these limits; what stands there stays. */
  setStepLimits(limits: StepLimits): void;
  addStep(guideid: number, body: Body): number;
  step(guideid: number, stepid: number, body: Body): void;
  orderSteps(guideid: number, stepids: readonly number[]): void;
  deleteStep(guideid: number, stepid: number): void;
  /** Puts a new picture, made from the seed, in the place of a step's media. Returns the id that it got there. */
  exchangeImage(guideid: number, stepid: number, seed: string): number;

  createWiki(body: Body): number;
  wiki(namespace: Namespace, title: string, body: Body): void;
  pendWiki(namespace: Namespace, title: string, body: Body): void;
  vandaliseWiki(namespace: Namespace, title: string): void;
  deleteWiki(namespace: Namespace, title: string): void;
  setParent(namespace: "CATEGORY" | "WIKI", title: string, parent: string | null): void;
  setWikiTags(namespace: Namespace, title: string, tags: readonly string[]): void;

  /** The page as it is now is what `only_released` shows from now on. */
  releaseWiki(namespace: Namespace, title: string): void;
  /** A page in another language: starts it, or changes it. */
  translateWiki(namespace: Namespace, title: string, langid: string, body: Body): void;
  deleteTranslation(namespace: Namespace, title: string, langid: string): void;
  /** A comment on a guide, step or wiki, or with `parentid` a reply. Returns its number. */
  comment(context: string, contextid: number, text: string, parentid?: number): number;
  changeComment(commentid: number, text: string): void;
  /** `private`, `resolved` … (facts, 7). */
  setCommentStatus(commentid: number, status: string): void;
  deleteComment(commentid: number): void;
  /** A picture of 1024 x 768 made from the seed, in this person's media manager. */
  newImage(seed: string): number;
  /** An embedded page in the media manager of a person. Returns its objectid. */
  newEmbed(userid: number, url: string): number;
  /** Puts a row into a family, or another in its place. Returns its number. */
  setRow(rows: RowKindName, fields: Body): number;
  removeRow(rows: RowKindName, id: number): void;
  /** Empties the site of guides, wikis, media, comments and everything that is kept as rows. */
  clear(): void;
}
