import { idIn, type Key, restOf } from "./key.js";

/** The id that a thing has at the site that its key is of, as the ledger writes ids; texts also name media by their guids. */
export function ownId(key: Key): string {
  return NUMBERED.test(key) ? String(idIn(key)) : restOf(key);
}

/** `guide/12`, `guide/12@de`, `step/4+2`: what follows the number says which part or language of it is meant. */
const NUMBERED = /^(?:guide|step|image|video|document)\/\d+(?:$|[@+])/;
