import { randomBytes } from "node:crypto";
import type { Answer } from "./answer.js";
import type { CommentRecord, GuideRecord, MediaTables, TeamRecord, UserRecord, WikiRecord } from "./records.js";
import { emptyRowTables, type RowTables } from "./rows.js";
import type { Settings } from "./settings.js";
import { createTrainingJobs, type TrainingJobs } from "./training-jobs.js";

/** Kinds that the site numbers. `revision` is one counter, so that no two revisions are equal. */
export type Counter = "guide" | "step" | "revision" | "wiki" | "image" | "video" | "document" | "comment" | "release";

interface Account {
  readonly password: string;
  readonly userid: number;
}

/** A signed-in token; `ends` in UNIX milliseconds, null for never. */
interface Session {
  readonly userid: number;
  readonly ends: number | null;
}

/** A site in memory. The tables have readonly records; a write replaces a record. */
export interface Site {
  readonly settings: Settings;
  /** `http://host:port` of the API and of the pages. */
  readonly origin: string;
  /** `http://host:port` of the media. */
  readonly mediaOrigin: string;
  /** By {@link guideKey}, with deleted ones. */
  readonly guides: GuideTable;
  /** The newest edit of a guide that waits for approval, by guideid (facts, 3.1: patrol). */
  readonly pendingGuides: Map<number, GuideRecord>;
  /** Guides as released, by releaseid, and pages, by wikiid. */
  readonly releasedGuides: Map<number, GuideRecord>;
  readonly releasedWikis: Map<number, WikiRecord>;
  /** By wikiKey, without deleted ones. */
  readonly wikis: Map<string, WikiRecord>;
  /** The same for wikis in their source language, by wikiid. */
  readonly pendingWikis: Map<number, WikiRecord>;
  /** Every revision of a wiki, by revision id. */
  readonly wikiHistory: Map<number, WikiRecord>;
  /** Title of a CATEGORY to its parent's, null at the top level; in the order of siblings. */
  readonly categoryParents: Map<string, string | null>;
  readonly wikiParents: Map<string, string | null>;
  readonly tags: Set<string>;
  readonly media: MediaTables;
  readonly users: Map<number, UserRecord>;
  readonly teams: Map<number, TeamRecord>;
  readonly comments: Map<number, CommentRecord>;
  /** When people completed guides, in seconds, by userid. */
  readonly completionTimes: Map<number, readonly number[]>;
  readonly rows: RowTables;
  readonly training: TrainingJobs;
  readonly accounts: Map<string, Account>;
  readonly tokens: Map<string, Session>;
  /** Flags by id: title, text, image. */
  readonly flagTexts: Map<string, Answer>;
  /** Bullet styles by id, from loaded guides. */
  readonly bulletStyles: Map<number, Answer>;
  readonly next: (counter: Counter) => number;
  /** Keeps new numbers of a kind above a used one. */
  readonly used: (counter: Counter, number: number) => void;
  /** UNIX seconds. */
  readonly now: () => number;
  /** UNIX milliseconds. */
  readonly clock: () => number;
  /** A guid in the form of the service: 16 letters and digits. */
  readonly newGuid: () => string;
  /** The folder of uploads; created at the first upload, deleted when the sandbox closes. */
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
 * The guides of a site by key, with an index of prerequisites: each read and each write of a guide
 * needs it, and a search through ten thousand guides every time would take longer than the rest of
 * the answer.
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

  dependents(guideid: number): readonly string[] {
    return [...(this.#users.get(guideid) ?? [])];
  }

  #forget(key: string): void {
    for (const prerequisite of this.get(key)?.prerequisites ?? []) this.#users.get(prerequisite)?.delete(key);
  }
}
