import fc from "fast-check";
import type { Sandbox } from "../../src/sandbox/index.js";
import { stepBody, stepIds } from "./small-sites.js";

/** A guide of a random site; others are meant by their place in the list. */
interface SmallGuide {
  readonly summary: string;
  readonly prerequisites: readonly number[];
  readonly refersTo: readonly number[];
  readonly tags: readonly string[];
  readonly steps: readonly string[];
  readonly public: boolean;
}

export interface SmallSite {
  readonly categories: readonly (number | null)[];
  readonly guides: readonly SmallGuide[];
}

const words = fc.constantFrom("Oil it", "Turn it", "Lift the lid", "Check twice", "Wind the warp");
const tags = fc.uniqueArray(fc.constantFrom("wood", "wool", "spring"), { maxLength: 3 });
const places = fc.uniqueArray(fc.nat(4), { maxLength: 3 });

/** Up to five guides that may need and mention each other in circles, in up to three categories. */
export const smallSite: fc.Arbitrary<SmallSite> = fc.record({
  categories: fc.array(fc.option(fc.nat(2)), { minLength: 1, maxLength: 3 }),
  guides: fc.array(
    fc.record({
      summary: words,
      prerequisites: places,
      refersTo: places,
      tags,
      steps: fc.array(words, { minLength: 1, maxLength: 3 }),
      public: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  ),
});

/**
 * Something that an editor does at the source. Numbers are taken modulo what is there; a change
 * uses what it needs.
 */
export interface Change {
  readonly kind: keyof typeof ACTS;
  readonly guide: number;
  readonly place: number;
  readonly text: string;
  readonly tags: readonly string[];
  readonly others: readonly number[];
}

interface At {
  readonly sandbox: Sandbox;
  readonly ids: readonly number[];
  readonly id: number;
  readonly steps: readonly number[];
  readonly step: number;
}

const ACTS = {
  page: ({ sandbox, ids }: At, { text }: Change) =>
    sandbox.edit.wiki("WIKI", "Page", { contents: `${text} [guide|${ids[0]}|see].` }),
  tags: ({ sandbox, id }: At, { tags: wanted }: Change) => sandbox.edit.setGuideTags(id, wanted),
  prerequisites: ({ sandbox, ids, id }: At, { others }: Change) =>
    sandbox.edit.guide(id, { prerequisites: idsAt(ids, others, id) }),
  references: ({ sandbox, ids, id }: At, { others }: Change) =>
    sandbox.edit.guide(id, { introduction: mentions(ids, others) }),
  summary: ({ sandbox, id }: At, { text }: Change) => sandbox.edit.guide(id, { summary: text }),
  step: ({ sandbox, id, step }: At, { text }: Change) =>
    sandbox.edit.step(id, step, { lines: [{ text, bullet: "red", level: 0 }] }),
  newStep: ({ sandbox, id, steps }: At, { text, place }: Change) =>
    void sandbox.edit.addStep(id, stepBody(1 + (place % (steps.length + 1)), text)),
  deleteStep: ({ sandbox, id, steps, step }: At) => {
    if (steps.length > 1) sandbox.edit.deleteStep(id, step);
  },
  firstStepLast: ({ sandbox, id, steps }: At) => sandbox.edit.orderSteps(id, [...steps.slice(1), ...steps.slice(0, 1)]),
  publish: ({ sandbox, id }: At, { place }: Change) => sandbox.edit.setPublic(id, place % 2 === 0),
  deleteGuide: ({ sandbox, ids, id }: At) => {
    if (ids.length > 1) deleteGuide(sandbox, id);
  },
  moveCategory: ({ sandbox }: At, { guide, place }: Change) => moveCategory(sandbox, guide, place),
} as const satisfies Readonly<Record<string, (at: At, change: Change) => void>>;

/** Some edits between two runs. */
export const changes: fc.Arbitrary<readonly Change[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(ACTS) as readonly (keyof typeof ACTS)[])),
    guide: fc.nat(9),
    place: fc.nat(9),
    text: words,
    tags,
    others: places,
  }),
  { minLength: 1, maxLength: 5 },
);

/** The hands of an editor at a random site. */
export interface Hands {
  make(change: Change): void;
}

/** Fills an empty sandbox. */
export function fillSite(sandbox: Sandbox, site: SmallSite): Hands {
  const { edit } = sandbox;
  site.categories.forEach((_, index) => {
    edit.createWiki({ namespace: "CATEGORY", title: `Category ${index}`, contents: `About ${index}.` });
  });
  site.categories.forEach((parent, index) => {
    if (parent !== null && parent < index) edit.setParent("CATEGORY", `Category ${index}`, `Category ${parent}`);
  });
  edit.createWiki({ namespace: "WIKI", title: "Page", contents: "A page." });
  const ids = site.guides.map((guide, index) =>
    edit.createGuide({
      category: `Category ${index % site.categories.length}`,
      type: "how-to",
      subject: "loom",
      title: `Guide ${index}`,
      summary: guide.summary,
      difficulty: "Easy",
    }),
  );
  site.guides.forEach((guide, index) => {
    const id = ids[index] ?? 0;
    for (const text of guide.steps) edit.addStep(id, stepBody(1 + stepIds(sandbox, id).length, text));
    edit.guide(id, { prerequisites: idsAt(ids, guide.prerequisites, id), introduction: mentions(ids, guide.refersTo) });
    edit.setGuideTags(id, guide.tags);
    edit.setPublic(id, guide.public);
  });
  return { make: (change) => make(sandbox, change) };
}

function make(sandbox: Sandbox, change: Change): void {
  const ids = sandbox.state().guides.map((guide) => Number(guide["guideid"]));
  const id = ids[change.guide % ids.length] ?? 0;
  const steps = stepIds(sandbox, id);
  ACTS[change.kind]({ sandbox, ids, id, steps, step: steps[change.place % steps.length] ?? 0 }, change);
}

/** Nobody needs or mentions it any more, and it is gone. */
function deleteGuide({ edit, state }: Sandbox, id: number): void {
  for (const guide of state().guides) {
    const needs = guide["prerequisites"] as readonly number[];
    const introduction = withoutMention(String(guide["introduction"]), id);
    edit.guide(Number(guide["guideid"]), { prerequisites: needs.filter((need) => need !== id), introduction });
  }
  const page = state().wikis.find((wiki) => wiki["title"] === "Page");
  edit.wiki("WIKI", "Page", { contents: withoutMention(String(page?.["contents"]), id) });
  edit.deleteGuide(id);
}

function withoutMention(text: string, id: number): string {
  return text.replaceAll(`[guide|${id}|`, "[https://example.com|");
}

function moveCategory({ edit, state }: Sandbox, from: number, to: number): void {
  const titles = state().wikis.flatMap((wiki) => (wiki["namespace"] === "CATEGORY" ? [String(wiki["title"])] : []));
  const title = titles[from % titles.length] ?? "";
  const parent = titles[to % titles.length];
  const below = parent !== undefined && parent < title ? parent : null;
  edit.setParent("CATEGORY", title, below);
}

function idsAt(ids: readonly number[], wanted: readonly number[], except: number): readonly number[] {
  return wanted.flatMap((place) => ids[place] ?? []).filter((id) => id !== except);
}

function mentions(ids: readonly number[], wanted: readonly number[]): string {
  return (
    wanted
      .flatMap((place) => ids[place] ?? [])
      .map((id) => `See [guide|${id}|it].`)
      .join(" ") || "Nothing more."
  );
}
