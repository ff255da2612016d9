import { readFile } from "node:fs/promises";
import { Agent, request } from "undici";
import { parsed, Replay, type Sent } from "./replay.js";

// Posts recorded writes with bare undici, and prints how many were answered otherwise than before.

const [file = "", origin = "", token = "", concurrency = "1"] = process.argv.slice(2);
const dispatcher = new Agent({ connections: Number(concurrency) });
const replay = new Replay(token, async ({ path, method, headers, body }: Sent) => {
  const answer = await request(`${origin}${path}`, { dispatcher, method: method as "POST", headers, body });
  return { status: answer.statusCode, json: parsed(await answer.body.text()) };
});

await replay.send(JSON.parse(await readFile(file, "utf8")), Number(concurrency));
await dispatcher.close();
process.stdout.write(String(replay.refused()));
