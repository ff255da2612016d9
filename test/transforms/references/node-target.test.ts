import { expect, it } from "vitest";
import { linkTargetOf } from "../../../transforms/references/read-node.js";
import { image, link, pageMacro, video } from "../../../transforms/wiki/build.js";
import { OLD } from "./sites.js";

it.each([
  [link("guide", "12", { stepId: "5" }), "macro", "guide/12"],
  [link("document", "9"), "macro", "document/9"],
  [link("wiki", "Topic:Hand Looms#Section_A"), "wiki-link", "category/Hand Looms"],
  [link("url", "https://old.example/Guide/x/12"), "link", "guide/12"],
  [link("bare", "https://old.example/Guide/x/12"), "url", "guide/12"],
  [link("product", "AB-1"), "macro", null],
  [image("5"), "macro", "image/5"],
  [video("7"), "macro", "video/7"],
  [video("https://old.example/Document/9/a"), "link", "document/9"],
  [pageMacro("summary_image", "9"), "metadata", "image/9"],
])("a node of the tree, built by hand or not, says what it refers to: %j", (node, form, key) => {
  expect(linkTargetOf(node, OLD)).toMatchObject({ form, key });
});

it.each([
  link("url", "https://other.example/Guide/x/12"),
  link("mailto", "ann@old.example"),
  link("guide", "twelve"),
  image("a saw"),
  video("https://video.example/watch?v=7"),
  pageMacro("summary_image", "none"),
])("a node of the tree says that it refers to nothing: %j", (node) => {
  expect(linkTargetOf(node, OLD)).toBeUndefined();
});
