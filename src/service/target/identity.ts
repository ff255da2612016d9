import type { Context } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import { type Key, type Kind, kindOf, restOf, wikiOf } from "../../core/model/key.js";
import type { Written } from "../../core/writing.js";
import { segment } from "../http/client.js";

/** Relative to the API root. Without an id: of the page with the same title on the target. */
export function pathOf(key: Key, id: string | undefined): string {
  const folder = FOLDERS[kindOf(key)];
  if (folder !== undefined) return `${folder}/${id ?? restOf(key)}`;
  const { namespace, title } = wikiOf(key);
  return `wikis/${namespace}/${segment(id === undefined ? title : titleAtTarget(key, id))}`;
}

const FOLDERS: Readonly<Partial<Record<Kind, string>>> = {
  guide: "guides",
  image: "media/images",
  video: "media/videos",
  document: "media/documents",
};

/** The id of a wiki starts with its namespace, since titles are unique within a namespace only. */
export function titleAtTarget(key: Key, id: string): string {
  return kindOf(key) === "wiki" ? id.slice(id.indexOf("/") + 1) : id;
}

/**
 * A page keeps its own title on the target unless a transform gives it another. The service can't
 * rename a page (api-facts 8.4): a new title creates a new page, and the ledger keeps the former
 * one for a run that uses the old title again. Compares the requested title, since sites normalise
 * titles. `given`: the title of the transform; undefined: its own.
 */
export function isUnder({ facts }: Written, given: string | undefined): boolean {
  return facts["given"] === given;
}

/** The last write under a title; undefined: never written under it. */
export function underTitle(before: Written | undefined, given: string | undefined): Written | undefined {
  if (before === undefined || isUnder(before, given)) return before;
  const found = formerOf(before).find((former) => former.given === (given ?? null));
  if (found === undefined) return undefined;
  const { id, revision, left } = found;
  return { ...before, id, revision, left, adopted: false };
}

export function nowUnder(given: string | undefined, made: Written, before: Written | undefined): Written {
  const { given: _given, former: _former, ...facts } = made.facts;
  const former = formersWith(before, given).filter((each) => each.given !== (given ?? null));
  return {
    ...made,
    facts: { ...facts, ...(given === undefined ? {} : { given }), ...(former.length === 0 ? {} : { former }) },
  };
}

/** The ids under former titles, which still exist on the target. */
export function formerIds(written: Written): readonly string[] {
  return formerOf(written).map(({ id }) => id);
}

/** The id of a page under a title, see `titleAtTarget`; undefined under its own. */
export function idUnder(key: Key, given: string | undefined): string | undefined {
  if (given === undefined || kindOf(key) === "category") return given;
  return `${wikiOf(key).namespace}/${given}`;
}

interface Former extends Pick<Written, "id" | "revision" | "left"> {
  /** null: its own title. */
  readonly given: string | null;
}

function formersWith(before: Written | undefined, given: string | undefined): readonly Former[] {
  if (before === undefined) return [];
  const { id, revision, left, adopted, facts } = before;
  // A page that existed before is not one that guideferry left behind.
  if (isUnder(before, given) || adopted) return formerOf(before);
  return [...formerOf(before), { given: (facts["given"] as string | undefined) ?? null, id, revision, left }];
}

function formerOf({ facts }: Written): readonly Former[] {
  return (facts["former"] ?? []) as readonly Former[];
}

/** The last write of a guide. Throws FerryError when it was never created. */
export async function guideOf(context: Context, key: Key): Promise<Written> {
  const guide = await context.written(key);
  if (guide === undefined)
    throw new FerryError(
      `${key} is not on the target yet, so nothing can be added to it. Correct its own failure, which is listed too, then run the same command again.`,
    );
  return guide;
}

/** Adopted, or replaced (`facts.existed`): never deleted when the source deletes it. */
export function existedBefore({ adopted, facts }: Written): boolean {
  return adopted || facts["existed"] === true;
}

/** Memo with the `objectid` of a step's embed; empty: the embed there stays. */
export function embedMemo(step: Key): string {
  return `${step}/embed`;
}
