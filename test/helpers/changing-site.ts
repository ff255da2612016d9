import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.js";
import { ACTS, type At } from "./changing-acts.js";
import { stepBody } from "./small-sites.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A site of some thirty items that people work on every day, by a clock of its own. */
export interface ChangingSite {
  readonly sandbox: Sandbox;
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * A day passes, and some of it is changed; gives what was done. `acts`: how many changes, at
   * most.
   */
  day(acts?: number): readonly string[];
}

const DAY = 86_400_000;
/**
 * Later than any run of a test: what is asked for by the date of its change counts from the
 * machine's clock.
 */
const BEGIN = Date.UTC(2040, 0, 1, 3);
const GUIDES = 12;

/** The same seed gives the same days. */
export async function changingSite(seed: number): Promise<ChangingSite> {
  let now = BEGIN;
  const sandbox = await startSandbox({ site: await twoLanguages(), now: () => now });
  onTestFinished(() => sandbox.close());
  const random = randomFrom(seed);
  const comments = new Set([fill(sandbox)]);
  let made = 0;
  return {
    sandbox,
    now: () => now,
    day: (acts = 8) => {
      now += DAY;
      // One day in eight nobody works.
      return Array.from({ length: random() < 0.125 ? 0 : 1 + Math.floor(random() * acts) }, () => {
        made += 1;
        return change({ sandbox, comments, name: `${made}` }, random);
      });
    },
  };
}

/** One that fits what is there; a name that can't be done today is followed by the next. */
function change(where: Pick<At, "sandbox" | "comments" | "name">, random: () => number): string {
  const names = Object.keys(ACTS) as readonly (keyof typeof ACTS)[];
  const first = Math.floor(random() * names.length);
  const pick: At["pick"] = (list) => list[Math.floor(random() * list.length)];
  for (let at = 0; at < names.length; at += 1) {
    const act = names[(first + at) % names.length] ?? "text";
    if (ACTS[act]({ ...where, pick, chance: (share) => random() < share }) !== false) return act;
  }
  return "nothing";
}

/** Gives the number of the comment there. */
function fill({ edit }: Sandbox): number {
  // The guide of the folder made this one.
  edit.wiki("CATEGORY", "Looms", { contents: "All Looms." });
  for (const title of ["Dyes", "Wheels"]) edit.createWiki({ namespace: "CATEGORY", title, contents: `All ${title}.` });
  edit.setParent("CATEGORY", "Wheels", "Looms");
  for (const title of ["Sheds", "Knots"]) edit.createWiki({ namespace: "WIKI", title, contents: `On ${title}.` });
  edit.createWiki({ namespace: "INFO", title: "Rules", contents: "Be kind." });
  for (let at = 2; at <= GUIDES; at += 1) {
    const category = ["Looms", "Dyes", "Wheels"][at % 3] ?? "Looms";
    const guide = edit.createGuide({ category, type: "how-to", title: `Guide ${at}`, introduction: "Begin." });
    const step = edit.addStep(guide, stepBody(1, `Do it: ${at}.`));
    if (at % 2 === 0) edit.exchangeImage(guide, step, `picture ${at}`);
    edit.setPublic(guide, at % 5 !== 0);
  }
  edit.setGuideTags(3, ["wool"]);
  edit.setRow("schedules", { title: "Once a year" });
  return edit.comment("guide", 2, "Mine is blue.");
}

/** A folder with one guide and its translation, which nobody can make by the API. */
async function twoLanguages(): Promise<string> {
  const folder = await temporaryFolder();
  await mkdir(join(folder, "guides"));
  const site = { name: "nights", title: "Nights", dialect: "dozuki", languages: ["en", "de"] };
  await writeFile(join(folder, "site.json"), JSON.stringify(site));
  const guide = { guideid: 1, type: "how-to", category: "Looms", difficulty: "Easy", public: true, steps: [] };
  await writeFile(
    join(folder, "guides/1.json"),
    JSON.stringify({ ...guide, langid: "en", title: "Guide 1", introduction_raw: "Begin." }),
  );
  await writeFile(
    join(folder, "guides/1@de.json"),
    JSON.stringify({ ...guide, langid: "de", title: "Anleitung 1", introduction_raw: "Anfang." }),
  );
  return folder;
}

/** Numbers from 0 to 1: mulberry32, which is good enough to choose by. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
