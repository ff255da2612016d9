import type { PeopleMaps, Survey } from "../../core/contracts.js";
import { FerryError } from "../../core/errors.js";
import type { Client } from "../client.js";
import { Abilities } from "./abilities.js";
import { asJson } from "./as-left.js";
import { type People, readPeople } from "./people.js";
import { readSurvey } from "./survey.js";

/** What is known of the site: asked once, and completed by its answers. */
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
    this.#highestGuide = Math.max(this.#highestGuide, Number(asJson(guide)["guideid"] ?? 0));
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
  if (value === undefined) throw new FerryError("The target was used before it was surveyed: a defect of guideferry.");
  return value;
}
