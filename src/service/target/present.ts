import type { Written } from "../../core/contracts.js";
import type { Item } from "../../core/model/item.js";
import { type Key, languageIn, restOf } from "../../core/model/key.js";
import { asJson, guideAsLeft, stepAsLeft, stepsIn, wikiAsLeft } from "./as-left.js";

/**
 * What the ledger would know of a thing if we had left it as it stands now: an edit that is planned on it then meets a conflict only when
 * somebody was quicker. `item`: as it was just read there. `key`: what it stands for. `stepKey`: what each of its steps stands for.
 */
export function presentWritten(item: Item, key: Key, stepKey: (step: Key) => Key): readonly Written[] {
  const { json } = asJson(item.raw);
  if (item.kind === "guide") {
    const language = languageIn(key);
    // A translation's steps have the ids of its guide's.
    const part = language === undefined ? "" : `@${language}`;
    const steps = stepsIn(json).map((step) => {
      const left = stepAsLeft(stepKey(`step/${String(step["stepid"])}${part}`), step);
      return { ...left, id: `${left.id}${part}` };
    });
    return [withDocuments(guideAsLeft(key, json), item.body.documents), ...steps];
  }
  if (item.kind !== "wiki" && item.kind !== "category") return [];
  return [withDocuments(wikiAsLeft(key, json, undefined), item.body.documents)];
}

function withDocuments(written: Written, documents: readonly Key[]): Written {
  return { ...written, facts: { ...written.facts, documents: documents.map(restOf) } };
}

/** The revision in the answer that an item was read from; undefined where it had none (api-facts 8.2). */
export function revisionAsRead(item: Item): number | undefined {
  const { revisionid } = asJson(asJson(item.raw)["json"]);
  return typeof revisionid === "number" ? revisionid : undefined;
}
