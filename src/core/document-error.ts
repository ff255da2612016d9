import { EXIT, FerryError } from "./errors.js";

/** A document of a package can't be read: the item's failure, until somebody corrects the document. */
export class DocumentError extends FerryError {
  override readonly name = "DocumentError";

  /** `message`: what is wrong, with file, line and column. */
  constructor(message: string) {
    super(message, { exitCode: EXIT.someFailed });
  }
}
