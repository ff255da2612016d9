import { createResolver } from "../../../transforms/html/resolver.js";

/**
 * What the golden cases know: one of each kind, and a dead guide; whatever else they name is
 * unknown.
 */
export const KNOWN = createResolver({
  ownHosts: ["site.example"],
  trustedHosts: ["en.wikipedia.org"],
  guide: (id, stepId) => {
    if (id === "404") return "dead";
    if (id !== "757") return undefined;
    return { folder: "Teardown", title: "Loom Teardown", ...(stepId === "62" ? { page: 2 } : {}) };
  },
  product: (code) => (code === "IF145-002" ? { address: "/Tools/Spudger/IF145-002", title: "Spudger" } : undefined),
  wiki: ({ title }) => (title === "Old name" ? { address: "/Wiki/New_name", title: "New name" } : undefined),
  document: (id) => (id === "9" ? { address: "/Document/9/plan.pdf", title: "plan.pdf" } : undefined),
  image: (id, size) =>
    id === "5" ? { address: `https://cdn.example/five.${size}` } : id === "6" ? CAPTIONED : undefined,
  video: (id) => (id === "7" ? { address: "/video/7.mp4", poster: "/video/7.jpg" } : undefined),
});

const CAPTIONED = { address: "https://cdn.example/six.standard", caption: 'A "loom"' };

/** The site of the golden cases. */
export const SITE = { origin: "https://site.example", hosts: [] };

/** Ids by address, for addresses that say "known". */
export function mediaId(kind: "image" | "video" | "document", address: string): string | undefined {
  return address.includes("known") ? { image: "77", video: "78", document: "79" }[kind] : undefined;
}
