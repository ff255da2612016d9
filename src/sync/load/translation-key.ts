import type { Ledger } from "../../core/contracts.js";
import type { Guide } from "../../core/model/item.js";
import { idIn, type Key, languageIn } from "../../core/model/key.js";
import type { Loaded, Written } from "../../core/writing.js";
import { translationIn } from "../../service/target/guide-translation.js";

/** The guide that a translation is of: `guide/12` of `guide/12@de`. */
export function guideOfTranslation(key: Key): Key {
  return `guide/${idIn(key)}`;
}

/** What stands for a step of a translation in its guide: `step/34+2` for `step/34@de+2`. */
function stepOfGuide(step: Key): Key {
  return step.replace(/@[^+]*/, "") as Key;
}

export function isTranslation(key: Key): boolean {
  return languageIn(key) !== undefined;
}

/** The guide at the target that a translation of ours is in; undefined: we made none there. */
export async function translatedGuide({ ledger }: { readonly ledger: Ledger }, key: Key): Promise<Written | undefined> {
  const guide = await ledger.written(guideOfTranslation(key));
  if (guide === undefined || translationIn(await ledger.recall(key), guide.id) === undefined) return undefined;
  return { ...guide, key, id: `${guide.id}@${languageIn(key)}` };
}

/** Its steps, by their keys in the translation, with the ids that they are read back by. */
export async function translatedSteps(
  ledger: Pick<Ledger, "loaded">,
  key: Key,
  { steps }: Guide,
): Promise<Loaded["written"]> {
  const { written } = await ledger.loaded(guideOfTranslation(key));
  const ours = new Map<Key, Written>();
  for (const step of steps) {
    const own = written.get(stepOfGuide(step.key));
    if (own !== undefined) ours.set(step.key, { ...own, key: step.key, id: `${own.id}@${languageIn(key)}` });
  }
  return ours;
}
