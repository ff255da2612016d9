import type { Ledger } from "../../core/contracts.js";
import { type Key, kindOf } from "../../core/model/key.js";
import type { Loaded, Operation } from "../../core/writing.js";
import type { LoadJob } from "./load-job.js";
import type { LoadState } from "./load-state.js";
import { hasOutcome, type OperationWriter } from "./perform.js";

export interface Hiding {
  readonly hide: Operation;
  readonly show: Operation;
}

/**
 * undefined: the option is not set, nobody sees the guide, or nothing visible changes.
 * | @param operations all operations of the item
 * @param todo the open ones
 */
export function hidingOf(
  { options }: Pick<LoadJob, "options">,
  item: Key,
  { operations, todo }: { readonly operations: readonly Operation[]; readonly todo: readonly Operation[] },
  loaded: Loaded,
): Hiding | undefined {
  const { written } = loaded;
  if (options.hideWhileUpdating !== true || kindOf(item) !== "guide") return undefined;
  const guide = written.get(item);
  const show = operations.find(({ call }) => call.verb === "set-visibility");
  if (guide?.facts["public"] !== true || guide.adopted || show === undefined) return undefined;
  // An open conflict is only read, so it is no reason to hide the guide.
  return todo.some((each) => each.phase !== "publish" && !hasOutcome(each, loaded, "skipped"))
    ? { hide: hideOperation(item, show), show }
    : undefined;
}

export function withHiding(hiding: Hiding | undefined, todo: readonly Operation[]): readonly Operation[] {
  if (hiding === undefined) return todo;
  const { hide, show } = hiding;
  return [hide, ...todo.filter(({ id }) => id !== show.id), show];
}

function hideOperation(guide: Key, show: Operation): Operation {
  const call = { verb: "set-visibility", guide, public: false, hides: true } as const;
  return {
    ...show,
    id: `${guide}/hidden`,
    label: `${show.label}, hidden during its changes`,
    hash: "hidden",
    phase: "main",
    call,
  };
}

/**
 * Hides a guide before its first change. The ledger records first that the guide has to be
 * published again: if the run is killed, the next one publishes it, with or without the option.
 */
export async function hideFirst(
  { ledger }: Pick<LoadJob, "ledger">,
  writer: OperationWriter,
  state: LoadState,
  item: Key,
  { hide, show }: Hiding,
): Promise<void> {
  await writer.refuseUnplanned(hide);
  await ledger.failed(show, "It is hidden during its changes, and has to be published again.");
  await writer.perform(hide);
  state.markHidden(item);
}

export async function stillHidden(ledger: Ledger, hidden: readonly Key[]): Promise<readonly Key[]> {
  const still: Key[] = [];
  for (const key of hidden) {
    const { written } = await ledger.loaded(key);
    if ([...written.values()].some(({ facts }) => facts["hidden"] === true)) still.push(key);
  }
  return still;
}
