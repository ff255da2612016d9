import { type FerryError, SignInError, StatusError, UsageError } from "../../core/errors.js";
import { type Clock, systemClock } from "../../core/util/clock.js";
import { onAbort } from "../../core/util/concurrency.js";
import { type Redactor, Secret } from "./secret.js";
import type { Log, ResponseHead, Transport, WholeResponse, Wrap } from "./transport.js";

interface LoginOptions {
  readonly root: string;
  readonly credentials: Credentials;
  /** Prefix of the site's variables: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** Unsigned, but limited and retried like all requests. */
  readonly transport: Transport<WholeResponse>;
  readonly hold: (work: () => Promise<Ticket>) => Promise<Ticket>;
  readonly redactor: Redactor;
  readonly closing: AbortSignal;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
}

/** Throws UsageError for a value that is not allowed in a header. */
export function createLogin(options: LoginOptions): Login {
  const { root, credentials, variables, transport, redactor } = options;
  const { origin } = new URL(root);
  if (credentials.kind === "none") return anonymousLogin(origin, credentials, variables);
  if (credentials.kind === "token") return tokenLogin(origin, credentials, variables);
  return passwordLogin({
    origin,
    variables,
    hold: options.hold,
    closing: options.closing,
    clock: options.clock,
    signIn: async (signal) => {
      const ticket = await signIn({ root, credentials, variables, transport, redactor }, signal);
      options.log?.(`signed in at ${origin}`);
      return ticket;
    },
  });
}

/** Signs requests; each sign-in makes a new ticket. */
interface Ticket {
  readonly headers: Readonly<Record<string, string>>;
}

/** The sign-in of one run at one site, shared by all that sends requests there. */
export interface Login {
  readonly origin: string;
  /** Waits for an active sign-in. Throws SignInError when it failed. */
  ticket(signal: AbortSignal): Promise<Ticket>;
  /** The answer was not 401. */
  accepted(ticket: Ticket): void;
  /**
   * A request with this ticket was answered 401. true: send it again; false: the answer counts.
   * Throws SignInError when the sign-in has ended.
   */
  refused(ticket: Ticket, signal: AbortSignal): Promise<boolean>;
}

/**
 * Signs requests to the login's own origin only. After a 401 of an ended session, sends again with
 * the next ticket, also a create: the site did nothing.
 */
export function authorize(login: Login): Wrap {
  return <Response extends ResponseHead>(inner: Transport<Response>): Transport<Response> =>
    async (request, signal) => {
      if (request.url.origin !== login.origin) return inner(request, signal);
      for (;;) {
        const ticket = await login.ticket(signal);
        const response = await inner({ ...request, headers: { ...request.headers, ...ticket.headers } }, signal);
        if (response.status !== 401) {
          login.accepted(ticket);
          return response;
        }
        if (request.refusable === true || !(await login.refused(ticket, signal))) return response;
      }
    };
}

interface SignInOptions {
  readonly root: string;
  readonly credentials: PasswordCredentials;
  readonly variables: string;
  readonly transport: Transport<WholeResponse>;
  readonly redactor: Redactor;
}

/**
 * `POST /user/token` (api-facts 2.1). No message has the answer: a 422 repeats the password. Throws
 * SignInError when the site refuses it; StatusError for a failing site.
 */
async function signIn(options: SignInOptions, signal: AbortSignal): Promise<Ticket> {
  const { credentials, variables, redactor } = options;
  const url = new URL(`${options.root}/user/token`);
  const appId = appIdHeader(credentials, variables);
  const response = await options.transport(
    {
      method: "POST",
      url,
      headers: { accept: "application/json", "content-type": "application/json", ...appId },
      body: JSON.stringify({ email: credentials.email.reveal(), password: credentials.password.reveal() }),
      // A login with a lost answer leaves only an unused session.
      retry: "always",
      urgent: true,
    },
    signal,
  );
  const token = tokenOf(response);
  if (token === undefined) throw refusal(url, response.status, variables);
  redactor.add(new Secret(token));
  return { headers: { authorization: `api ${token}`, ...appId } };
}

function tokenOf(response: WholeResponse): string | undefined {
  const { json, status } = response;
  if (status < 200 || status >= 300 || typeof json !== "object" || json === null) return undefined;
  const token = "authToken" in json ? json.authToken : undefined;
  return typeof token === "string" && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

const REASONS: Readonly<Record<number, (variables: string) => string>> = {
  400: (variables) =>
    `the site requires an app id, or a different one. Ask its administrator for it and set ${variables}_APP_ID`,
  401: (variables) => `the e-mail address or the password is wrong. Check ${variables}_EMAIL and ${variables}_PASSWORD`,
  403: (variables) => `this account is not allowed to sign in with a password. Set ${variables}_TOKEN instead`,
  422: (variables) =>
    `the site does not accept this e-mail address or password. Check ${variables}_EMAIL and ${variables}_PASSWORD`,
};

function refusal(url: URL, status: number, variables: string): Error {
  const where = `POST ${url.href} was answered ${status}`;
  if (status >= 500 || status === 429) {
    return new StatusError(`${where}: the site cannot sign in users now. Run the same command again later.`, {
      status,
    });
  }
  const reason =
    REASONS[status]?.(variables) ??
    `the answer has no token. Sites with single sign-on accept no password: create an API key in the account's profile and set it as ${variables}_TOKEN with ${variables}_AUTH=bearer`;
  return new SignInError(`${where}, the sign-in was refused: ${reason}.`);
}

interface PasswordLoginOptions {
  readonly origin: string;
  /** Prefix of the site's variables: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** One `POST /user/token`. Throws SignInError when the site refuses it. */
  readonly signIn: (signal: AbortSignal) => Promise<Ticket>;
  /** Holds all other requests to the site during a new sign-in. */
  readonly hold: (work: () => Promise<Ticket>) => Promise<Ticket>;
  readonly closing: AbortSignal;
  readonly clock?: Clock | undefined;
}

type PasswordCredentials = Extract<Credentials, { kind: "password" }>;

// Sites allow 10 logins in half an hour (api-facts 1.5) and end the account's older sessions.
const RENEWALS = 3;
const LEAST_GAP = 5 * 60 * 1000;

/**
 * Signs in with e-mail and password once, at the first request. When the session ends, signs in
 * again: at most RENEWALS times, and not within LEAST_GAP.
 */
function passwordLogin(options: PasswordLoginOptions): Login {
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
      await clock.sleep(Math.max(0, lastSignIn + LEAST_GAP - clock.now()), options.closing);
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
  return `${origin} ended the session ${RENEWALS + 1} times in this run (401). Everything done so far is kept. Check whether another program signs in with the account of ${variables}_EMAIL, then run the same command again: it continues where it stopped.`;
}

function refusedAtOnce({ origin, variables }: PasswordLoginOptions): string {
  return `${origin} accepted the sign-in with ${variables}_EMAIL, but refused the session that it issued (401). Create an API key in the account's profile, set it as ${variables}_TOKEN with ${variables}_AUTH=bearer, and run the same command again.`;
}

type Of<K extends Credentials["kind"]> = Extract<Credentials, { kind: K }>;

const SCHEMES = { api: "api", bearer: "Bearer" } as const;

/** A 401 is an answer: `GET /user` answers so without a sign-in. */
function anonymousLogin(origin: string, credentials: Of<"none">, variables: string): Login {
  const ticket: Ticket = { headers: appIdHeader(credentials, variables) };
  return {
    origin,
    ticket: async () => ticket,
    accepted: () => undefined,
    refused: async () => false,
  };
}

/** The end of the token ends the run, since only a person can get another one. */
function tokenLogin(origin: string, credentials: Of<"token">, variables: string): Login {
  const token = headerSafe(credentials.token, `${variables}_TOKEN`);
  const ticket: Ticket = {
    headers: {
      authorization: `${SCHEMES[credentials.scheme]} ${token}`,
      ...appIdHeader(credentials, variables),
    },
  };
  let worked = false;
  let ended: SignInError | undefined;
  return {
    origin,
    async ticket() {
      if (ended !== undefined) throw ended;
      return ticket;
    },
    accepted() {
      worked = true;
    },
    async refused() {
      ended ??= new SignInError(worked ? endedToken(origin, variables) : refusedToken(origin, variables));
      throw ended;
    },
  };
}

function refusedToken(origin: string, variables: string): string {
  return `${origin} refused the sign-in (401): the token in ${variables}_TOKEN is not valid there. Get a new token and set the variable. For an API key, also set ${variables}_AUTH=bearer.`;
}

function endedToken(origin: string, variables: string): string {
  return `${origin} no longer accepts ${variables}_TOKEN (401): its session has ended, or it was never valid and only public reads worked. Everything done so far is kept. Get a new token, set ${variables}_TOKEN, and run the same command again: it continues where it stopped.`;
}

/** An aborted signal ends this wait, not the work. */
function waitFor<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const forget = onAbort(signal, () => reject(signal.reason));
    work.then(resolve, reject).finally(forget);
  });
}

/** `appId` is sent as `X-App-Id` with each of them. */
export type Credentials =
  | { readonly kind: "none"; readonly appId?: Secret | undefined }
  | {
      readonly kind: "token";
      readonly token: Secret;
      /** `api`: the token of a session. `bearer`: an API key of a user (api-facts 2.2). */
      readonly scheme: "api" | "bearer";
      readonly appId?: Secret | undefined;
    }
  | {
      readonly kind: "password";
      readonly email: Secret;
      readonly password: Secret;
      readonly appId?: Secret | undefined;
    };

export function secretsOf(credentials: Credentials): readonly Secret[] {
  const { appId } = credentials;
  const shared = appId === undefined ? [] : [appId];
  if (credentials.kind === "token") return [credentials.token, ...shared];
  if (credentials.kind === "password") return [credentials.email, credentials.password, ...shared];
  return shared;
}

function appIdHeader(credentials: Credentials, variables: string): Readonly<Record<string, string>> {
  const { appId } = credentials;
  return appId === undefined ? {} : { "x-app-id": headerSafe(appId, `${variables}_APP_ID`) };
}

/** Throws UsageError for a value that is not allowed in a header, without showing it. */
function headerSafe(secret: Secret, variable: string): string {
  const value = secret.reveal();
  if (/^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    `The value of ${variable} is empty or contains spaces, line ends or other characters that no token has. Set it again, without quotes.`,
  );
}
