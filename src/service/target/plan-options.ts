import type { Key } from "../../core/model/key.js";
import type { OutputOptions } from "./operation.js";
import type { People } from "./people.js";

/** Keys of media that a wiki text refers to; they must be at the target before the text. */
export type MediaIn = (text: string, where: "line" | "page") => readonly Key[];

export interface PlanOptions {
  /** Who is known at the target: somebody who isn't gets no call, and gets it in the run that finds them there. */
  readonly people: () => People;
  /** An adopted page stays as it is, unless its content is to be put over it. */
  readonly onExisting: "adopt" | "update" | "fail";
  readonly output: OutputOptions;
  readonly mediaIn: MediaIn;
  /** Do translations that are gone at the source go at the target too? Default false. */
  readonly deletesGone?: boolean;
  /** Does the site take translations of guides, as a probe showed? Absent: no. */
  readonly takesTranslations?: () => boolean;
  /** Does the site take translations of pages? Absent, or null: unknown, so they are sent and each answer is checked. */
  readonly takesPages?: () => boolean | null;
  /** Are comments posted, in the name of the account? Default false. */
  readonly postsComments?: boolean;
}
