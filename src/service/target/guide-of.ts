import type { Context, Written } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { Key } from "../../core/model/key.js";

/** What we last left of a guide. Throws when it was never made: its parts can't be written without it. */
export async function guideOf(context: Context, key: Key): Promise<Written> {
  const guide = await context.written(key);
  if (guide === undefined)
    throw new FerryError(
      `${key} is not at the target yet, so nothing can be added to it. Its own failure is listed; run again.`,
    );
  return guide;
}
