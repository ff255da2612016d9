import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TextContext } from "../../../transforms/wiki/tree.js";

const DATA = join(import.meta.dirname, "../../../../shared/data");
const FOLDER = join(DATA, "wiki");
const GUIDES = join(DATA, "ose/guides");
const FILES = ["dozuki-ose-2026-markup.json", "dozuki-ose-2026-plain.json"];

/** Whether the real texts are on this machine. */
export const HAS_PAIRS = existsSync(FOLDER);

/** The site that the real texts come from. */
export const OWN_HOST = "opensourceecology.dozuki.com";

export interface Pair {
  readonly raw: string;
  /** The site's own HTML. */
  readonly rendered: string;
  readonly context: TextContext;
}

/** The real texts with the HTML that their site made of them; none where the data is absent. */
export function readPairs(): readonly Pair[] {
  if (!HAS_PAIRS) return [];
  return FILES.flatMap((file) => JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly Entry[]).map(
    ({ raw, rendered, context }) => ({ raw, rendered, context: context === "line" ? "line" : "page" }),
  );
}

interface Entry {
  readonly raw: string;
  readonly rendered: string;
  readonly context: "line" | "introduction" | "conclusion";
}

/**
 * The texts of whole guides of the same site; many of them are among the pairs above, others are
 * not.
 */
export function readGuidePairs(): readonly Pair[] {
  if (!existsSync(GUIDES)) return [];
  return readdirSync(GUIDES).flatMap((file) => pairsIn(JSON.parse(readFileSync(join(GUIDES, file), "utf8"))));
}

const RAW = /_raw$/;

function pairsIn(value: unknown): readonly Pair[] {
  if (typeof value !== "object" || value === null) return [];
  const entries = new Map<string, unknown>(Object.entries(value));
  const own = [...entries].flatMap(([name, raw]): readonly Pair[] => {
    const rendered = RAW.test(name) ? entries.get(name.replace(RAW, "_rendered")) : undefined;
    if (typeof raw !== "string" || typeof rendered !== "string") return [];
    // A comment has a `text_raw` too, but no bullet.
    return [{ raw, rendered, context: entries.has("bullet") ? "line" : "page" }];
  });
  return [...own, ...[...entries.values()].flatMap(pairsIn)];
}
