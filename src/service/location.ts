import { UsageError } from "../core/errors.js";
import { isLoopback } from "./address.js";

/** Where a site's API is. */
export interface Location {
  /** `https://site.example/api/2.0`, without a slash at its end. */
  readonly root: string;
  readonly origin: string;
}

const SUFFIX = "/api/2.0";
const EXAMPLE = `Write it as https://site.example${SUFFIX}`;

/**
 * Reads an API root as people write it: with or without `/api/2.0` or a slash at its end, or just the host. Without a
 * scheme it is https, on this machine http.
 *
 * https://site.example/api/2.0   site.example   http://127.0.0.1:8080
 *
 * @throws UsageError for what is no API root, for plain http to another machine without `insecureHttp`, and for an address
 * with a user name or password in it, which is not repeated in the message
 */
export function parseLocation(text: string, options: { readonly insecureHttp: boolean }): Location {
  const url = toUrl(text.trim());
  if (url.username !== "" || url.password !== "") {
    throw new UsageError(
      `The address of ${url.host} holds a user name or password, which other programs could see. Take it out and use the environment variables for signing in.`,
    );
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new UsageError(`"${url.protocol}//" is not a scheme of a site. ${EXAMPLE}.`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && !options.insecureHttp) {
    throw new UsageError(
      `http://${url.host} would carry tokens and contents unprotected. Use https://${url.host}, or allow it with --insecure-http.`,
    );
  }
  return { root: url.origin + rootPath(url), origin: url.origin };
}

function toUrl(text: string): URL {
  const scheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  const host = /^(\[[^\]]*\]|[^:/?#]*)/.exec(text)?.[0] ?? "";
  const address = scheme ? text : `${isLoopback(host.toLowerCase()) ? "http" : "https"}://${text}`;
  // The text is not repeated where it may hold a password.
  const shown = text.includes("@") ? "The address" : `"${text}"`;
  if (text === "" || /\s/.test(text) || !URL.canParse(address)) {
    throw new UsageError(`${shown} is not the address of a site. ${EXAMPLE}.`);
  }
  return new URL(address);
}

function rootPath(url: URL): string {
  const path = url.pathname.replace(/\/+$/, "");
  if (url.search === "" && url.hash === "") {
    if (path === "" || path === "/api") return SUFFIX;
    if (path.endsWith(SUFFIX)) return path;
  }
  throw new UsageError(
    `${url.origin}${url.pathname} is not an API root of version 2.0. ${EXAMPLE}, for this one perhaps ${url.origin}${SUFFIX}.`,
  );
}
