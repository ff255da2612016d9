import { inspect } from "node:util";
import { ConnectionError, FerryError } from "../../core/errors.js";
import type { Redact } from "./secret.js";
import type { HttpRequest } from "./transport.js";

/** `unsent`: the site never received the request. */
interface Failure {
  readonly says: string;
  readonly unsent: boolean;
  readonly retriable: boolean;
  readonly advice?: string;
}

const TRUST =
  "If your own authority issued the certificate, put the certificate of the authority into a file and name the file in NODE_EXTRA_CA_CERTS.";

const unsent = (says: string, advice?: string): Failure => ({
  says,
  unsent: true,
  retriable: true,
  ...(advice === undefined ? {} : { advice }),
});
const broken = (says: string): Failure => ({ says, unsent: false, retriable: true });
const untrusted = (says: string): Failure => ({ says, unsent: true, retriable: false, advice: TRUST });

const FAILURES: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: unsent("the connection was refused"),
  ENOTFOUND: unsent("the host name is unknown", "Check the spelling of the host and the network."),
  EAI_AGAIN: unsent("the host name could not be looked up", "Check the network and its name servers."),
  UND_ERR_CONNECT_TIMEOUT: unsent("the connection could not be made in time"),
  UND_ERR_PRX_TLS: untrusted("the proxy's certificate is not valid for its name"),
  CERT_HAS_EXPIRED: untrusted("the site's certificate has expired"),
  CERT_NOT_YET_VALID: untrusted("the site's certificate is not valid yet: is this machine's clock right?"),
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted("the site's certificate is self-signed"),
  SELF_SIGNED_CERT_IN_CHAIN: untrusted(
    "the site's certificate comes from an authority that this machine does not trust",
  ),
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted(
    "the site's certificate comes from an authority that this machine does not trust",
  ),
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted(
    "the site's certificate comes from an authority that this machine does not trust",
  ),
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted("the site's certificate is for another host name"),
  ECONNRESET: broken("the connection was reset"),
  EPIPE: broken("the connection was closed"),
  ETIMEDOUT: broken("the connection timed out"),
  EHOSTUNREACH: broken("the host cannot be reached"),
  ENETUNREACH: broken("the network cannot be reached"),
  ENETDOWN: broken("the network is down"),
  ECONNABORTED: broken("the connection was aborted"),
  UND_ERR_SOCKET: broken("the connection was closed before the answer was complete"),
  UND_ERR_CLOSED: broken("the connection was closed"),
  UND_ERR_DESTROYED: broken("the connection was closed"),
  UND_ERR_HEADERS_TIMEOUT: broken("no answer came in time"),
  UND_ERR_BODY_TIMEOUT: broken("the answer stopped before its end"),
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: broken("the answer is shorter or longer than announced"),
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: broken("the body sent is shorter or longer than announced"),
  UND_ERR_HEADERS_OVERFLOW: broken("the head of the answer is too large"),
  UND_ERR_RESPONSE: broken("the answer could not be read"),
  UND_ERR_ABORTED: broken("the exchange was aborted"),
  Z_DATA_ERROR: broken("the compressed answer is damaged"),
  Z_BUF_ERROR: broken("the compressed answer is truncated"),
};

// Families of codes outside the table.
const FAMILIES: readonly (readonly [RegExp, Failure])[] = [
  [/^(ERR_SSL_|ERR_TLS_|EPROTO$)/, unsent("a secure connection could not be negotiated (TLS)")],
];

const NO_CONNECTION = unsent("the connection could not be made");
const NOT_HTTP = broken("the answer is not HTTP");

const CHECK_PROXY = "Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY in the environment.";
const PROXY_REFUSED = /^Proxy response \((\d+)\)/;

/** The error of an exchange without a complete answer. Other errors are returned unchanged. */
export function connectionError(request: HttpRequest, error: unknown, redact: Redact): unknown {
  if (error instanceof FerryError || !(error instanceof Error)) return error;
  const known = proxyFailure(error) ?? failureOf(error);
  const failure = neverConnected(error) ? { ...NO_CONNECTION, ...known, unsent: true } : known;
  if (failure === undefined) return error;
  const code = codeOf(error);
  const label = code === undefined ? "" : ` (${code})`;
  const advice = failure.advice === undefined ? "" : ` ${failure.advice}`;
  return new ConnectionError(
    redact(`${request.method} ${request.url.href} failed: ${failure.says}${label}.${advice}`),
    {
      unsent: failure.unsent,
      retriable: failure.retriable,
      cause: safeCause(error, redact),
    },
  );
}

function proxyFailure(error: Error): Failure | undefined {
  if (error instanceof ProxyFailure) return deadProxy(error);
  const status = PROXY_REFUSED.exec(error.message)?.[1];
  if (status === undefined) return undefined;
  return unsent(`the proxy refused to connect, with status ${status}`, CHECK_PROXY);
}

function deadProxy({ message, cause }: ProxyFailure): Failure {
  const known = failureOf(cause);
  // An AggregateError has no text.
  const reason = cause.message === "" ? (codeOf(cause) ?? cause.name) : cause.message;
  const advice = known?.advice === TRUST ? `${CHECK_PROXY} ${TRUST}` : CHECK_PROXY;
  return { ...unsent(`${message}: ${reason}`, advice), retriable: known?.retriable ?? true };
}

function failureOf(error: Error): Failure | undefined {
  // undici gives some of these no code.
  if (error.name === "HTTPParserError") return NOT_HTTP;
  const code = codeOf(error);
  if (code === undefined) return undefined;
  return FAILURES[code] ?? FAMILIES.find(([pattern]) => pattern.test(code))?.[1];
}

// Only failed `connect` calls, one for each address, prove that nothing was sent.
function neverConnected(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.every((one) => one instanceof Error && neverConnected(one));
  return "syscall" in error && error.syscall === "connect";
}

function codeOf(error: Error): string | undefined {
  const code = "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}

// Errors of undici and Node may contain received data, and --debug shows them.
function safeCause(error: Error, redact: Redact): Error {
  const shown = inspect(error, { depth: 5 });
  return redact(shown) === shown ? error : new Error(redact(error.message));
}

/** The connection to a proxy failed. Names the proxy without its user and password. */
export class ProxyFailure extends Error {
  override readonly name = "ProxyFailure";
  override readonly cause: Error;

  constructor(proxy: URL, cause: Error) {
    super(`the proxy ${proxy.protocol}//${proxy.host} cannot be reached`);
    this.cause = cause;
  }
}
