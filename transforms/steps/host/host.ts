import { z } from "zod";

/** A host as an address names it, lower case. */
export interface Host {
  readonly name: string;
  /** "" where none is named. */
  readonly port: string;
}

const HOST = /^[\p{L}\p{N}_](?:[\p{L}\p{N}._-]*[\p{L}\p{N}_])?(?::\d{1,5})?$/u;

/** `old.example` or `old.example:8080`. */
export const hostSchema = z
  .string("expected a host such as old.example or old.example:8080")
  .regex(HOST, "expected a host such as old.example or old.example:8080, without https:// and path");

/** Reads what `hostSchema` let through. */
export function readHost(text: string): Host {
  const colon = text.indexOf(":");
  const name = colon < 0 ? text : text.slice(0, colon);
  return { name: name.toLowerCase(), port: colon < 0 ? "" : text.slice(colon + 1) };
}

/**
 * Whether an address's host is this one. Without a port the scheme's own is meant: the same host at another port is another
 * service.
 */
export function isHost(host: Host, given: Host, scheme: string): boolean {
  const own = scheme.toLowerCase() === "http:" ? "80" : "443";
  return given.name.toLowerCase() === host.name && (given.port || own) === (host.port || own);
}

/** As an address names it. */
export function writeHost({ name, port }: Host): string {
  return port === "" ? name : `${name}:${port}`;
}
