import type { Issue } from "../../../src/core/model/issue.js";
import type { Key } from "../../../src/core/model/key.js";
import type { Operation, OperationState, Receipt, Written } from "../../../src/core/writing.js";

/** An operation on an item; the call is of no interest to a ledger. */
export function operation(id: string, item: Key, changes: Partial<Operation> = {}): Operation {
  const call = { verb: "set-visibility", guide: item, public: true } as const;
  return { id, item, label: `operation ${id}`, hash: "h1", phase: "main", needs: [], call, ...changes };
}

export function written(key: Key, id: string, changes: Partial<Written> = {}): Written {
  return { key, id, revision: null, left: null, facts: {}, adopted: false, ...changes };
}

export function receipt(things: readonly Written[], missing: readonly Key[] = []): Receipt {
  return { written: things, missing, issues: [] };
}

/** What a ledger says of such an operation. */
export function state(known: Partial<OperationState> & Pick<OperationState, "id" | "item" | "state">): OperationState {
  const outcome = known.state === "done" ? "written" : null;
  return { label: `operation ${known.id}`, outcome, hash: "h1", missing: [], mark: null, error: null, ...known };
}

/** A ledger keeps any code. */
export function issue(key: Key, code: string): Issue {
  return { code: code as Issue["code"], level: "loss", key, path: "", message: `about ${code}` };
}
