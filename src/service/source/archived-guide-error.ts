import { EXIT, FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";

/** A guide that is listed as archived and does not open for the account of the source (api-facts 11.16): nobody's failure. */
export class ArchivedGuideError extends FerryError {
  override readonly name = "ArchivedGuideError";

  constructor(key: Key, status: number) {
    super(`${key} is archived and can't be read by this account: the site answered ${status}.`, {
      exitCode: EXIT.someFailed,
    });
  }
}
