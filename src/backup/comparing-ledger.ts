import type { Loaded, Written } from "../core/contracts.js";
import type { Key, Kind } from "../core/model/key.js";
import { HomeLedger } from "./home-ledger.js";

/**
 * The ledger as a comparison of a site with its own past needs it: every id there is known, so an image that has another one is another
 * image; and what is gone has the id that it had, since texts are compared before it is made anew.
 */
export class ComparingLedger extends HomeLedger {
  override async keyOf(kind: Kind, id: string): Promise<Key | undefined> {
    return (await super.keyOf(kind, id)) ?? `${kind}/${id}`;
  }

  override async loaded(item: Key): Promise<Loaded> {
    const { operations, written } = await super.loaded(item);
    return { operations, written: new Map([...written].map(([key, one]) => [key, withoutImages(one)])) };
  }
}

/** Which images stand there is told by `withKnownMedia`. */
export function withoutImages(written: Written): Written {
  const { images: _images, ...facts } = written.facts;
  return { ...written, facts };
}
