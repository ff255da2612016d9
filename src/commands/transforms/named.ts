import type { Transform } from "../../core/contracts.js";
import { EXIT, FerryError } from "../../core/errors.js";
import type { Item } from "../../core/model/item.js";

/** The transform, whose errors tell its name and the item. */
export function named(name: string, transform: Transform): Transform {
  return (item, report) => {
    try {
      return transform(item, report);
    } catch (error) {
      if (error instanceof FerryError) throw error;
      throw failure(
        name,
        item,
        error instanceof Error ? `it threw "${error.message}"` : `it threw ${String(error)}`,
        error,
      );
    }
  };
}

/** An item that a transform could not take: a failure of this item only. */
export function failure(name: string, item: Item, reason: string, cause?: unknown): FerryError {
  return new FerryError(`The transform ${name} failed on ${item.key}: ${reason}. The item was not sent.`, {
    exitCode: EXIT.someFailed,
    cause,
  });
}
