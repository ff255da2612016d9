import { pageAddress } from "../../../transforms/references/old-address.js";
import { originOf, readOwnAddress, sameSite } from "../../../transforms/references/site-addresses.js";
import type { SiteIdentity } from "../../core/model/identity.js";
import type { Key } from "../../core/model/key.js";
import type { TargetStatus } from "../../storage/ledger/target-status.js";

/** A link on the target that leads to the source. */
export interface OldLink {
  readonly item: Key;
  /** `introduction`, `step/5 lines[0].text`; `translation` for a whole one. */
  readonly path: string;
  /** As in the text; for a translation the address of its guide or page at the old site. */
  readonly address: string;
  /** null: the address names no known thing. */
  readonly goal: Key | null;
}

const ADDRESS = /https?:\/\/[^\s|\]"'<>)]+/gi;

/** Links to the source in the last-written bodies, by item; none for documents as the source. */
export function* oldLinks(source: SiteIdentity, target: TargetStatus): Generator<OldLink> {
  const { origin, host } = new URL(target.root);
  if (source.origin === "" || sameSite(source, { origin, hosts: [host] })) return;
  const words = [...new Set([originOf(source).replace(/^https?:/i, ""), ...source.hosts.map((name) => `//${name}`)])];
  for (const { key, item, body } of target.textsWith(words)) {
    const prefix = key === item ? "" : `${key} `;
    for (const { path, text } of textsIn(body, "")) {
      for (const [address] of text.matchAll(ADDRESS)) {
        const goal = readOwnAddress(address, 0, source);
        if (goal !== undefined) yield { item, path: prefix + path, address, goal: goal.key };
      }
    }
  }
  for (const { item, key } of target.translationsWaiting()) {
    const address = pageAddress(key, source);
    if (address !== undefined) yield { item, path: "translation", address, goal: key };
  }
}

function* textsIn(value: unknown, path: string): Generator<{ readonly path: string; readonly text: string }> {
  if (typeof value === "string") yield { path, text: value };
  else if (Array.isArray(value))
    for (const [index, inner] of value.entries()) yield* textsIn(inner, `${path}[${index}]`);
  else if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* textsIn(inner, path === "" ? name : `${path}.${name}`);
  }
}
