import type { Clock } from "../core/util/clock.js";
import type { Login, Ticket } from "./authorize.js";
import type { Credentials } from "./credentials.js";
import { passwordLogin } from "./password-login.js";
import type { Log } from "./request-log.js";
import type { Redactor } from "./secret.js";
import { signIn } from "./sign-in.js";
import { anonymousLogin, tokenLogin } from "./token-login.js";
import type { Transport, WholeResponse } from "./transport.js";

export interface LoginOptions {
  readonly root: string;
  readonly credentials: Credentials;
  /** What the names of the site's variables begin with: `GUIDEFERRY_SOURCE`. */
  readonly variables: string;
  /** Unsigned, but limited and retried like everything else. */
  readonly transport: Transport<WholeResponse>;
  readonly hold: (work: () => Promise<Ticket>) => Promise<Ticket>;
  readonly redactor: Redactor;
  readonly closing: AbortSignal;
  readonly clock?: Clock | undefined;
  readonly log?: Log | undefined;
}

/**
 * The login that the credentials ask for.
 * @throws UsageError for a value that can't stand in a header
 */
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
