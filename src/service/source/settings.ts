import type { SiteIdentity } from "../../core/contracts.js";
import type { GuideItem, WikiItem } from "../../core/model/item.js";
import type { Key } from "../../core/model/key.js";
import { NOT_AVAILABLE } from "../http/status-error.js";

/** What is asked for beside the plain answers. */
export interface SourceOptions {
  /** Also read each image's annotations and camera data: one more request an image. */
  readonly imageDetails: boolean;
  /**
   * How guides and categories are read. `xml`: as XML too, compared and kept, one more request
   * each. `xml-only`: as XML alone, with its losses.
   */
  readonly format: "json" | "xml" | "xml-only";
  /** Translations to take, by language id; empty: all that the site names. */
  readonly languages: readonly string[];
  /**
   * Which version of a guide or page is read: what people see (`latest`), what was released last,
   * or the newest edit, one that waits for approval included (api-facts 3.1, 8.1). Default:
   * `latest`.
   */
  readonly version?: Version;
  /**
   * Which answers are kept as records: `basic`, the few that a migration needs, or `all` that the
   * specification knows (a backup). Default: `basic`.
   */
  readonly records?: "basic" | "all";
  /**
   * With `all`: also the families that hold data about people, see `src/service/endpoints`.
   * Default: no.
   */
  readonly personalData?: boolean;
}

export type Version = "latest" | "released" | "pending";

/**
 * What to ask for a version with: flags that act by being there, so that none is ever sent as
 * `false` (api-facts 1.1).
 */
export const VERSION_FLAGS: Readonly<
  Record<"guide" | "page", Readonly<Record<Version, Readonly<Record<string, true>>>>>
> = {
  guide: { latest: {}, released: { released: true }, pending: { unpatrolled: true } },
  page: { latest: {}, released: { only_released: true }, pending: { unpatrolled: true } },
};

/**
 * What a change token of another version than the latest has besides: so that each version is read
 * anew.
 */
export function versionToken({ version = "latest" }: SourceOptions): readonly string[] {
  return version === "latest" ? [] : [version];
}

// Between a clock here and one there, and for edits that were under way (architecture:
// "`modifiedSince` with overlap").
const OVERLAP_SECONDS = 24 * 60 * 60;

/**
 * What to ask a list for that knows changes by their date only. `since`: UNIX seconds of the last
 * complete extract.
 */
export function modifiedSince(since: number): { readonly modifiedSince: number } {
  return { modifiedSince: Math.max(0, Math.floor(since) - OVERLAP_SECONDS) };
}

/**
 * Answers that say "there is none of this here, or not for you" about things that sites may lack.
 */
export const REFUSED: readonly number[] = [401, 403, ...NOT_AVAILABLE];

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
 * Reads manual-authoring XML as an item of the model; the composition root gives it, since this
 * column knows no formats. Throws FerryError, with line, column and element, for an answer that
 * can't be read.
 */
export type ReadManual = (answer: ManualAnswer) => Promise<GuideItem | WikiItem>;
