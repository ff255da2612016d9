import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Agent, request } from "undici";

// Fetches addresses with bare undici into as many files: the least that a program on Node can do.

const [list = "", token = "", folder = "", concurrency = "1"] = process.argv.slice(2);
const left = [...(JSON.parse(await readFile(list, "utf8")) as readonly string[]).entries()];
const dispatcher = new Agent({ connections: Number(concurrency) });

async function work(): Promise<void> {
  for (let next = left.shift(); next !== undefined; next = left.shift()) {
    const [at, address] = next;
    const { body } = await request(address, { dispatcher, headers: { authorization: `api ${token}` } });
    await writeFile(join(folder, String(at)), Buffer.from(await body.arrayBuffer()));
  }
}

await Promise.all(Array.from({ length: Number(concurrency) }, work));
await dispatcher.close();
