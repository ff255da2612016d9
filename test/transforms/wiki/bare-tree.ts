const SPACING = new Set(["position", "before", "after", "marker", "space"]);

/**
 * A tree without positions and spacing: what is left is what a built tree and a read one have in
 * common.
 */
export function bare(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((part) => bare(part, name));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => name === "parameters" || !SPACING.has(key));
  return Object.fromEntries(kept.map(([key, part]) => [key, bare(part, key)]));
}
