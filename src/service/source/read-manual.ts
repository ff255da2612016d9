import type { SiteIdentity } from "../../core/contracts.js";
import type { GuideItem, WikiItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";

/** A `type=XML` answer. */
export interface ManualAnswer {
  /** What was asked for: a guide, a translation of one, or a category. */
  readonly key: Key;
  readonly xml: string;
  /** How messages name it: `GET https://site.example/api/2.0/guides/12?type=XML`. */
  readonly file: string;
  readonly site: Pick<SiteIdentity, "origin" | "hosts">;
}

/**
 * Reads manual-authoring XML as an item of the model; the composition root gives it, since this column knows no formats. Throws
 * FerryError, with line, column and element, for an answer that can't be read.
 */
export type ReadManual = (answer: ManualAnswer) => Promise<GuideItem | WikiItem>;
