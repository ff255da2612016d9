import { SignInError } from "../core/errors.js";
import type { Login, Ticket } from "./authorize.js";
import { appIdHeader, type Credentials, headerSafe } from "./credentials.js";

type Of<K extends Credentials["kind"]> = Extract<Credentials, { kind: K }>;

const SCHEMES = { api: "api", bearer: "Bearer" } as const;

/** No sign-in: a 401 is the caller's to judge, since `GET /user` answers so to everybody who isn't signed in. */
export function anonymousLogin(origin: string, credentials: Of<"none">, variables: string): Login {
  const ticket: Ticket = { headers: appIdHeader(credentials, variables) };
  return {
    origin,
    ticket: async () => ticket,
    accepted: () => undefined,
    refused: async () => false,
  };
}

/**
 * Signs with a token from the environment. Its end is the end of the run, since only a person can get another one.
 * @param variables what the names of the site's variables begin with: `GUIDEFERRY_SOURCE`
 */
export function tokenLogin(origin: string, credentials: Of<"token">, variables: string): Login {
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
  return `${origin} refused the sign-in (401): the token in ${variables}_TOKEN is not valid there. Get a new one and set the variable; for an API key set ${variables}_AUTH=bearer as well.`;
}

function endedToken(origin: string, variables: string): string {
  return `${origin} no longer accepts ${variables}_TOKEN (401): its session has ended, or it was never valid and only public reads worked. Everything done so far is kept. Get a new token, set ${variables}_TOKEN, and run the same command again: it goes on where it stopped.`;
}
