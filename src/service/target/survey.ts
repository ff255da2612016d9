import type { Survey } from "../../core/contracts.js";
import { SignInError } from "../../core/errors.js";
import type { Client } from "../client.js";
import { NOT_AVAILABLE } from "../not-available.js";
import { askDialect, identifySite } from "../source/identify.js";
import { asJson } from "./as-left.js";

/** Answers that mean: this site doesn't tell. */
const REFUSED: readonly number[] = [401, 403, ...NOT_AVAILABLE];

/** Reads that tell what a site is and takes. Throws SignInError when nobody is signed in: nothing can be written then. */
export async function readSurvey(client: Client, signal: AbortSignal): Promise<Survey> {
  const [identity, info, flags, own, guides] = await Promise.all([
    identifySite(client, signal),
    client.get("sites/info", { expect: REFUSED }, signal),
    client.get("user/flags", { expect: REFUSED }, signal),
    client.get("user/guides", { query: { order: "DESC", limit: 1 }, expect: REFUSED }, signal),
    client.get("guides", { query: { order: "DESC", limit: 1 } }, signal),
  ]);
  if (identity.account === null) {
    throw new SignInError(
      `${client.root} is to be written to, but nobody is signed in there. Set GUIDEFERRY_TARGET_TOKEN (or GUIDEFERRY_TARGET_EMAIL and _PASSWORD) to an account of that site, check the address, and run again.`,
    );
  }
  // The account's own guides may be private, and then nothing else shows one.
  const [ownGuide]: readonly unknown[] = Array.isArray(own.json) ? own.json : [];
  return {
    identity:
      identity.dialect === "unknown" ? { ...identity, dialect: await askDialect(client, ownGuide, signal) } : identity,
    guideTypes: info.status === 200 ? guideTypes(info.json) : null,
    subjectTypes: info.status === 200 ? subjectTypes(info.json) : [],
    flags: flags.status === 200 ? Object.keys(asJson(asJson(flags.json)["guide"])) : null,
    highestGuide: Math.max(highest(own.json), highest(guides.json)),
  };
}

/** `guide-types` is keyed by type (api-facts 3.8). */
function guideTypes(info: unknown): readonly string[] | null {
  const types = asJson(info)["guide-types"];
  if (Array.isArray(types)) return types.map(String);
  return types === undefined || types === null ? null : Object.keys(asJson(types));
}

/** A type with a prompt needs a subject. */
function subjectTypes(info: unknown): readonly string[] {
  const types = Object.entries(asJson(asJson(info)["guide-types"]));
  return types.flatMap(([type, facts]) => (asJson(facts)["prompt"] ? [type] : []));
}

function highest(rows: unknown): number {
  const ids = Array.isArray(rows) ? rows.map((row) => Number(asJson(row)["guideid"] ?? 0)) : [];
  return Math.max(0, ...ids);
}
