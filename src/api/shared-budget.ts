/** Divides what an origin may be asked among all processes of this machine that ask it. */
export interface SharedBudget {
  /** A seat for one queue. Takes part only while it is used. */
  join(origin: string): BudgetSeat;
}

/** The place of one queue among those that ask one origin. */
export interface BudgetSeat {
  /** To be called just before each start, with the milliseconds of the window that the whole rate counts in; costs far less than a request. */
  share(window: number): BudgetShare;
  /** Tells of a start that `share` allowed. */
  started(): void;
  /** The others get its part once its last starts are out of the window. */
  leave(): void;
}

export interface BudgetShare {
  /** Among so many the rate is divided; 1: nobody else asks. */
  readonly sharers: number;
  /** Milliseconds to wait first: those who were there need a window to make room. */
  readonly wait: number;
}
