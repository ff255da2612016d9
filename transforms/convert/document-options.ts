import type { GuideItem, WikiItem } from "../../src/core/model/item.js";
import type { DocumentSource, DocumentTarget, PageKind } from "./formats.js";

export interface ConvertDocumentOptions {
  readonly from: DocumentSource;
  readonly to: DocumentTarget;
  /** How messages name the document; its last parts are the file's name, and that of its folder. */
  readonly name: string;
  /** Scheme and host of the site that the document is of; as for texts. */
  readonly origin?: string | undefined;
  /** What a page is. Default: what it says itself, else a guide. */
  readonly as?: PageKind | undefined;
  /** Reads JSON that is no item's, as a service's own answer is. Default: nothing else is read. */
  readonly readAnswer?: ReadAnswer | undefined;
}

/** Gives the item of JSON, `name` being how messages call it; undefined: it is none that is known. */
export type ReadAnswer = (json: unknown, name: string) => GuideItem | WikiItem | undefined;
