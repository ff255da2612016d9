import { randomBytes } from "node:crypto";
import { BUSY_WAIT, SeatBook, type SeatBookOptions } from "./seat-book.js";
import type { Database } from "./sqlite.js";

/** Divides what an origin may be asked among all processes of this user on this machine that ask it. */
export interface OriginBudget {
  /** A seat for one who asks. It is taken at the first `share`, and lost some seconds behind the last. */
  join(origin: string): OriginSeat;
}

export interface OriginSeat {
  /** Call it just before each start. `window`: the milliseconds in which the whole rate counts. */
  share(window: number): { readonly sharers: number; readonly wait: number };
  started(): void;
  leave(): void;
}

/**
 * Milliseconds that a seat is kept unused. A killed process leaves its part to the others after that; who only pauses for breath keeps it.
 * At slow rates two windows more, so that the last start of a lost seat is out of every window.
 */
const LEASE = 3000;
/** Milliseconds between two renewals, so that a start costs one look and no write. */
const RENEW_EVERY = 1000;
const ALONE = { sharers: 1, wait: 0 };

export function createOriginBudget(options: SeatBookOptions): OriginBudget {
  const book = new SeatBook(options);
  return { join: (origin) => new Seat(book, origin) };
}

class Seat implements OriginSeat {
  readonly #book: SeatBook;
  readonly #origin: string;
  readonly #id = randomBytes(8).toString("hex");
  #until = Number.NEGATIVE_INFINITY;
  /** Nothing starts before: who was there needs a window to make room. */
  #ready = 0;
  #lastStart = Number.NEGATIVE_INFINITY;
  #window = 0;
  #sharers = 1;

  constructor(book: SeatBook, origin: string) {
    this.#book = book;
    this.#origin = origin;
  }

  share(window: number): { readonly sharers: number; readonly wait: number } {
    this.#window = window;
    return this.#book.use(
      (database) => this.#look(database, this.#book.now()),
      (state) => (state === "busy" ? { sharers: this.#sharers, wait: BUSY_WAIT } : ALONE),
    );
  }

  started(): void {
    this.#lastStart = this.#book.now();
  }

  leave(): void {
    if (this.#until === Number.NEGATIVE_INFINITY) return;
    const until = this.#lastStart + this.#window;
    // Where it can't be noted, the seat is lost by itself.
    this.#book.use(
      (database) =>
        database.run("UPDATE seat SET until = :until WHERE id = :id", { id: this.#id, until: finite(until) }),
      () => 0,
    );
    this.#until = Number.NEGATIVE_INFINITY;
  }

  #look(database: Database, now: number) {
    const lease = Math.max(LEASE, 2 * this.#window + RENEW_EVERY);
    const seat = { id: this.#id, origin: this.#origin, until: now + lease, lease };
    if (now >= this.#until) {
      this.#ready = now + (sitDown(database, seat, now) === 0 ? 0 : this.#window);
      this.#until = seat.until;
    } else if (this.#until - now <= lease - RENEW_EVERY) {
      database.run("UPDATE seat SET until = :until WHERE id = :id", { id: seat.id, until: seat.until });
      this.#until = seat.until;
    }
    this.#sharers = 1 + others(database, seat, now);
    return { sharers: this.#sharers, wait: Math.max(0, this.#ready - now) };
  }
}

interface SeatRow {
  readonly id: string;
  readonly origin: string;
  readonly until: number;
  readonly lease: number;
}

/**
 * Takes the seat; returns how many others are there. In one transaction, so that of two who come at once one sees the other. Seats that
 * end later than they can are from before the machine started anew.
 */
function sitDown(database: Database, seat: SeatRow, now: number): number {
  return database.transaction(() => {
    database.run("DELETE FROM seat WHERE until <= :now OR until - lease > :now", { now });
    database.run("INSERT OR REPLACE INTO seat (id, origin, until, lease) VALUES (:id, :origin, :until, :lease)", {
      ...seat,
    });
    return others(database, seat, now);
  });
}

function others(database: Database, { id, origin }: SeatRow, now: number): number {
  const row = database.get<{ readonly count: number }>(
    "SELECT count(*) AS count FROM seat WHERE origin = :origin AND id <> :id AND until > :now",
    { origin, id, now },
  );
  return row?.count ?? 0;
}

function finite(time: number): number {
  return Number.isFinite(time) ? time : 0;
}
