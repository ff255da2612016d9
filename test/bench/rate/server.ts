import { createServer } from "node:http";

// A site in a process of its own that notes when requests arrive. Argument: the milliseconds that
// it takes for an answer.

const latency = Number(process.argv[2] ?? 0);
const arrivals: number[] = [];
const server = createServer((_request, response) => {
  arrivals.push(performance.now());
  setTimeout(() => response.writeHead(200, { "content-type": "application/json" }).end("{}"), latency);
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : undefined);
});
process.once("message", () => process.send?.(arrivals, () => process.exit(0)));
