import type { Namespace } from "../../../core/model/key.js";

interface NamespaceName {
  readonly one: string;
  readonly many: string;
}

/** What people call pages of a namespace, in the order in which they are listed. */
export const NAMESPACE_NAMES: Readonly<Record<Namespace, NamespaceName>> = {
  CATEGORY: { one: "Category", many: "Categories" },
  WIKI: { one: "Page", many: "Pages" },
  INFO: { one: "Information", many: "Information" },
  ITEM: { one: "Part or tool", many: "Parts and tools" },
  TEAM: { one: "Team", many: "Teams" },
  USER: { one: "Person", many: "People" },
};
