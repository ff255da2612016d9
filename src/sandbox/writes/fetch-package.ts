import { ServiceError } from "../server/service-error.js";
import type { Site } from "../state/site.js";
import type { PackageLook } from "../state/training-desk.js";
import { keepAndLook } from "./receive-package.js";

/** How long the host of a package may take, in milliseconds. */
const LONGEST = 30_000;

/** An address on the machine itself. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * Fetches a package as the engine would: from loopback only, since a sandbox has no business with the world. Never throws; what
 * goes wrong is the problem of the package.
 */
export async function fetchPackage(site: Site, url: URL): Promise<PackageLook> {
  const lost = (why: string): PackageLook => ({
    problem: `The package could not be fetched: ${why}.`,
    learningStandard: null,
    bytes: 0,
    sha256: "",
  });
  if (!isLoopback(url)) return lost("the sandbox fetches from this machine only");
  try {
    // A redirect could lead anywhere.
    const response = await fetch(url, { signal: AbortSignal.timeout(LONGEST), redirect: "manual" });
    if (!response.ok || response.body === null) return lost(`the answer was ${response.status}`);
    return await keepAndLook(site, response.body);
  } catch (error) {
    if (error instanceof ServiceError) return lost("it is too large");
    return lost(error instanceof Error ? error.message : String(error));
  }
}
