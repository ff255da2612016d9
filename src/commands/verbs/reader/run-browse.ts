import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { openLibrary } from "../../../web/reader/open-library.js";
import type { OpenLibrary } from "../../../web/reader/opened-library.js";
import { renderPage } from "../../../web/reader/pages/render-page.js";
import { makeServedSearch } from "../../../web/reader/search/served-search.js";
import { startReader } from "../../../web/reader/server/start-reader.js";
import type { CommandCall } from "../../command.js";
import { keysOf } from "../backup/encryption-of.js";
import { refuseAddress } from "./refuse-address.js";

const TOKEN_BYTES = 18;

/** Serves what lies at a path until a signal comes. Throws UsageError for what is no library, and as `openLibrary` and `startReader` do. */
export async function runBrowse(call: CommandCall, text: string): Promise<never> {
  refuseAddress(text);
  const { output, settings } = call;
  const library = await openLibrary(resolve(text), { keys: await keysOf(call) });
  try {
    for (const remark of library.remarks) output.warn(remark);
    const { at } = settings;
    const first = library.find(at ?? undefined).id;
    // What no key opens, or is damaged, is told before anybody is sent there.
    await library.at(first);
    const reader = await startReader({
      token: randomBytes(TOKEN_BYTES).toString("base64url"),
      library,
      render: renderPage,
      makeSearch: makeServedSearch,
      ...(at === null || at === "latest" ? {} : { first }),
      port: settings.port,
      tell: (problem) => output.warn(problem),
    });
    try {
      tellStart(call, library, { url: reader.url, first });
      return await untilStopped(call.stop);
    } finally {
      await reader.close();
    }
  } finally {
    await library.close();
  }
}

function tellStart(
  { output }: CommandCall,
  { kind, path, times }: OpenLibrary,
  { url, first }: { readonly url: string; readonly first: string },
): void {
  output.event("browse", { url, kind, path, first, times: times.length });
  output.say(`${path} can be read at ${url}`);
  output.note("Ctrl-C ends it.");
}

function untilStopped(stop: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(stop.reason);
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
  });
}
