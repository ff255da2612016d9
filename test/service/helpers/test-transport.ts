import { createServer } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import { expect } from "vitest";
import { ConnectionError } from "../../../src/core/errors.js";
import {
  createDispatcher,
  DEFAULT_TIMEOUTS,
  MAXIMUM_ANSWER,
  readAnswers,
  type Timeouts,
  undiciTransport,
} from "../../../src/service/http/exchange.js";
import type { HttpRequest, Transport, WholeResponse } from "../../../src/service/http/transport.js";
import { listen } from "../../helpers/local-server.js";
import { failureOf, forever } from "./test-stack.js";

const plain = (text: string) => text;

export interface Limits {
  readonly timeouts?: Partial<Timeouts>;
  readonly maximumBytes?: number;
  readonly total?: number;
  readonly lookup?: LookupFunction;
}

/** One request, one answer read to its end: nothing is tried again. */
export function transport(limits: Limits = {}): Transport<WholeResponse> {
  const dispatcher = createDispatcher({
    connections: 4,
    timeouts: { ...DEFAULT_TIMEOUTS, ...limits.timeouts },
    environment: {},
    lookup: limits.lookup,
  });
  const { maximumBytes = MAXIMUM_ANSWER, total = 20_000 } = limits;
  return readAnswers(undiciTransport(dispatcher, plain), { maximumBytes, total }, plain);
}

export function get(address: string): HttpRequest {
  return { method: "GET", url: new URL(address), headers: {}, retry: "always" };
}

/** Takes connections and does with them as told. */
export async function rawServer(serve: (socket: Socket) => void): Promise<string> {
  const server = createServer();
  server.on("connection", (socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", () => serve(socket));
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

/** The ConnectionError that a GET ends with. */
export async function connectionFailure(address: string, limits: Limits = {}): Promise<ConnectionError> {
  const failure = await failureOf(transport(limits)(get(address), forever));
  expect(failure).toBeInstanceOf(ConnectionError);
  if (!(failure instanceof ConnectionError)) throw failure;
  expect(failure.message).toContain(`GET ${address}`);
  return failure;
}
