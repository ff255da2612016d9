import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { Viewers } from "../../../src/web/report/live-view.js";

/**
 * A browser that looks and takes nothing of what it is sent; `outgoing`: the server's end of that.
 */
async function idleViewer(viewers: Viewers): Promise<ServerResponse> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.pause();
  onTestFinished(() => {
    socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const [, outgoing]: [unknown, ServerResponse] = (await once(server, "request")) as [unknown, ServerResponse];
  expect(viewers.add(outgoing, {})).toBe(true);
  return outgoing;
}

it("keeps no more than an event for who takes nothing, and doesn't wait at the end", async () => {
  const viewers = new Viewers();
  const outgoing = await idleViewer(viewers);
  const html = "x".repeat(1_000_000);
  for (let number = 0; number < 200; number += 1) {
    viewers.send("page", { html });
    await new Promise((resolve) => setImmediate(resolve));
  }
  // What the system itself holds for a connection is gone already.
  expect(outgoing.writableLength).toBeLessThan(2_100_000);
  await viewers.end("over", {}, 20);
});

it("forgets who went away, and takes no more than it can serve", async () => {
  const viewers = new Viewers();
  const outgoing = await idleViewer(viewers);
  expect(viewers.isEmpty).toBe(false);
  outgoing.destroy();
  await once(outgoing, "close");
  expect(viewers.isEmpty).toBe(true);
  const taken = [];
  for (let number = 0; number < 16; number += 1) taken.push(await idleViewer(viewers));
  expect(viewers.add(taken[0] as ServerResponse, {})).toBe(false);
});
