import type { Sandbox } from "../../../src/sandbox/index.js";

type Json = Readonly<Record<string, unknown>>;

/**
 * What a site holds, for comparing; a step that was made anew has another id and is the same step.
 */
export function contentsOf(sandbox: Sandbox): unknown {
  const { guides, wikis, hierarchy, media, comments } = sandbox.state();
  return {
    guides: guides.map(withoutStepIds),
    wikis: wikis.map(plain),
    hierarchy: sortedIn(hierarchy),
    media,
    comments,
  };
}

/**
 * A page without a display title shows its title in that place, and nobody can tell the two apart;
 * one that was made anew has another number.
 */
function plain({ wikiid: _id, ...page }: Json): Json {
  return { ...page, displayTitle: page["displayTitle"] ?? page["title"] };
}

function withoutStepIds(guide: Json): Json {
  const steps = guide["steps"] as readonly Json[];
  return { ...guide, steps: steps.map(({ stepid: _id, ...step }) => step) };
}

/** A page that was moved and moved back is the last of its siblings. */
function sortedIn(hierarchy: Readonly<Record<string, readonly string[]>>): Json {
  return Object.fromEntries(Object.entries(hierarchy).map(([above, titles]) => [above, [...titles].sort()]));
}
