import type { Survey } from "../../core/contracts.js";
import { FerryError, SignInError } from "../../core/errors.js";
import { listIn, objectIn, rowsIn } from "../../core/util/json.js";
import type { PeopleMaps } from "../../core/writing.js";
import type { Client } from "../http/client.js";
import { REFUSED } from "../http/status-error.js";
import { askDialect, identifySite } from "../source/session.js";
import { type People, readPeople } from "./people.js";

/**
 * Abilities that not every site has (api-facts 0.3, 3.7, 4.1, 5.2). Each is read, learned from an
 * answer or tried by the first write. None follows from another or from the dialect.
 */
export type Ability = "uploads" | "author" | "work-log" | "part-optional" | "part-featured";

/** The known abilities of a site. The first write tries an unknown one. */
export class Abilities {
  readonly #known = new Map<Ability, boolean>();

  /** undefined: unknown. */
  has(ability: Ability): boolean | undefined {
    return this.#known.get(ability);
  }

  note(ability: Ability, isThere: boolean): void {
    this.#known.set(ability, isThere);
  }

  /** A field in a guide proves an ability. A missing field proves nothing. */
  learn(guide: unknown): void {
    const { work_log_enabled: workLog, parts, tools } = objectIn(guide);
    if (typeof workLog === "boolean") this.note("work-log", true);
    const rows = [...rowsIn(parts), ...rowsIn(tools)];
    for (const [ability, field] of MARKS) if (rows.some((row) => field in row)) this.note(ability, true);
  }
}

/** Fields of a part's body, by the ability that they need. */
export const MARKS = [
  ["part-optional", "isoptional"],
  ["part-featured", "featured"],
] as const satisfies readonly (readonly [Ability, string])[];

/** The facts of the site: read once, completed by its answers. */
export class Knowledge {
  readonly #client: Client;
  readonly #maps: PeopleMaps;
  readonly abilities = new Abilities();
  #survey: Survey | undefined;
  #people: People | undefined;
  #highestGuide = 0;

  constructor(client: Client, maps: PeopleMaps) {
    this.#client = client;
    this.#maps = maps;
  }

  async read(signal: AbortSignal): Promise<Survey> {
    const survey = await readSurvey(this.#client, signal);
    this.#people = await readPeople(this.#client, this.#maps, signal);
    this.#survey = survey;
    this.#highestGuide = survey.highestGuide;
    return survey;
  }

  learn(guide: unknown): void {
    this.#highestGuide = Math.max(this.#highestGuide, Number(objectIn(guide)["guideid"] ?? 0));
    this.abilities.learn(guide);
  }

  get survey(): Survey {
    return known(this.#survey);
  }
  get people(): People {
    return known(this.#people);
  }
  get highestGuide(): number {
    return this.#highestGuide;
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined)
    throw new FerryError(
      "The target was used before its facts were read. This is a defect of guideferry: please report it.",
    );
  return value;
}

/** Throws SignInError without a sign-in. */
async function readSurvey(client: Client, signal: AbortSignal): Promise<Survey> {
  const [identity, info, flags, own, guides] = await Promise.all([
    identifySite(client, signal),
    client.get("sites/info", { expect: REFUSED }, signal),
    client.get("user/flags", { expect: REFUSED }, signal),
    client.get("user/guides", { query: { order: "DESC", limit: 1 }, expect: REFUSED }, signal),
    client.get("guides", { query: { order: "DESC", limit: 1 } }, signal),
  ]);
  if (identity.account === null) {
    throw new SignInError(
      `${client.root} is the target, but guideferry is not signed in there. Set GUIDEFERRY_TARGET_TOKEN (or GUIDEFERRY_TARGET_EMAIL and GUIDEFERRY_TARGET_PASSWORD) to an account of that site, check the address, and run the same command again.`,
    );
  }
  // The account's own guides may all be private: then no other list shows a guide.
  const [ownGuide]: readonly unknown[] = listIn(own.json);
  return {
    identity:
      identity.dialect === "unknown" ? { ...identity, dialect: await askDialect(client, ownGuide, signal) } : identity,
    guideTypes: info.status === 200 ? guideTypes(info.json) : null,
    subjectTypes: info.status === 200 ? subjectTypes(info.json) : [],
    flags: flags.status === 200 ? Object.keys(objectIn(objectIn(flags.json)["guide"])) : null,
    highestGuide: Math.max(highest(own.json), highest(guides.json)),
  };
}

/** `guide-types` is keyed by type (api-facts 3.8). */
function guideTypes(info: unknown): readonly string[] | null {
  const types = objectIn(info)["guide-types"];
  if (Array.isArray(types)) return types.map(String);
  return types === undefined || types === null ? null : Object.keys(objectIn(types));
}

/** A type with a prompt needs a subject. */
function subjectTypes(info: unknown): readonly string[] {
  const types = Object.entries(objectIn(objectIn(info)["guide-types"]));
  return types.flatMap(([type, facts]) => (objectIn(facts)["prompt"] ? [type] : []));
}

function highest(rows: unknown): number {
  const ids = Array.isArray(rows) ? rows.map((row) => Number(objectIn(row)["guideid"] ?? 0)) : [];
  return Math.max(0, ...ids);
}
