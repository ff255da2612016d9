import { isIP, type LookupFunction } from "node:net";
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import { UsageError } from "../core/errors.js";
import { ProxyFailure } from "./proxy-failure.js";

/** The environment of the process, or a part of it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Milliseconds until the transport gives up. */
export interface Timeouts {
  /** Until a connection stands. */
  readonly connect: number;
  /** Until the head of the answer is there: a site may work for long on a large guide. */
  readonly headers: number;
  /** Between two pieces of a body. */
  readonly body: number;
  /** For a whole API answer; media take as long as they take. */
  readonly total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 20_000, headers: 90_000, body: 60_000, total: 300_000 };

export interface DispatcherOptions {
  /** Connections to one origin; undici's own default opens one for every request under way. */
  readonly connections: number;
  readonly timeouts: Timeouts;
  /** HTTPS_PROXY, HTTP_PROXY and NO_PROXY are read, in either letter case; the lower one wins, as with curl. Empty means unset. */
  readonly environment: Environment;
  /** How the hosts that are reached directly become addresses, those too that are written as one. */
  readonly lookup?: LookupFunction | undefined;
}

/**
 * One pool of connections. It follows no redirect, keeps no cookies and no cache.
 *
 * NODE_EXTRA_CA_CERTS needs nothing here: Node adds these certificates to its own at its start, and undici uses Node's.
 * @throws UsageError when a proxy variable holds no address; the value is not shown, since it may hold a password.
 */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const { connections, timeouts, environment, lookup } = options;
  return new EnvHttpProxyAgent({
    connections,
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.body,
    connect: connectorBy(timeouts.connect, lookup),
    clientFactory: (proxy) => new Pool(proxy, { connect: connectorTo(proxy, timeouts.connect) }),
    ...proxySettings(environment),
  });
}

// Node asks no look-up for a host that is written as an address, so it is asked here: one rule for every connection.
function connectorBy(timeout: number, lookup: LookupFunction | undefined): buildConnector.connector {
  if (lookup === undefined) return buildConnector({ timeout });
  const connect = buildConnector({ timeout, lookup });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) === 0) connect(options, callback);
    else lookup(host, { all: true }, (error) => (error === null ? connect(options, callback) : callback(error, null)));
  };
}

// What can't be reached is the proxy then, which the error of the connection itself does not say.
function connectorTo(proxy: URL, timeout: number): buildConnector.connector {
  const connect = buildConnector({ timeout });
  return (options, callback) =>
    connect(options, (...[error, socket]: buildConnector.CallbackArgs) =>
      error === null ? callback(null, socket) : callback(new ProxyFailure(proxy, error), null),
    );
}

/** The proxies that the environment names, for looking up which secrets they hold. */
export function proxyUrls(environment: Environment): readonly URL[] {
  return ["https_proxy", "http_proxy"].flatMap((name) => proxyUrl(environment, name) ?? []);
}

// Each setting is given, even when empty: undici would read the process's own environment for what is left out.
function proxySettings(environment: Environment) {
  return {
    httpProxy: proxyUrl(environment, "http_proxy")?.href ?? "",
    httpsProxy: (proxyUrl(environment, "https_proxy") ?? proxyUrl(environment, "http_proxy"))?.href ?? "",
    noProxy: noProxy(variable(environment, "no_proxy") ?? ""),
  };
}

// No proxy can reach this machine's own loopback addresses for us, so a sandbox works whatever the environment says.
const NEVER_PROXIED = "localhost,127.0.0.1,[::1]";

function noProxy(value: string): string {
  if (value === "*") return value;
  return value === "" ? NEVER_PROXIED : `${value},${NEVER_PROXIED}`;
}

function proxyUrl(environment: Environment, name: string): URL | undefined {
  const value = variable(environment, name);
  if (value === undefined) return undefined;
  // `proxy.example:3128` is a common way to write it.
  const address = value.includes("://") ? value : `http://${value}`;
  if (!URL.canParse(address)) {
    throw new UsageError(
      `The environment variable ${name.toUpperCase()} does not hold the address of a proxy. Write it as http://host:port, or unset it.`,
    );
  }
  return new URL(address);
}

function variable(environment: Environment, name: string): string | undefined {
  return [name, name.toUpperCase()]
    .map((one) => environment[one]?.trim())
    .find((value) => value !== undefined && value !== "");
}
