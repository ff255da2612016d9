import type { Key } from "../../core/model/key.js";
import type { PlannedItem } from "../planned-item.js";
import { writeKind } from "../write-kind.js";
import { deletionOf } from "./deletion-of.js";
import type { GoneItem } from "./gone-items.js";
import { noteGone } from "./note-gone.js";

/** What a load would do with what is gone at the source. */
export function plannedGone(gone: readonly GoneItem[], because: ReadonlyMap<Key, string>): readonly PlannedItem[] {
  return gone.map(({ key, title, written, stays }) => {
    const common = { key, title, because: because.get(key) ?? null, places: [], edited: [] };
    if (stays !== null) {
      const issues = [noteGone(key, written, stays)];
      return { ...common, action: "gone", steps: [], operations: [], requests: 0, kinds: {}, issues };
    }
    const deletions = written.map((each) => deletionOf(each));
    const operations = deletions.map(({ id, item, hash, label }) => ({
      id,
      item,
      hash,
      label,
      creates: false,
      requests: 1,
    }));
    const kinds = Object.fromEntries(deletions.map((each) => [writeKind(each, NOTHING), deletions.length]));
    const steps = deletions.map(({ label }) => label);
    return { ...common, action: "delete", steps, operations, requests: deletions.length, kinds, issues: [] };
  });
}

const NOTHING = { operations: new Map(), written: new Map() };
