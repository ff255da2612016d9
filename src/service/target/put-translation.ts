import { ConflictError } from "../../core/errors.js";
import type { JsonObject } from "../../core/util/json.js";
import type { Body } from "../../core/writing.js";
import { revisionIn } from "../wire/revision.js";
import type { Work } from "./context.js";
import { NO_REVISION, openTokens, refusedTokens, TRIES } from "./guarded-write.js";
import type { WrittenTranslation } from "./written-body.js";

export interface TranslationPlace {
  readonly path: string;
  readonly language: string;
  /** The name of the translation in pre-images: `translation/de/wiki/INFO/Sheds`. */
  readonly thing: string;
  /** Its remote state; undefined: no text in this language. */
  readonly look: () => Promise<unknown>;
  /** Without a translation, the answer is in the source language (api-facts 3.1, 8.1). */
  readonly isIn: (json: unknown) => boolean;
  readonly digest: (json: unknown) => string;
  readonly carries: (json: unknown, sent: JsonObject) => boolean;
  readonly body: (json: unknown) => Body;
}

/**
 * Sends a translation with the revision of the last write and resolves a 409: done already, changed
 * by this run, or a remote edit, which throws ConflictError unless `--on-conflict` is `update`.
 * Returns the new state.
 */
export async function putTranslation(
  work: Work,
  place: TranslationPlace,
  json: JsonObject,
  remoteTranslation: WrittenTranslation,
): Promise<unknown> {
  const { site, context, signal, operation } = work;
  const { path, language } = place;
  await context.keep(place.thing, () => readRemoteTranslation(place, remoteTranslation), json);
  if ((await context.wasSkipped?.()) === true) refuseRemoteEdit(work, place, await place.look(), remoteTranslation);
  const tokens = await openTokens(work);
  let token = tokens.next(remoteTranslation.revision) ?? NO_REVISION;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const query = { langid: language, revisionid: token.value };
    const answer = await site.client.send({ method: "PATCH", path, query, json, expect: [409] }, signal);
    const isDone = answer.status !== 409;
    if (isDone) await tokens.taken(token);
    if (isDone || (place.isIn(answer.json) && place.carries(answer.json, json))) return answer.json;
    refuseRemoteEdit(work, place, answer.json, remoteTranslation);
    const revision = revisionIn(answer.json);
    if (revision === null) throw remoteEditError(work, answer.json, "the remote edit was kept");
    const other = tokens.next(revision);
    if (other === undefined) throw refusedTokens(work);
    token = other;
  }
  throw new ConflictError(
    `${operation.label}: its revision changed each time guideferry read it. Run the same command again.`,
    {
      current: undefined,
    },
  );
}

async function readRemoteTranslation({ look, language, body }: TranslationPlace, { isNew }: WrittenTranslation) {
  const current = isNew === true ? undefined : await look();
  return { id: language, body: current === undefined ? { absent: true } : body(current) };
}

/** Throws ConflictError for a remote edit unless `--on-conflict` is `update`. */
function refuseRemoteEdit(work: Work, place: TranslationPlace, current: unknown, { left }: WrittenTranslation): void {
  const isRemoteEdit = current !== undefined && place.isIn(current) && place.digest(current) !== left;
  if (isRemoteEdit && work.site.onConflict !== "update")
    throw remoteEditError(work, current, "the remote edit was kept");
}

export function remoteEditError({ operation, site }: Work, current: unknown, what: string): ConflictError {
  return new ConflictError(
    `${operation.label}: somebody changed it at ${site.client.root} since guideferry last wrote it, so ${what}. ` +
      "To replace the remote edit with the source's version, run again with --on-conflict update.",
    { current },
  );
}

export function writtenTranslationNow(place: TranslationPlace, json: unknown): WrittenTranslation {
  return { revision: revisionIn(json), left: place.digest(json) };
}
