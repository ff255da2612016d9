import type { Ledger } from "../../core/contracts.js";
import type { Guide } from "../../core/model/item.js";
import { type Key, languageIn, originalGuide, originalStep } from "../../core/model/key.js";
import type { Loaded, Written } from "../../core/writing.js";
import { writtenGuideTranslation } from "../../service/target/written-body.js";

export function isTranslation(key: Key): boolean {
  return languageIn(key) !== undefined;
}

/** The guide on the target that has this translation by guideferry; undefined: it has none. */
export async function translatedGuide({ ledger }: { readonly ledger: Ledger }, key: Key): Promise<Written | undefined> {
  const guide = await ledger.written(originalGuide(key));
  if (guide === undefined || writtenGuideTranslation(await ledger.recall(key), guide.id) === undefined)
    return undefined;
  return { ...guide, key, id: `${guide.id}@${languageIn(key)}` };
}

/** The steps by their keys in the translation, with the ids under which they are read back. */
export async function translatedSteps(
  ledger: Pick<Ledger, "loaded">,
  key: Key,
  { steps }: Guide,
): Promise<Loaded["written"]> {
  const { written } = await ledger.loaded(originalGuide(key));
  const ours = new Map<Key, Written>();
  for (const step of steps) {
    const own = written.get(originalStep(step.key));
    if (own !== undefined) ours.set(step.key, { ...own, key: step.key, id: `${own.id}@${languageIn(key)}` });
  }
  return ours;
}
