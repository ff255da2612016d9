import { onTestFinished } from "vitest";
import { serveFolder } from "../../helpers/serve-folder.js";

/** Serves a folder until the test is over; returns its address. */
export async function staticFiles(folder: string): Promise<string> {
  const { url, close } = await serveFolder(folder);
  onTestFinished(close);
  return url;
}
