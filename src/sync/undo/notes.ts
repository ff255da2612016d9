import type { Key } from "../../core/model/key.js";
import type { Scratch } from "../../storage/workspace/scratch.js";
import type { Change } from "./judge.js";

const TOPIC = "undo";
const USED = "undo-used";

/** What is to become of a thing. */
export interface Noted {
  readonly change: Change;
  /** It stays as it is. */
  readonly refused: boolean;
  readonly unanswered: boolean;
}

/** What the look before an undo found out, for the undo itself: on the disk, since a run may have touched any number of things. */
export class UndoNotes {
  readonly #scratch: Scratch;

  constructor(scratch: Scratch) {
    this.#scratch = scratch;
    scratch.clear(TOPIC);
    scratch.clear(USED);
  }

  put(thing: string, noted: Noted): void {
    this.#scratch.put(TOPIC, thing, JSON.stringify(noted));
  }

  of(thing: string): Noted | undefined {
    const noted = this.#scratch.get(TOPIC, thing);
    return noted === undefined ? undefined : JSON.parse(noted);
  }

  /** `name`: kind and the target's id, `image/5`. */
  use(name: string, by: Key): void {
    this.#scratch.put(USED, name, by);
  }

  userOf(name: string): string | undefined {
    return this.#scratch.get(USED, name);
  }
}
