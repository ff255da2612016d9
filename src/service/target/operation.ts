import type { Operation, Phase } from "../../core/contracts.js";
import type { Call } from "../../core/model/call.js";
import type { Key } from "../../core/model/key.js";
import { digest } from "../../core/util/digest.js";

/** What a plan says of an operation; hash and the rest are derived. */
export interface OperationDraft {
  readonly id: string;
  readonly item: Key;
  readonly label: string;
  readonly call: Call;
  readonly phase?: Phase;
  readonly needs?: readonly Key[];
}

/** Options that change what a write sends: part of every hash, so that changing one of them writes again. */
export type OutputOptions = Readonly<Record<string, string>>;

/** Makes the operation. Its hash is over the call, which holds texts with source ids, so it is the same in every run. */
export function operation(draft: OperationDraft, options: OutputOptions): Operation {
  return {
    phase: "main",
    needs: [],
    ...draft,
    hash: digest([draft.call, options]),
  };
}
