import type { Namespace } from "../../src/core/model/key.js";
import { NAMESPACE_WORDS, titleKey } from "../wiki/namespaces.js";
import { trimmed } from "./blanks.js";
import type { Goal } from "./reference.js";

/** Reads `Namespace:Title#Section`, which begins at `start`; a colon behind any other word belongs to the title. */
export function readWikiTitle(written: string, start: number): Goal | undefined {
  const hash = written.indexOf("#");
  const named = hash < 0 ? written : written.slice(0, hash);
  const colon = named.indexOf(":");
  const namespace = colon < 0 ? undefined : NAMESPACE_WORDS.get(named.slice(0, colon).trim().toLowerCase());
  return titled(namespace, named.slice(colon + 1), start + colon + 1) ?? titled("WIKI", named, start);
}

function titled(namespace: Namespace | undefined, written: string, start: number): Goal | undefined {
  const key = namespace === undefined ? undefined : titleKey(namespace, written);
  if (key === undefined) return undefined;
  const kind = namespace === "CATEGORY" ? "category" : "wiki";
  return { kind, key, goal: trimmed(written, start), steps: [], origin: null };
}
