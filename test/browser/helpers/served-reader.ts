import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { openLibrary } from "../../../src/web/reader/open-library.js";
import { startReader } from "../../../src/web/reader/server/start-reader.js";
import { removeFolder } from "../../helpers/temporary-folder.js";

/** A reader that all tests of a `describe` ask. */
export interface ServedReader {
  /** The address of a page at one time: `at("20261101T030000Z", "guide/1.html")`. */
  at(time: string, path: string): string;
  /** `http://127.0.0.1:PORT/` */
  readonly url: string;
}

/**
 * Serves what `make` writes into an empty folder, before the tests of a `describe` and up to their
 * end; every item of every time was read.
 */
export function servedReader(make: (folder: string) => Promise<string>): ServedReader {
  let url = "";
  let end: () => Promise<void> = async () => undefined;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), "guideferry-browser-"));
    const library = await openLibrary(await make(join(folder, "repo")));
    const reader = await startReader({ library });
    url = reader.url;
    for (const { id } of library.snapshots) await wholeTime(`${url}at/${id}/index.html`);
    end = async () => {
      await reader.close();
      await library.close();
      await removeFolder(folder);
    };
  });
  afterAll(() => end());
  return {
    at: (time, path) => `${url}at/${time}/${path}`,
    get url() {
      return url;
    },
  };
}

/** A page says how much was read so far as long as not everything was. */
async function wholeTime(page: string): Promise<void> {
  for (;;) {
    const html = await (await fetch(page)).text();
    if (!html.includes("items are read so far")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
