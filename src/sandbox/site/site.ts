import { randomBytes } from "node:crypto";
import type { Answer } from "./answer.js";
import type { CommentRecord, GuideRecord, MediaTables, TeamRecord, UserRecord, WikiRecord } from "./records.js";
import { emptyRowTables, type RowTables } from "./rows.js";
import type { Settings } from "./settings.js";
import { createTrainingJobs, type TrainingJobs } from "./training-jobs.js";

/**
 * Kinds of things that are numbered by the site. `revision` is one counter, so that no two
 * revisions are equal.
 */
export type Counter = "guide" | "step" | "revision" | "wiki" | "image" | "video" | "document" | "comment" | "release";

interface Account {
  readonly password: string;
  readonly userid: number;
}

/** A signed-in token; `ends` in milliseconds since 1970, null for never. */
interface Session {
  readonly userid: number;
  readonly ends: number | null;
}

/** A site in memory. The tables hold readonly records; a write puts a new record in its place. */
export interface Site {
  readonly settings: Settings;
  /** `http://host:port` of the API and of the pages. */
  readonly origin: string;
  /** `http://host:port` of the media. */
  readonly mediaOrigin: string;
  /** By {@link guideKey}, deleted ones included. */
  readonly guides: GuideTable;
  /** The newest edit of a guide that nobody has approved yet, by guideid (facts, 3.1: patrol). */
  readonly pendingGuides: Map<number, GuideRecord>;
  /** Guides as they were released, by releaseid, and pages, by wikiid. */
  readonly releasedGuides: Map<number, GuideRecord>;
  readonly releasedWikis: Map<number, WikiRecord>;
  /** By wikiKey; deleted ones are taken out. */
  readonly wikis: Map<string, WikiRecord>;
  /** The same for wikis in their source language, by wikiid. */
  readonly pendingWikis: Map<number, WikiRecord>;
  /** Every revision that a wiki ever had, by revision id. */
  readonly wikiHistory: Map<number, WikiRecord>;
  /**
   * Title of a CATEGORY to its parent's title, null at the top; insertion order is sibling order.
   */
  readonly categoryParents: Map<string, string | null>;
  readonly wikiParents: Map<string, string | null>;
  /** In order of creation. */
  readonly tags: Set<string>;
  readonly media: MediaTables;
  readonly users: Map<number, UserRecord>;
  readonly teams: Map<number, TeamRecord>;
  readonly comments: Map<number, CommentRecord>;
  /** When people completed guides, in seconds, by userid. */
  readonly completionTimes: Map<number, readonly number[]>;
  readonly rows: RowTables;
  /** Import jobs under way. */
  readonly training: TrainingJobs;
  /** By e-mail address. */
  readonly accounts: Map<string, Account>;
  /** By token. */
  readonly tokens: Map<string, Session>;
  /** How a flag id reads: title, text, image. */
  readonly flagTexts: Map<string, Answer>;
  /** Bullet styles by id, as loaded guides show them. */
  readonly bulletStyles: Map<number, Answer>;
  readonly next: (counter: Counter) => number;
  /** Makes sure that no new number of a kind is at or below one that is in use. */
  readonly used: (counter: Counter, number: number) => void;
  /** UNIX seconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** A guid as the service makes them: 16 letters and digits. */
  readonly newGuid: () => string;
  /** Where uploaded bytes lie; made at the first upload, removed when the sandbox closes. */
  readonly uploadFolder: () => Promise<string>;
}

interface SiteSurroundings {
  readonly settings: Settings;
  readonly origin: string;
  readonly mediaOrigin: string;
  readonly clock: () => number;
  readonly uploadFolder: () => Promise<string>;
}

export function emptySite(surroundings: SiteSurroundings): Site {
  const counters = new Map<Counter, number>();
  return {
    ...surroundings,
    now: () => Math.floor(surroundings.clock() / 1000),
    guides: new GuideTable(),
    pendingGuides: new Map(),
    releasedGuides: new Map(),
    releasedWikis: new Map(),
    pendingWikis: new Map(),
    wikis: new Map(),
    wikiHistory: new Map(),
    categoryParents: new Map(),
    wikiParents: new Map(),
    tags: new Set(),
    media: { images: new Map(), videos: new Map(), documents: new Map(), embeds: new Map(), encodings: new Map() },
    users: new Map(),
    teams: new Map(),
    comments: new Map(),
    completionTimes: new Map(),
    rows: emptyRowTables(),
    training: createTrainingJobs(),
    accounts: new Map(),
    tokens: new Map(),
    flagTexts: new Map(),
    bulletStyles: new Map(),
    next: (counter) => {
      const number = (counters.get(counter) ?? 0) + 1;
      counters.set(counter, number);
      return number;
    },
    used: (counter, number) => {
      if (number > (counters.get(counter) ?? 0)) counters.set(counter, number);
    },
    newGuid,
  };
}

const GUID_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function newGuid(): string {
  return [...randomBytes(16)].map((byte) => GUID_LETTERS[byte % GUID_LETTERS.length]).join("");
}

/**
 * The guides of a site by key, which also knows who uses a guide as a prerequisite: each read and
 * each write of a guide asks for it, and a look through ten thousand guides every time would take
 * longer than the rest of the answer.
 */
class GuideTable extends Map<string, GuideRecord> {
  readonly #users = new Map<number, Set<string>>();

  override set(key: string, guide: GuideRecord): this {
    this.#forget(key);
    for (const prerequisite of guide.prerequisites) {
      const users = this.#users.get(prerequisite) ?? new Set();
      this.#users.set(prerequisite, users.add(key));
    }
    return super.set(key, guide);
  }

  override delete(key: string): boolean {
    this.#forget(key);
    return super.delete(key);
  }

  override clear(): void {
    this.#users.clear();
    super.clear();
  }

  /** Keys of the guides that have this one among their prerequisites. */
  dependents(guideid: number): readonly string[] {
    return [...(this.#users.get(guideid) ?? [])];
  }

  #forget(key: string): void {
    for (const prerequisite of this.get(key)?.prerequisites ?? []) this.#users.get(prerequisite)?.delete(key);
  }
}
