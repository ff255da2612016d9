import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { UsageError } from "../../../core/errors.js";
import type { OpenLibrary } from "../opened-library.js";
import type { RenderPage } from "../render.js";
import { createApp } from "./create-app.js";
import { OpenTimes } from "./open-times.js";
import { OwnAddress } from "./own-address.js";
import type { MakeSearchFiles } from "./search-files.js";
import { WaitingRoom } from "./waiting-room.js";

/** What a reader is started with. */
export interface ReaderOptions {
  readonly library: Omit<OpenLibrary, "kind">;
  readonly render: RenderPage;
  /** The id of the time that is opened first. Default: the last one, whichever that is by then. */
  readonly first?: string;
  /** On 127.0.0.1. Default: 0, a free one. */
  readonly port?: number;
  /** Stands in every address, so that no other account of this machine can read: letters, digits, `-` and `_`. Default: none. */
  readonly token?: string;
  /** Default: nothing can be searched. */
  readonly makeSearch?: MakeSearchFiles;
  /** Is told what went wrong, for people at the terminal. Default: nobody is. */
  readonly tell?: (problem: string) => void;
}

/** A reader that takes requests. */
export interface Reader {
  /** `http://127.0.0.1:PORT/`, with a token `http://127.0.0.1:PORT/<token>/`. */
  readonly url: string;
  /** Ends all connections and all reading; the library stays open, which is the caller's. */
  close(): Promise<void>;
}

/** Serves the pages of a library on this machine alone. Throws UsageError when the port is taken or not allowed. */
export async function startReader(options: ReaderOptions): Promise<Reader> {
  const { library, render, makeSearch, port = 0, tell = () => undefined } = options;
  const first = (): string => options.first ?? library.find().id;
  const waiting = new WaitingRoom();
  const times = new OpenTimes({ library, makeSearch, tell, giveWay: () => waiting.empty() });
  const address = new OwnAddress(options.token);
  const app = createApp({
    address,
    times,
    render,
    first,
    waiting,
    tell,
    library,
  });
  const server = createAdaptorServer({ fetch: app.fetch });
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause) => {
      const problem = `The reader can't listen on 127.0.0.1:${port} (${cause.message})`;
      reject(new UsageError(`${problem}: choose another port, or 0 for a free one.`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  // Whoever opens the address finds it there; what goes wrong is told to who asks for a page.
  times.use(first(), async () => undefined).catch(() => undefined);
  return {
    url: `http://127.0.0.1:${taken}${address.to("/")}`,
    close: async () => {
      times.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ("closeAllConnections" in server) server.closeAllConnections();
      });
    },
  };
}
