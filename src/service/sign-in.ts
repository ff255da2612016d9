import { SignInError, StatusError } from "../core/errors.js";
import type { Ticket } from "./authorize.js";
import { appIdHeader } from "./credentials.js";
import type { PasswordCredentials } from "./password-login.js";
import { type Redactor, Secret } from "./secret.js";
import type { Transport, WholeResponse } from "./transport.js";

export interface SignInOptions {
  readonly root: string;
  readonly credentials: PasswordCredentials;
  readonly variables: string;
  readonly transport: Transport<WholeResponse>;
  readonly redactor: Redactor;
}

/**
 * `POST /user/token` (api-facts 2.1). The answer's text never reaches a message: a 422 repeats the password, and the
 * answer to a good login holds the token.
 * @throws SignInError when the site refuses it; StatusError for a failing site
 */
export async function signIn(options: SignInOptions, signal: AbortSignal): Promise<Ticket> {
  const { credentials, variables, redactor } = options;
  const url = new URL(`${options.root}/user/token`);
  const appId = appIdHeader(credentials, variables);
  const response = await options.transport(
    {
      method: "POST",
      url,
      headers: { accept: "application/json", "content-type": "application/json", ...appId },
      body: JSON.stringify({ email: credentials.email.reveal(), password: credentials.password.reveal() }),
      // A login whose answer was lost leaves an unused session behind, nothing else.
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
    `the site wants an app id, or another one. Ask its administrator for it and set ${variables}_APP_ID`,
  401: (variables) => `e-mail or password is wrong. Check ${variables}_EMAIL and ${variables}_PASSWORD`,
  403: (variables) => `this account may not sign in this way. Set ${variables}_TOKEN instead`,
  422: (variables) => `e-mail or password is not acceptable. Check ${variables}_EMAIL and ${variables}_PASSWORD`,
};

function refusal(url: URL, status: number, variables: string): Error {
  const where = `POST ${url.href} was answered ${status}`;
  if (status >= 500 || status === 429) {
    return new StatusError(`${where}: the site can't sign anybody in now. Run the same command again later.`, {
      status,
    });
  }
  const reason =
    REASONS[status]?.(variables) ??
    `no token came back. Sites with single sign-on take no password: make an API key in the account's profile and set it as ${variables}_TOKEN with ${variables}_AUTH=bearer`;
  return new SignInError(`${where}, the sign-in was refused: ${reason}.`);
}
