import { isObject } from "../wire/place.js";
import type { Ask, Told } from "./ask.js";
import { idIn, note, type ProbeThing, saysOf } from "./probe-thing.js";
import { guideAddress } from "./read-site.js";
import type { Act } from "./site-facts.js";

/** What a guide must have: a category that is there, and a type that the site takes. */
export interface Home {
  readonly category: string;
  readonly type: string;
  /** Some types want one (api-facts 3.8). */
  readonly subject: string | null;
}

interface GuideParts {
  readonly ask: Ask;
  readonly root: string;
  readonly stop: AbortSignal;
}

/** What came of it. */
interface GuideFacts {
  guide: Act | null;
  step: Act | null;
}

/** Makes the guide and a step, and reads both back. What it made is in `guide` and `made` whatever happens. */
export async function probeGuide(
  { ask, root, stop }: GuideParts,
  home: Home,
  guide: ProbeThing,
  made: ProbeThing[],
  facts: GuideFacts,
  signal: AbortSignal,
): Promise<void> {
  stop.throwIfAborted();
  made.push(guide);
  const { category, type, subject } = home;
  const json = { category, type, title: guide.title, public: false, ...(subject === null ? {} : { subject }) };
  const told = await ask({ method: "POST", path: "guides", json, tries: 1 }, signal);
  note(guide, told, idIn(told, "guideid"), (id) => guideAddress(root, id));
  if (guide.id === null) {
    facts.guide = { isDone: false, says: `a private guide in ${category} could not be made: ${saysOf(told)}` };
    return;
  }
  facts.guide = { isDone: false, says: `guide ${guide.id} was made, and not read back` };
  facts.step = null;
  stop.throwIfAborted();
  facts.step = await addStep(ask, guide, signal);
  stop.throwIfAborted();
  facts.guide = readBack(guide, await ask({ path: `guides/${guide.id}?excludePrerequisiteSteps=true` }, signal), facts);
}

const LINE = "guideferry probe";

async function addStep(ask: Ask, guide: ProbeThing, signal: AbortSignal): Promise<Act> {
  const json = { orderby: 1, lines: [{ text: LINE, bullet: "black", level: 0 }] };
  // A step sent twice would be two steps of a guide that goes anyway; sent once, the site says what it thinks of it.
  const told = await ask({ method: "POST", path: `guides/${guide.id}/steps`, json, tries: 1 }, signal);
  if (told.status === null || told.status >= 300 || !isObject(told.json))
    return { isDone: false, says: `no good answer to adding a step: ${saysOf(told)}` };
  guide.json = told.json;
  return { isDone: true, says: "a step was added" };
}

function readBack(guide: ProbeThing, told: Told, facts: GuideFacts): Act {
  const { json, status } = told;
  if (status !== 200 || !isObject(json))
    return { isDone: false, says: `guide ${guide.id} was made, but reading it back: ${saysOf(told)}` };
  guide.json = json;
  if (json["public"] !== false)
    return { isDone: false, says: `guide ${guide.id} was made as a public one, though it was to be private` };
  const steps = Array.isArray(json["steps"]) ? json["steps"] : [];
  if (facts.step?.isDone === true && !JSON.stringify(steps).includes(LINE))
    facts.step = { isDone: false, says: "a step was added, and is not there" };
  const isSame = json["title"] === guide.title;
  return {
    isDone: isSame,
    says: isSame ? "a private guide was made and read back" : `guide ${guide.id} came back with another title`,
  };
}
