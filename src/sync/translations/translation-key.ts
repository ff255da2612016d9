import { idIn, type Key, languageIn } from "../../core/model/key.js";

/** The guide that a translation is of: `guide/12` of `guide/12@de`. */
export function guideOfTranslation(key: Key): Key {
  return `guide/${idIn(key)}`;
}

/** What stands for a step of a translation in its guide: `step/34+2` for `step/34@de+2`. */
export function stepOfGuide(step: Key): Key {
  return step.replace(/@[^+]*/, "") as Key;
}

export function isTranslation(key: Key): boolean {
  return languageIn(key) !== undefined;
}
