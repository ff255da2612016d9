import { randomBytes } from "node:crypto";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { Pause } from "../../../service/pause.js";
import { Secret } from "../../../service/secret.js";
import { UsageError } from "../../../core/errors.js";
import { liveApp } from "./live-app.js";
import { liveBodyHtml } from "./live-body.js";
import type { LiveFacts } from "./live-facts.js";
import { type LiveState, livePage } from "./live-page.js";
import { Viewers } from "./viewers.js";

export interface LiveViewOptions {
  /** How the run stands now; is asked only while somebody looks, at most once a second. Must be cheap. */
  readonly facts: () => LiveFacts;
  readonly pause: Pause;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /** Is told what went wrong, for people at the terminal. */
  readonly tell: (problem: string) => void;
}

/** How a run ended, for who still looks. */
export interface LiveEnd {
  readonly words: string;
  /** What the page shows from then on; absent: what it showed last. */
  readonly html?: string;
}

/** A page on this machine that shows a run while it is on. */
export interface LiveView {
  /** `http://127.0.0.1:PORT/?token=…`: who has it can pause the run. */
  readonly url: string;
  /** The token that stands in the address. */
  readonly token: Secret;
  /** Tells the end and closes everything; waits for no browser longer than a quarter of a second. */
  close(end: LiveEnd): Promise<void>;
}

/** Milliseconds between two pages. */
const TELL_EVERY = 1000;
const PATIENCE = 250;

/** Shows a run on this machine alone. Throws UsageError when the port is taken or not allowed. */
export async function startLiveView({ facts, pause, port = 0, tell }: LiveViewOptions): Promise<LiveView> {
  const token = new Secret(randomBytes(24).toString("base64url"));
  const viewers = new Viewers();
  let page = { made: Number.NEGATIVE_INFINITY, html: "" };
  let shown = "";
  const state = (): LiveState => (pause.isPaused ? PAUSED : ON);

  /** Several may begin to look in one second: all get the same. */
  function bodyHtml(): string {
    if (Math.abs(performance.now() - page.made) >= TELL_EVERY)
      page = { made: performance.now(), html: liveBodyHtml(facts()) };
    return page.html;
  }

  function show(): void {
    if (viewers.isEmpty) return;
    try {
      const html = bodyHtml();
      if (html !== shown) viewers.tell("page", { ...state(), html });
      shown = html;
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      clearInterval(timer);
    }
  }

  const timer = setInterval(show, TELL_EVERY);
  const forget = pause.onChange(() => viewers.tell("state", state()));
  const app = liveApp({
    token,
    viewers,
    tell,
    page: () => livePage(facts(), state()),
    onViewer: () => viewers.tell("page", { ...state(), html: bodyHtml() }),
    pause: pause.pause,
    resume: pause.resume,
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  const quiet = (): void => {
    clearInterval(timer);
    forget();
  };
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      quiet();
      const problem = `The live view can't listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  server.on("error", (error) => tell(error.message));
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/?token=${token.reveal()}`,
    token,
    close: async (end) => {
      quiet();
      await viewers.end("over", { state: "over", ...end }, PATIENCE);
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}

const ON: LiveState = { state: "on", words: "The run is on." };
const PAUSED: LiveState = {
  state: "paused",
  words: "Paused: no new request goes out. Work that needs none, such as reading files, goes on.",
};
