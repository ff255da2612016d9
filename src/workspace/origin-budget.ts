import { randomBytes } from "node:crypto";
import { HeldSlot, leftLate, NO_SLOTS, nextSlot, type Slots, type Spacing, withoutSlot } from "../util/start-slots.js";
import { BUSY_WAIT, SeatBook, type SeatBookOptions } from "./seat-book.js";
import type { Database } from "./sqlite.js";

/** Divides what an origin may be asked among all processes of this user on this machine that ask it. */
export interface OriginBudget {
  /** A seat for one who asks. It is taken at the first `claim`, and lost some seconds behind the last. */
  join(origin: string): OriginSeat;
}

/**
 * One of those who ask an origin. All take their starts from one schedule, each at its own spacing: who comes first gets the next
 * slot, and gets another one only behind those who asked meanwhile.
 */
export interface OriginSeat {
  /** So many share the origin, as far as the last `claim` saw. */
  readonly sharers: number;
  /** Milliseconds until the next start may follow; 0: it is counted, and has to follow at once. */
  claim(spacing: Spacing): number;
  /** A start left later than it was claimed. */
  left(spacing: Spacing): void;
  leave(): void;
}

/** Milliseconds that a seat is kept unused: a killed process counts among the sharers for so long. At slow rates two intervals more. */
const LEASE = 3000;
/** Milliseconds between two renewals. */
const RENEW_EVERY = 1000;

export function createOriginBudget(options: SeatBookOptions): OriginBudget {
  const book = new SeatBook(options);
  return { join: (origin) => new Seat(book, origin) };
}

class Seat implements OriginSeat {
  readonly #book: SeatBook;
  readonly #origin: string;
  readonly #id = randomBytes(8).toString("hex");
  readonly #held = new HeldSlot();
  #until = Number.NEGATIVE_INFINITY;
  #sharers = 1;
  /** The schedule where nothing can be noted. */
  #own: Slots = NO_SLOTS;

  constructor(book: SeatBook, origin: string) {
    this.#book = book;
    this.#origin = origin;
  }

  get sharers(): number {
    return this.#sharers;
  }

  claim(spacing: Spacing): number {
    const now = this.#book.now();
    try {
      const leaveLate = () => this.left(spacing);
      return this.#held.claim(now, spacing, { take: () => this.#take(now, spacing), leaveLate });
    } catch (error) {
      if (error instanceof BusyBook) return BUSY_WAIT;
      throw error;
    }
  }

  left(spacing: Spacing): void {
    const now = this.#book.now();
    this.#change(now, (slots) => leftLate(slots, now, spacing));
  }

  leave(): void {
    if (this.#until === Number.NEGATIVE_INFINITY) return;
    // Where it can't be noted, the seat is lost by itself.
    this.#book.use(
      (database) => database.run("DELETE FROM seat WHERE id = :id", { id: this.#id }),
      () => 0,
    );
    this.#until = Number.NEGATIVE_INFINITY;
  }

  #take(now: number, spacing: Spacing): number {
    let slot = now;
    const state = this.#change(now, (slots, database) => {
      if (database !== undefined) this.#sharers = this.#renew(database, now, spacing);
      slot = nextSlot(slots, now, spacing);
      return withoutSlot(slots, slot, spacing);
    });
    if (state === "busy") throw new BusyBook();
    return slot;
  }

  /** Changes the schedule of all, or the own one where nothing can be noted. */
  #change(now: number, change: (slots: Slots, database?: Database) => Slots): "changed" | "busy" {
    return this.#book.use<"changed" | "busy">(
      (database) => {
        database.transaction(() =>
          writeSlots(database, this.#origin, now, change(readSlots(database, this.#origin, now), database)),
        );
        return "changed";
      },
      (state) => {
        if (state === "busy") return "busy";
        this.#sharers = 1;
        this.#own = change(this.#own);
        return "changed";
      },
    );
  }

  /** Keeps the seat; returns how many share the origin. Seats that end later than they can are from before the machine started anew. */
  #renew(database: Database, now: number, { interval }: Spacing): number {
    const lease = Math.max(LEASE, 2 * interval + RENEW_EVERY);
    if (now > this.#until - lease + RENEW_EVERY) {
      const until = Math.ceil(now + lease);
      database.run("DELETE FROM seat WHERE until <= :now OR until - lease > :now + 1", { now });
      database.run("INSERT OR REPLACE INTO seat (id, origin, until, lease) VALUES (:id, :origin, :until, :lease)", {
        ...{ id: this.#id, origin: this.#origin, until, lease: Math.ceil(lease) },
      });
      this.#until = until;
    }
    return 1 + others(database, this.#origin, this.#id, now);
  }
}

/** Another process writes: to be asked again in a moment. */
class BusyBook extends Error {}

function others(database: Database, origin: string, id: string, now: number): number {
  const row = database.get<{ readonly count: number }>(
    "SELECT count(*) AS count FROM seat WHERE origin = :origin AND id <> :id AND until > :now",
    { origin, id, now },
  );
  return row?.count ?? 0;
}

function readSlots(database: Database, origin: string, now: number): Slots {
  const row = database.get<Slots & { readonly at: number }>(
    "SELECT due, sent AS left, at FROM schedule WHERE origin = :origin",
    { origin },
  );
  // What was noted later than now is from before the machine started anew.
  return row === undefined || row.at > now ? NO_SLOTS : row;
}

function writeSlots(database: Database, origin: string, now: number, { due, left }: Slots): void {
  database.run("INSERT OR REPLACE INTO schedule (origin, due, sent, at) VALUES (:origin, :due, :sent, :at)", {
    ...{ origin, due: finite(due), sent: finite(left), at: now },
  });
}

/** Times count from the start of the machine: one before it is as good as none. */
function finite(time: number): number {
  return Number.isFinite(time) ? time : -1;
}
