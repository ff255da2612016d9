import { keysOf } from "../../transforms/wiki/reference.js";
import { references } from "../../transforms/wiki/references.js";
import type { Operation, SiteIdentity } from "../contracts.js";
import type { Key } from "../model/key.js";
import type { Checked } from "./check.js";
import type { Performer } from "./perform.js";
import { prepare } from "./prepare.js";

/**
 * Forgets what somebody deleted at the target, so that it is made anew, and opens again all that hangs on it: the rest of
 * its item, and what refers to it, since it gets another id. Killed anywhere in between, it is found deleted once more.
 */
export async function makeAnew(performer: Performer, checked: Checked, item: Key, gone: Key): Promise<void> {
  const { ledger } = performer.bench;
  const loaded = await ledger.loaded(item);
  const lost =
    gone === item ? [...loaded.written.values()] : [...loaded.written.values()].filter(({ key }) => key === gone);
  const keys = new Set(lost.map(({ key }) => key));
  for await (const operation of planned(performer, checked, item)) {
    if (gone === item || mentions(operation.call, keys, performer.bench.source)) await reopen(performer, operation);
  }
  await reopenOthers(performer, checked, item, keys);
  const forgotten = lost.map((written) => ({ ...written, facts: { deleted: true } }));
  const marker: Operation = {
    id: `${gone}/made-anew`,
    item,
    label: `${gone}, made anew`,
    hash: "",
    phase: "main",
    needs: [],
    call: { verb: "order-steps", guide: item, steps: [] },
  };
  await ledger.done(marker, { written: forgotten, missing: [], issues: [] });
}

async function reopenOthers(performer: Performer, checked: Checked, item: Key, keys: ReadonlySet<Key>): Promise<void> {
  const { categories, wikis, guides } = checked.map;
  for (const other of [...categories, ...wikis, ...guides]) {
    if (other === item) continue;
    for await (const operation of planned(performer, checked, other)) {
      if (!mentions(operation.call, keys, performer.bench.source)) continue;
      await reopen(performer, operation);
      performer.again.add(other);
    }
  }
}

async function reopen({ bench, complete }: Performer, operation: Operation): Promise<void> {
  complete.delete(operation.item);
  await bench.ledger.failed(operation, "What it belongs or refers to was deleted at the target and is made anew.");
}

async function* planned({ bench }: Performer, checked: Checked, key: Key): AsyncIterable<Operation> {
  const item = await bench.workspace.items.get(key);
  if (item === undefined) return;
  const loaded = await bench.ledger.loaded(key);
  for (const { item: fitted } of prepare(item, bench.transforms, checked.fit)) yield* bench.target.plan(fitted, loaded);
}

/** Does a call name one of these keys, or hold a text that refers to one? */
function mentions(value: unknown, keys: ReadonlySet<Key>, site: SiteIdentity): boolean {
  if (typeof value === "string") {
    if (keys.has(value as Key)) return true;
    const inText = (where: "line" | "page") => references(value, site, where).flatMap(keysOf);
    return [...inText("page"), ...inText("line")].some((key) => keys.has(key));
  }
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((inner) => mentions(inner, keys, site));
}
