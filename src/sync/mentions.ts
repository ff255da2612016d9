import { keysOf } from "../../transforms/references/reference.js";
import { references } from "../../transforms/references/references.js";
import type { SiteIdentity } from "../core/contracts.js";
import type { Call } from "../core/model/call.js";
import type { Key } from "../core/model/key.js";

/** Which of these keys a call names, as a key or in a text that refers to it. */
export function mentioned(call: Call, keys: Pick<ReadonlySet<Key>, "has">, site: SiteIdentity): ReadonlySet<Key> {
  const found = new Set<Key>();
  const take = (key: Key): void => {
    if (keys.has(key)) found.add(key);
  };
  search(call, site, take);
  return found;
}

function search(value: unknown, site: SiteIdentity, take: (key: Key) => void): void {
  if (typeof value === "string") {
    take(value as Key);
    for (const where of ["page", "line"] as const) {
      for (const key of references(value, site, where).flatMap(keysOf)) take(key);
    }
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values(value)) search(inner, site, take);
}
