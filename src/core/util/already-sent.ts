import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";

/**
 * What a handler of hono gives when it answered on the connection itself. @hono/node-server 2 puts
 * a light Response in the place of the global one as soon as a first server of the process begins;
 * it sends such a one although it says that it was sent, unless somebody looked into it. Loaded
 * after another server began, the library's own constant is one.
 */
export function alreadySent(): Response {
  void RESPONSE_ALREADY_SENT.body;
  return RESPONSE_ALREADY_SENT;
}
