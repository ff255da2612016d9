import { type IncomingHttpHeaders, request } from "node:http";
import { onTestFinished } from "vitest";
import type { RunningCli } from "./run-cli.js";

/** An answer of a live view. */
export interface LiveAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface LiveRequest {
  readonly method?: "GET" | "POST" | "PUT" | "OPTIONS";
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the right one. */
  readonly token?: string;
}

/** The live view of a run, as somebody without a browser sees it. */
export interface LiveView {
  /** With its token. */
  readonly url: string;
  readonly token: string;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  ask(path: string, options?: LiveRequest): Promise<LiveAnswer>;
  /** Asks for a change as the page itself does. */
  post(path: "/pause" | "/resume"): Promise<LiveAnswer>;
  /** Listens to its events; resolves with all of them when the server has ended that. */
  listen(onEvent?: (event: string) => void): Promise<readonly LiveEvent[]>;
}

export interface LiveEvent {
  readonly event: string;
  readonly state: string;
  readonly words: string;
  readonly html?: string;
}

/** Waits for the address that a run with `--ui` prints. */
export async function liveViewOf(cli: Pick<RunningCli, "seen">): Promise<LiveView> {
  const [url = "", origin = "", token = ""] = await cli.seen(/(http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]+)/);
  const ask: LiveView["ask"] = (path, options = {}) =>
    asked(`${origin}${path}?token=${options.token ?? token}`, options);
  return {
    url,
    origin,
    token,
    ask,
    post: (path) => ask(path, { method: "POST", headers: { origin } }),
    listen: (onEvent) => listened(`${origin}/events?token=${token}`, onEvent),
  };
}

function asked(url: string, { method = "GET", headers = {} }: LiveRequest): Promise<LiveAnswer> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on("error", reject);
    });
    asking.on("error", reject).end();
  });
}

function listened(url: string, onEvent: (event: string) => void = () => undefined): Promise<readonly LiveEvent[]> {
  return new Promise((resolve, reject) => {
    const events: LiveEvent[] = [];
    let rest = "";
    const asking = request(url, { agent: false }, (response) => {
      response.setEncoding("utf8").on("data", (part: string) => {
        const frames = `${rest}${part}`.split("\n\n");
        rest = frames.pop() ?? "";
        for (const frame of frames) {
          const event = eventIn(frame);
          events.push(event);
          onEvent(event.event);
        }
      });
      response.on("end", () => resolve(events));
      response.on("error", reject);
    });
    asking.on("error", reject).end();
    onTestFinished(() => void asking.destroy());
  });
}

function eventIn(frame: string): LiveEvent {
  const [, event = "", data = "{}"] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
  return { ...JSON.parse(data), event };
}
