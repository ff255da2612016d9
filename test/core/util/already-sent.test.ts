import { once } from "node:events";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { expect, onTestFinished, test, vi } from "vitest";

test("an answer that was sent on the connection is not sent again, also where another server began before", async () => {
  const first = serve({ fetch: () => new Response("first"), port: 0 });
  onTestFinished(() => void first.close());
  await once(first, "listening");
  // Loaded anew, as in a process whose first server is the sandbox.
  vi.resetModules();
  const { alreadySent } = await import("../../../src/core/util/already-sent.js");
  const app = new Hono<{ Bindings: { outgoing: import("node:http").ServerResponse } }>();
  const failures: unknown[] = [];
  app.get("/", ({ env }) => {
    env.outgoing.once("error", (error) => failures.push(error));
    env.outgoing.writeHead(200, { "content-length": "4" });
    env.outgoing.end("sent");
    return alreadySent();
  });
  const error = vi.spyOn(console, "error").mockImplementation((...all) => void failures.push(all));
  onTestFinished(() => error.mockRestore());
  const second = serve({ fetch: app.fetch, port: 0 });
  onTestFinished(() => void second.close());
  await once(second, "listening");
  const address = second.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  for (let round = 0; round < 3; round += 1)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe("sent");
  expect(failures).toEqual([]);
});
