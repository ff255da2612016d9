import { createResolver } from "../../../../transforms/html/resolver.js";
import { ANY_LABEL, type Said, saidText, saysMuchTheSame, saysTheSame } from "../../../../transforms/html/said/said.js";
import { saidBy } from "../../../../transforms/html/said/said-by.js";
import { toHtml } from "../../../../transforms/html/to-html.js";
import { parse } from "../../../../transforms/wiki/parse.js";
import { goalOf, type LinkSites } from "./goals.js";
import { differsAsMeant } from "./meant-changes.js";
import type { AllLines, RenderedText } from "./rendered-texts.js";

/** What a text is shown as, and what it should be; both in words for a person. */
export interface Shown {
  readonly same: boolean;
  readonly expected: string;
  readonly actual: string;
}

/**
 * Does the target's HTML say what it should? Three witnesses, of which one is enough: the HTML that the old site made of its own text, with
 * links led to where their goals are now; the text itself, as this project reads it; and both together. The first is exact, but
 * knows nothing of what was changed on the way. The second knows that, and is asked about letters and links only. The third is the first,
 * with what this project's reading of the two texts says was changed on purpose.
 */
export async function compareRendered(text: RenderedText, present: string, sites: LinkSites): Promise<Shown> {
  if (present === text.source && !REFERS.test(present)) return { same: true, expected: present, actual: present };
  const actual = await resolved(saidBy(present), "target", sites);
  const before = text.source === undefined ? undefined : await resolved(saidBy(text.source), "source", sites);
  if (before !== undefined && saysTheSame(actual, before)) return shown(true, before, actual);
  const meant = await meantBy(text.text, text.where, "target", sites);
  if (saysMuchTheSame(actual, meant) || before === undefined || text.own === undefined)
    return shown(saysMuchTheSame(actual, meant), meant, actual);
  const meantBefore = await meantBy(text.own, text.where, "source", sites);
  return shown(differsAsMeant({ before, now: actual, meantBefore, meantNow: meant }), meant, actual);
}

/** Do the lines of a guide, taken together, show what they showed at the old site, however they were divided? */
export async function showsAllLines(lines: AllLines, sites: LinkSites): Promise<boolean> {
  const said = async (all: readonly string[], read: (one: string) => Promise<readonly Said[]>) =>
    (await Promise.all(all.map(read))).flat();
  return differsAsMeant({
    before: await said(lines.source, (html) => resolved(saidBy(html), "source", sites)),
    now: await said(lines.present, (html) => resolved(saidBy(html), "target", sites)),
    meantBefore: await said(lines.own, (text) => meantBy(text, "line", "source", sites)),
    meantNow: await said(lines.texts, (text) => meantBy(text, "line", "target", sites)),
  });
}

/** What a text says, as this project reads it. */
function meantBy(text: string, where: RenderedText["where"], site: "source" | "target", sites: LinkSites) {
  return resolved(saidBy(toHtml(parse(text, { context: where }).tree, NAMELESS)), site, sites);
}

const REFERS = /<(?:a|img|video|iframe|div|source)\b/i;

/** The labels of links that have none are taken from their goals, which nobody knows here. */
const NAMELESS = createResolver({
  guide: () => ({ folder: "Guide", title: ANY_LABEL }),
  document: (id) => ({ address: `/Document/${id}`, title: ANY_LABEL }),
});

async function resolved(
  pieces: readonly Said[],
  htmlOf: "source" | "target",
  sites: LinkSites,
): Promise<readonly Said[]> {
  return Promise.all(
    pieces.map(async (piece) =>
      piece.type === "link"
        ? { ...piece, goal: await goalOf(piece.goal, htmlOf, sites) }
        : await medium(piece, htmlOf, sites),
    ),
  );
}

/** An image that the site shows in another size or cut has an id of its own there (api-facts 4.5). */
async function medium(piece: Said, htmlOf: "source" | "target", { idOf }: LinkSites): Promise<Said> {
  if (piece.type !== "medium" || piece.id === null || htmlOf === "target" || piece.kind === "guide-list") return piece;
  return { ...piece, id: (await idOf(`${piece.kind}/${piece.id}`)) ?? null };
}

function shown(same: boolean, expected: readonly Said[], actual: readonly Said[]): Shown {
  return { same, expected: saidText(expected), actual: saidText(actual) };
}
