import type { StartSchedule } from "./pace.js";

/** Divides what an origin may be asked among all processes of this machine that ask it. */
export interface SharedBudget {
  /** A seat for one queue. Takes part only while it is used. */
  join(origin: string): BudgetSeat;
}

/**
 * The place of one queue among those that ask one origin. All of them take their starts from one schedule, in turn, so that the
 * origin sees the starts of all at the distances of one.
 */
export interface BudgetSeat extends StartSchedule {
  /** Among so many the rate is divided at the moment; 1: nobody else asks. */
  readonly sharers: number;
  /** The others get its part. */
  leave(): void;
}
