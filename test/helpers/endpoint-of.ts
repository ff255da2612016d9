import type { Endpoint } from "../../src/service/endpoints/endpoints.js";
import { ENDPOINTS } from "../../src/service/endpoints/endpoints.js";

const PART = /\{[^}]+\}|:\w+/g;

// Those with a query are other forms of one that has none.
const PATTERNS = ENDPOINTS.filter(({ path }) => !path.includes("?")).map((endpoint) => ({
  endpoint,
  pattern: new RegExp(`^${endpoint.path.replaceAll(PART, "[^/]+")}$`),
  fixed: endpoint.path.replaceAll(PART, "").length,
}));

/**
 * The endpoint of `GET /guides/12`; of several that fit, the one with most fixed words. undefined:
 * the table has none.
 */
export function endpointOf(request: string): Endpoint | undefined {
  const [method, path = ""] = request.split(" ");
  const fits = PATTERNS.filter(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
  return fits.toSorted((one, other) => other.fixed - one.fixed)[0]?.endpoint;
}
