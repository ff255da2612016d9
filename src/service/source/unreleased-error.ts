import { EXIT, FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";

/** Released versions are asked for, and this was never released: left out by name, and never taken in another version unasked. */
export class UnreleasedError extends FerryError {
  override readonly name = "UnreleasedError";

  constructor(key: Key) {
    super(`${key} was never released, and released versions are asked for.`, { exitCode: EXIT.someFailed });
  }
}
