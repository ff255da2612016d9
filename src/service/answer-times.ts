import { median } from "../core/util/median.js";
import type { HttpRequest } from "./transport.js";

/** What a site's latencies were in this run. */
export interface AnswerTimes {
  /**
   * Notes how many milliseconds an answer took. Gives how many times its kind's usual latency that is; null while that is not known.
   * Only answers that say something of the site belong here.
   */
  note(request: Pick<HttpRequest, "method" | "url">, milliseconds: number): number | null;
  /** Milliseconds, of the last answers of all kinds; null: none. */
  median(): number | null;
}

// A usual latency is the best median of so many answers in a row: one lucky answer is none.
const BLOCK = 8;
// What a site's slow hours leave behind: a usual latency doubles in 5,500 answers. A site that became slower for good is then taken as it is.
const FORGETTING = 1.001;
// Milliseconds above the usual that nobody minds, whatever they are times the usual: 5 ms that become 20 are noise.
const UNFELT = 250;
// Kinds are few; hosts with an own folder for each file must not fill the memory.
const KINDS = 64;
const LAST = 32;

interface Kind {
  block: number[];
  usual: number | null;
}

/** Latencies by kind of request: a list takes longer than a flag, and a run does first the ones and then the others. */
export function createAnswerTimes(): AnswerTimes {
  const kinds = new Map<string, Kind>();
  const last: number[] = [];
  let count = 0;

  function kindFor(request: Pick<HttpRequest, "method" | "url">): Kind {
    const name = kindName(request);
    const place = kinds.has(name) || kinds.size < KINDS ? name : "others";
    const kind = kinds.get(place) ?? { block: [], usual: null };
    kinds.set(place, kind);
    return kind;
  }

  return {
    note(request, milliseconds) {
      last[count % LAST] = milliseconds;
      count += 1;
      const kind = kindFor(request);
      kind.block.push(milliseconds);
      if (kind.block.length === BLOCK) {
        kind.usual = Math.min(median(kind.block), (kind.usual ?? Number.POSITIVE_INFINITY) * FORGETTING);
        kind.block = [];
      }
      return kind.usual === null ? null : slownessOf(milliseconds, kind.usual);
    },
    median: () => (count === 0 ? null : median(last)),
  };
}

function slownessOf(milliseconds: number, usual: number): number {
  return milliseconds <= usual + UNFELT ? 1 : milliseconds / Math.max(usual, 1);
}

/** Ids and titles stand last, or behind the words that tell what is asked for: `GET 5 api/2.0/guides` is one step of a guide. */
function kindName({ method, url }: Pick<HttpRequest, "method" | "url">): string {
  const parts = url.pathname.split("/").slice(1);
  return `${method} ${parts.length} ${parts.slice(0, -1).slice(0, 3).join("/")}`;
}
