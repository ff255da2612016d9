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

/** What every write needs beside its call. */
export interface WriteContext {
  readonly client: Client;
  readonly texts: SiteTexts;
  readonly onConflict: "skip" | "update" | "merge" | "fail";
  readonly onExisting: "adopt" | "update" | "fail";
  /** Whether a guide that is new here may be one of the same title that is there and not ours. */
  readonly match: "none" | "title";
  readonly titles: GuideTitles;
  readonly pages: PageTitles;
  /** Milliseconds between two looks at a video in conversion. */
  readonly pollEvery: number;
  /** Milliseconds that such a video is waited for. */
  readonly readyWithin: number;
  /**
   * Copies of images in the media manager by image id, where the target is the origin site. null:
   * another site.
   */
  readonly copies: Map<number, Promise<number>> | null;
  lineLength(): number;
  /** Does the site take translations of pages? null: unknown. */
  takesPages(): boolean | null;
  refusePages(): void;
  survey(): Survey;
  /** The highest guide id that was ever seen there. */
  highestGuide(): number;
  /** Learns from a whole guide: abilities, the highest id. */
  learn(guide: unknown): void;
  readonly abilities: Abilities;
  people(): People;
}

/** One operation at work. */
export interface Work<C extends Call = Call> {
  readonly site: WriteContext;
  readonly operation: Operation;
  readonly call: C;
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Collects what was not carried. `about`: the missing key, which is then not reported again. */
  readonly report: (issue: Omit<Issue, "key">, about?: Key) => void;
}

/** Does the write, or finds that it was done. */
export type Handler<C extends Call> = (work: Work<C>) => Promise<Omit<Receipt, "issues">>;
