import type { Body } from "../../../core/contracts.js";

type Json = Readonly<Record<string, unknown>>;

/** What a thing needs at the target, by kind and the target's id: `image/5`, `guide/12`, `category/Looms`; and its texts, which may show more media. */
export function usesIn(body: Body): { readonly names: readonly string[]; readonly texts: readonly string[] } {
  const { image, objectid, media, documents, category, parent, prerequisites } = body;
  const { type, data } = jsonOf(media);
  return {
    names: [
      ...named("image", [image]),
      ...named("video", [objectid]),
      ...named(
        "document",
        listOf(documents).map((each) => jsonOf(each)["documentid"] ?? each),
      ),
      ...(type === "object" ? named("video", [data]) : named("image", listOf(data))),
      ...named("guide", listOf(prerequisites)),
      ...named("category", [category, parent]),
    ],
    texts: textsIn(body),
  };
}

function named(kind: string, ids: readonly unknown[]): readonly string[] {
  const there = ids.filter((id) => typeof id === "number" || (typeof id === "string" && id !== ""));
  return there.map((id) => `${kind}/${String(id)}`);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return value.includes("[") ? [value] : [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function jsonOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}
