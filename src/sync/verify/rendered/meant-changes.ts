import { ANY_LABEL, type Said } from "../../../../transforms/html/said/said.js";
import { OLD_SITE } from "./goals.js";

/** What both sites show of a text, and what the text itself says on both sides of the load. */
export interface BeforeAndNow {
  /** The old site's HTML. */
  readonly before: readonly Said[];
  /** The target's HTML. */
  readonly now: readonly Said[];
  /** The source's own text, as this project reads it. */
  readonly meantBefore: readonly Said[];
  /** The text that was sent, as this project reads it. */
  readonly meantNow: readonly Said[];
}

/**
 * Does the target show what the old site showed, save for what was changed on purpose? Rewrites (a label in the place of a reference, a
 * link to the old site, a transform, a line that was cut) change the text in a way that is known, and the two HTMLs may differ by just
 * that. Words, links and media are counted, not put in order: what lies around a rewrite is compared as the sites show it.
 */
export function differsAsMeant(shown: BeforeAndNow): boolean {
  const unmoved = unmovedGoals(Object.values(shown).flat());
  const [before, now] = [tokensOf(withoutInvalid(shown.before), unmoved), tokensOf(shown.now, unmoved)];
  const [meantBefore, meantNow] = [tokensOf(shown.meantBefore, unmoved), tokensOf(shown.meantNow, unmoved)];
  const mayCome = added(meantNow.counts, meantBefore.counts);
  const mayGo = added(meantBefore.counts, meantNow.counts);
  const comes = added(now.counts, before.counts);
  const goes = added(before.counts, now.counts);
  return (
    [...comes.keys()].every((token) => holds(mayCome, token) || meantNow.unmoved.has(token)) &&
    [...goes.keys()].every((token) => holds(mayGo, token) || meantBefore.unmoved.has(token))
  );
}

interface Tokens {
  /** How often each word, link and medium is there. */
  readonly counts: ReadonlyMap<string, number>;
  /** Links to what is not at the target: a site marks them in its own way, or shows no link at all. */
  readonly unmoved: ReadonlySet<string>;
}

const LINK = "link ";
const SEPARATOR = "\n";

function tokensOf(pieces: readonly Said[], unmovedGoals: ReadonlySet<string>): Tokens {
  const counts = new Map<string, number>();
  const unmoved = new Set<string>();
  for (const piece of pieces) {
    for (const token of wordsOf(piece, unmovedGoals)) {
      counts.set(token, (counts.get(token) ?? 0) + 1);
      if (piece.type === "link" && piece.goal.startsWith(OLD_SITE)) unmoved.add(token);
    }
  }
  return { counts, unmoved };
}

function wordsOf(piece: Said, unmovedGoals: ReadonlySet<string>): readonly string[] {
  if (piece.type === "words") return piece.text.split(" ").filter((word) => word !== "");
  // Which picture it is the fields tell: one that does not move has no id that both sides know.
  if (piece.type === "medium") return [`medium ${piece.kind}`];
  const goal = bareGoal(piece.goal);
  const mark = piece.dead && !unmovedGoals.has(goal) ? "dead " : "";
  return [`${LINK}${mark}${goal}${SEPARATOR}${piece.label}`];
}

/** By a title or path that stays as it is a link leads to the same words at both sites. */
function bareGoal(goal: string): string {
  return goal.startsWith(OLD_SITE) ? goal.slice(OLD_SITE.length) : goal;
}

function unmovedGoals(pieces: readonly Said[]): ReadonlySet<string> {
  const goals = pieces.flatMap((piece) =>
    piece.type === "link" && piece.goal.startsWith(OLD_SITE) ? [piece.goal] : [],
  );
  return new Set(goals.map(bareGoal));
}

/** What is in one of them more often than in the other. */
function added(one: Tokens["counts"], other: Tokens["counts"]): Tokens["counts"] {
  const more = [...one].map(([token, count]) => [token, count - (other.get(token) ?? 0)] as const);
  return new Map(more.filter(([, count]) => count > 0));
}

/** The label of a link that has none is taken from its goal, which nobody knows here. */
function holds(counts: Tokens["counts"], token: string): boolean {
  const anyLabel = `${token.slice(0, token.indexOf(SEPARATOR) + 1)}${ANY_LABEL}`;
  return counts.has(token) || (token.startsWith(LINK) && counts.has(anyLabel));
}

/** What the old site put in the place of a reference to nothing: `[invalid guide link]`. */
function withoutInvalid(pieces: readonly Said[]): readonly Said[] {
  return pieces.map((piece) =>
    piece.type === "words" ? { ...piece, text: piece.text.replace(/\[invalid [^\][]*\]/gi, "") } : piece,
  );
}
