// A transform of your own with options: guides that are tagged as drafts stay private at the target and say so in their title.
//
//   guideferry migrate https://old.example https://new.example --transform ./mark-drafts.mjs
//   guideferry migrate https://old.example https://new.example --transform ./mark-drafts.mjs:tag=unfinished,prefix=WIP:

/** @type {import("guideferry").TransformSpec<{ tag?: string, prefix?: string }>} */
export default {
  name: "mark-drafts",
  about: "guides with the tag `draft` stay private, and their titles begin with [Draft]",
  // Called once a run. `context.source` is the old site, `context.titleOf("guide/12")` a title in the workspace.
  create({ tag = "draft", prefix = "[Draft]" }, _context) {
    return (item, report) => {
      // The very same item where there is nothing to do.
      if (item.kind !== "guide" || !item.body.tags.includes(tag) || item.body.title.startsWith(prefix)) return [item];
      report({
        code: "marked-as-draft",
        level: "note",
        key: item.key,
        path: "title",
        message: "It is a draft: it stays private, and its title says so.",
      });
      // Items are frozen: a new one, with what changes. The key is its identity and stays.
      return [{ ...item, body: { ...item.body, title: `${prefix} ${item.body.title}`, public: false } }];
    };
  },
};
