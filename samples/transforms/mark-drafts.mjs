// A custom transform with options: guides with the tag `draft` stay private on the target, and their titles say so.
//
//   guideferry migrate https://old.example https://new.example --transform ./mark-drafts.mjs
//   guideferry migrate https://old.example https://new.example --transform ./mark-drafts.mjs:tag=unfinished,prefix=WIP:

/** @type {import("guideferry").TransformSpec<{ tag?: string, prefix?: string }>} */
export default {
  name: "mark-drafts",
  about: "guides with the tag `draft` stay private, and their titles begin with [Draft]",
  // Called once in each run. `context.source` is the old site, `context.titleOf("guide/12")` a title in the workspace.
  create({ tag = "draft", prefix = "[Draft]" }, _context) {
    return (item, report) => {
      // Returns the same object if nothing changes.
      if (item.kind !== "guide" || !item.body.tags.includes(tag) || item.body.title.startsWith(prefix)) return [item];
      report({
        code: "marked-as-draft",
        level: "note",
        key: item.key,
        path: "title",
        message: "It is a draft: it stays private, and its title says so.",
      });
      // Items are frozen, so this is a new one. Its key stays, because it is the identity of the item.
      return [{ ...item, body: { ...item.body, title: `${prefix} ${item.body.title}`, public: false } }];
    };
  },
};
