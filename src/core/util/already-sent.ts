import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/**
 * The return value of a handler of hono that answered on the connection itself. @hono/node-server 2
 * replaces the global Response with a light one, and sends that again unless its body was read.
 */
export function alreadySent(): Response {
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}
