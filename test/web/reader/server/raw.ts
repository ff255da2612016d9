import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";

interface Raw {
  readonly path: string;
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** With any Host and any path, as no browser sends them. */
export async function raw(url: string, { path, method = "GET", headers = {} }: Raw) {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers });
  sent.end();
  const [answer] = await once(sent, "response");
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}
