// The same as guideferry.config.json. A module can compute its values, for example a slower rate during working hours.

/** @type {import("guideferry").Config} */
export default {
  source: "https://old.example",
  target: "https://new.example",
  sourceTokenVariable: "OLD_SITE_TOKEN",
  targetTokenVariable: "NEW_SITE_TOKEN",
  workspace: "./acme-workspace",
  rate: "300/min",
  mediaRate: "20/s",
  fit: "split",
  exclude: ["wiki/USER/*", "category:Drafts/**"],
  maxFailures: "20,5%",
};
