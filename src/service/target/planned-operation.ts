import type { Call } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import type { Operation, Phase } from "../../core/writing.js";
import type { People } from "./people.js";

/** What a plan says of an operation; hash and the rest are derived. */
interface OperationDraft {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  readonly call: Call;
  readonly phase?: Phase;
  readonly needs?: readonly Key[];
}

/** Options that change what is sent: a part of every hash. */
export type OutputOptions = Readonly<Record<string, string>>;

/** The hash is over the call with source ids, so it is the same in every run. */
export function operation(draft: OperationDraft, options: OutputOptions): Operation {
  return {
    phase: "main",
    needs: [],
    ...draft,
    hash: digest([draft.call, options]),
  };
}

/** Keys of media that a wiki text refers to; they must be at the target before the text. */
type MediaIn = (text: string, where: "line" | "page") => readonly Key[];

export interface PlanOptions {
  /** Unknown people get no call until a run finds them. */
  readonly people: () => People;
  /** An adopted page stays as it is, unless its content is to be put over it. */
  readonly onExisting: "adopt" | "update" | "fail";
  readonly output: OutputOptions;
  readonly mediaIn: MediaIn;
  /** Do translations that are gone at the source go at the target too? Default false. */
  readonly deletesRemoved?: boolean;
  /** Does the site take translations of guides, as a probe showed? Absent: no. */
  readonly takesTranslations?: () => boolean;
  /** Absent or null: unknown, so each answer is checked. */
  readonly takesPages?: () => boolean | null;
  /** Are comments posted, in the name of the account? Default false. */
  readonly postsComments?: boolean;
}
