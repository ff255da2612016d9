import type { PeopleMaps, Survey } from "../../contracts.js";
import { FerryError } from "../../errors.js";
import type { Client } from "../client.js";
import { asJson } from "./as-left.js";
import { type Dialect, dialectOf } from "./dialect.js";
import { type People, readPeople } from "./people.js";
import { readSurvey } from "./survey.js";

/** What is known of the site: asked once, and completed by its answers. */
export class Knowledge {
  readonly #client: Client;
  readonly #maps: PeopleMaps;
  #survey: Survey | undefined;
  #people: People | undefined;
  #dialect: Dialect | undefined;
  #highestGuide = 0;

  constructor(client: Client, maps: PeopleMaps) {
    this.#client = client;
    this.#maps = maps;
  }

  async read(signal: AbortSignal): Promise<Survey> {
    const survey = await readSurvey(this.#client, signal);
    this.#people = await readPeople(this.#client, this.#maps, signal);
    this.#survey = survey;
    this.#dialect = dialectOf(survey.identity);
    this.#highestGuide = survey.highestGuide;
    return survey;
  }

  learn(guide: unknown): void {
    const answer = asJson(guide);
    this.#highestGuide = Math.max(this.#highestGuide, Number(answer["guideid"] ?? 0));
    if (this.survey.identity.dialect !== "unknown") return;
    const dialect = "guide_revisionid" in answer ? "dozuki" : "ifixit";
    this.#survey = { ...this.survey, identity: { ...this.survey.identity, dialect } };
    this.#dialect = dialectOf(this.#survey.identity);
  }

  get survey(): Survey {
    return known(this.#survey);
  }
  get people(): People {
    return known(this.#people);
  }
  get dialect(): Dialect {
    return known(this.#dialect);
  }
  get highestGuide(): number {
    return this.#highestGuide;
  }
}

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new FerryError("The target was used before it was surveyed: a defect of guideferry.");
  return value;
}
