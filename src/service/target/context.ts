import type { Context, Survey } from "../../core/contracts.js";
import type { Call } from "../../core/model/call.js";
import type { Issue } from "../../core/model/issue.js";
import type { Key } from "../../core/model/key.js";
import type { Operation, Receipt } from "../../core/writing.js";
import type { Client } from "../http/client.js";
import type { Abilities } from "./capabilities.js";
import type { PageTitles } from "./find-deleted.js";
import type { GuideTitles } from "./guide-titles.js";
import type { People } from "./people.js";
import type { SiteTexts } from "./texts.js";

export interface WriteContext {
  readonly client: Client;
  readonly texts: SiteTexts;
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  readonly onExisting: "adopt" | "update" | "fail";
  /** May a new guide be linked to an existing one with the same title? */
  readonly match: "none" | "title";
  readonly titles: GuideTitles;
  readonly pages: PageTitles;
  /** Milliseconds between two requests for the state of a video conversion. */
  readonly pollEvery: number;
  /** Longest wait for a video conversion, in milliseconds. */
  readonly readyWithin: number;
  /** Copies in the media manager by image id, if the target is the origin site; else null. */
  readonly copies: Map<number, Promise<number>> | null;
  lineLength(): number;
  /** null: unknown. */
  takesPages(): boolean | null;
  refusePages(): void;
  survey(): Survey;
  highestGuide(): number;
  /** Learns abilities and the highest id from a whole guide. */
  learn(guide: unknown): void;
  readonly abilities: Abilities;
  people(): People;
}

export interface Work<C extends Call = Call> {
  readonly site: WriteContext;
  readonly operation: Operation;
  readonly call: C;
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Reports a loss. `about`: the missing key, which is then not reported a second time. */
  readonly report: (issue: Omit<Issue, "key">, about?: Key) => void;
}

export type Handler<C extends Call> = (work: Work<C>) => Promise<Omit<Receipt, "issues">>;
