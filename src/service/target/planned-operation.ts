import type { Call } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import type { Operation, Phase } from "../../core/writing.js";
import type { People } from "./people.js";

/** What a plan says of an operation; hash and the rest are derived. */
export interface OperationDraft {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  readonly call: Call;
  readonly phase?: Phase;
  readonly needs?: readonly Key[];
}

/**
 * Options that change what a write sends: part of every hash, so that changing one of them writes
 * again.
 */
export type OutputOptions = Readonly<Record<string, string>>;

/**
 * Makes the operation. Its hash is over the call, which holds texts with source ids, so it is the
 * same in every run.
 */
export function operation(draft: OperationDraft, options: OutputOptions): Operation {
  return {
    phase: "main",
    needs: [],
    ...draft,
    hash: digest([draft.call, options]),
  };
}

/** Keys of media that a wiki text refers to; they must be at the target before the text. */
export type MediaIn = (text: string, where: "line" | "page") => readonly Key[];

export interface PlanOptions {
  /**
   * Who is known at the target: somebody who isn't gets no call, and gets it in the run that finds
   * them there.
   */
  readonly people: () => People;
  /** An adopted page stays as it is, unless its content is to be put over it. */
  readonly onExisting: "adopt" | "update" | "fail";
  readonly output: OutputOptions;
  readonly mediaIn: MediaIn;
  /** Do translations that are gone at the source go at the target too? Default false. */
  readonly deletesGone?: boolean;
  /** Does the site take translations of guides, as a probe showed? Absent: no. */
  readonly takesTranslations?: () => boolean;
  /**
   * Does the site take translations of pages? Absent, or null: unknown, so they are sent and each
   * answer is checked.
   */
  readonly takesPages?: () => boolean | null;
  /** Are comments posted, in the name of the account? Default false. */
  readonly postsComments?: boolean;
}
