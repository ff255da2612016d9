import { type Answer, numberAt } from "./answer.js";

/** A kind of rows: plain JSON objects with a number each, for families with unknown fields. */
export interface RowKind {
  readonly id: string;
  /** The file of a site's folder with the rows. */
  readonly file?: string;
  /** Rows with a `userid` are for that person and for admins only. */
  readonly own?: true;
  /** A list answers `{[wrap]: rows}` instead of the rows. */
  readonly wrap?: string;
  /** The value of this field answers a read of the row; lists leave the field out. */
  readonly detail?: string;
  /** A list begins with the greatest value of this field. Default: the order of the numbers. */
  readonly newestBy?: string;
}

/** All families that are plain rows (docs/design/sandbox.md, "Families"). */
export const ROW_KINDS = {
  processes: { id: "approval_processid", file: "approvals/processes.json" },
  requests: { id: "approval_requestid", file: "approvals/requests.json", own: true },
  /** The default process of a category. */
  categoryProcesses: { id: "wikiid", file: "approvals/categories.json" },
  guideProcesses: { id: "guideid", file: "approvals/guides.json" },
  wikiReleases: { id: "releaseid", file: "released_wikis.json", own: true },
  schedules: { id: "prsid", file: "periodic_review.json" },
  scheduledDocuments: { id: "prdid", file: "periodic_review/documents.json" },
  reviews: { id: "reviewid", file: "periodic_review/reviews.json", own: true },
  changeRequests: { id: "requestid", file: "periodic_review/requests.json", own: true },
  quizzes: { id: "quizid", file: "quizzes.json", detail: "survey", newestBy: "quiz_last_released" },
  quizSessions: { id: "sessionid", file: "quizzes/sessions.json", own: true, wrap: "quizSessions" },
  workLog: { id: "entryid", file: "work_log.json", own: true, wrap: "results" },
  modules: { id: "id", file: "external_training_modules/current.json" },
  moduleUsages: { id: "usageid", file: "external_training_modules/usage.json" },
  moduleImports: { id: "importid", file: "external_training_modules/imports.json" },
  viewHistory: { id: "viewid", file: "user_view_history.json" },
  badges: { id: "badgeid", file: "badges.json" },
  earnedBadges: { id: "earnedid", file: "users/badges.json" },
  stepForms: { id: "form_revisionid", file: "step_forms.json" },
  collections: { id: "collectionid", file: "collections.json" },
  favorites: { id: "favoriteid", file: "users/favorites.json" },
  /** For admins and the person only: e-mail address, numbers in other systems. */
  identities: { id: "userid", file: "users/identities.json", own: true },
  createdUsers: { id: "userid", file: "users/created_users.json" },
  otherWrites: { id: "writeid" },
} as const satisfies Readonly<Record<string, RowKind>>;

export type RowKindName = keyof typeof ROW_KINDS;

export type RowTables = Readonly<Record<RowKindName, RowTable>>;

export function emptyRowTables(): RowTables {
  const tables = Object.entries(ROW_KINDS).map(([name, { id }]) => [name, new RowTable(id)]);
  return Object.fromEntries(tables) as Record<RowKindName, RowTable>;
}

class RowTable {
  readonly #rows = new Map<number, Answer>();
  #last = 0;
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  all(): readonly Answer[] {
    return [...this.#rows].toSorted(([one], [other]) => one - other).map(([, row]) => row);
  }

  get(id: number): Answer | undefined {
    return this.#rows.get(id);
  }

  find(fits: (row: Answer) => boolean): Answer | undefined {
    for (const row of this.#rows.values()) if (fits(row)) return row;
    return undefined;
  }

  /** Replaces the row with the same number; a row without one gets the next. */
  put(fields: Answer): Answer {
    const id = numberAt(fields, this.id) ?? this.#last + 1;
    const row = { [this.id]: id, ...fields };
    this.#last = Math.max(this.#last, id);
    this.#rows.set(id, row);
    return row;
  }

  /** Its number is not used again. */
  remove(id: number): boolean {
    return this.#rows.delete(id);
  }

  clear(): void {
    this.#rows.clear();
  }
}
