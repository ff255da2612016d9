import type { ServerResponse } from "node:http";
import { type Arrival, type LocalServer, localServer } from "./local-server.js";

/** A secret part of an address, as long as those of real receivers. */
export const HOOK = "planted-hook-5d1f0c2e9a";

export interface Receiver extends LocalServer {
  /** An address of it, with HOOK. */
  readonly url: string;
  /** The parsed bodies in the order of arrival. */
  bodies(): readonly Body[];
  states(): readonly unknown[];
}

/** The body of a JSON message. */
export type Body = Readonly<Record<string, unknown>>;

/** Takes notifications until the test ends. Default: answers each with 200. */
export async function receiver(
  answer: (response: ServerResponse, arrival: Arrival) => void = (response) => void response.end("OK"),
): Promise<Receiver> {
  const server = await localServer((arrival, response) => answer(response, arrival));
  const bodies = (): readonly Body[] => server.arrivals.map(({ body }) => JSON.parse(body) as Body);
  return { ...server, url: `${server.origin}/hooks/${HOOK}`, bodies, states: () => bodies().map(({ state }) => state) };
}
