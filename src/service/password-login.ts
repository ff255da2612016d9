import { type FerryError, SignInError } from "../core/errors.js";
import { type Clock, systemClock } from "../core/util/clock.js";
import type { Login, Ticket } from "./authorize.js";
import type { Credentials } from "./credentials.js";
import { waitFor } from "./wait-for.js";

export interface PasswordLoginOptions {
  readonly origin: string;
  /** What the names of the site's variables begin with: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** One `POST /user/token`. @throws SignInError when the site refuses it */
  readonly signIn: (signal: AbortSignal) => Promise<Ticket>;
  /** Keeps every other request to the site back while a new sign-in is under way. */
  readonly hold: (work: () => Promise<Ticket>) => Promise<Ticket>;
  /** Aborted when the run's connections are closed. */
  readonly closing: AbortSignal;
  readonly clock?: Clock | undefined;
}

export type PasswordCredentials = Extract<Credentials, { kind: "password" }>;

// Sites allow about 10 logins in half an hour for all of an address (api-facts 1.5), and push out older sessions of the
// account: a tool that fights another one for the session must give up.
const RENEWALS = 3;
const APART = 5 * 60 * 1000;

/**
 * Signs in with e-mail and password: once, at the first request, shared by all requests under way. When the session ends
 * in the midst of the run, a new sign-in is made, at most RENEWALS times and not within APART of the one before.
 */
export function passwordLogin(options: PasswordLoginOptions): Login {
  const clock = options.clock ?? systemClock;
  let current: Ticket | undefined;
  let worked = false;
  let pending: Promise<Ticket> | undefined;
  let renewals = 0;
  let lastSignIn = Number.NEGATIVE_INFINITY;
  let ended: FerryError | undefined;

  async function once(): Promise<Ticket> {
    try {
      lastSignIn = clock.now();
      current = await options.signIn(options.closing);
      worked = false;
      return current;
    } catch (error) {
      if (error instanceof SignInError) ended = error;
      throw error;
    } finally {
      pending = undefined;
    }
  }

  function renew(): Promise<Ticket> {
    if (!worked || renewals >= RENEWALS) {
      ended = new SignInError(worked ? tooOften(options) : refusedAtOnce(options));
      throw ended;
    }
    renewals += 1;
    return options.hold(async () => {
      await clock.sleep(Math.max(0, lastSignIn + APART - clock.now()), options.closing);
      return once();
    });
  }

  return {
    origin: options.origin,
    async ticket(signal) {
      if (ended !== undefined) throw ended;
      if (pending === undefined && current !== undefined) return current;
      pending ??= once();
      return waitFor(pending, signal);
    },
    accepted(ticket) {
      if (ticket === current) worked = true;
    },
    async refused(ticket, signal) {
      if (ended !== undefined) throw ended;
      if (pending === undefined && ticket !== current) return true;
      pending ??= renew();
      await waitFor(pending, signal);
      return true;
    },
  };
}

function tooOften({ origin, variables }: PasswordLoginOptions): string {
  return `${origin} ended the session ${RENEWALS + 1} times in this run (401). Everything done so far is kept. Look whether another program signs in with the account of ${variables}_EMAIL, then run the same command again: it goes on where it stopped.`;
}

function refusedAtOnce({ origin, variables }: PasswordLoginOptions): string {
  return `${origin} accepted the sign-in with ${variables}_EMAIL, but refused the session that it gave (401). Make an API key in the account's profile, set it as ${variables}_TOKEN with ${variables}_AUTH=bearer, and run the same command again.`;
}
