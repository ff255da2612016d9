import type { Call } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import { digest } from "../../core/util/json.js";
import type { Operation, Phase } from "../../core/writing.js";
import type { People } from "./people.js";

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

/** The hash covers the call with source ids, so it is the same in every run. */
export function operation(draft: OperationDraft, options: OutputOptions): Operation {
  let hash: string | undefined;
  return {
    phase: "main",
    needs: [],
    ...draft,
    // Most readers of a plan need no hash: it costs more than the rest of the operation.
    get hash() {
      hash ??= digest([draft.call, options]);
      return hash;
    },
  };
}

/** Keys of media in a wiki text; they must be on the target before the text. */
type MediaIn = (text: string, where: "line" | "page") => readonly Key[];

export interface PlanOptions {
  /** People without a match get no call until a run finds them. */
  readonly people: () => People;
  /** An adopted page does not change unless its content is to be replaced. */
  readonly onExisting: "adopt" | "update" | "fail";
  readonly output: OutputOptions;
  readonly mediaIn: MediaIn;
  /** Are translations that were deleted at the source deleted on the target? Default false. */
  readonly deletesRemoved?: boolean;
  /** Does the site accept translations of guides, as a probe showed? Absent: no. */
  readonly takesTranslations?: () => boolean;
  /** Absent or null: unknown, so each answer is checked. */
  readonly takesPages?: () => boolean | null;
  /** Default false. */
  readonly postsComments?: boolean;
}
