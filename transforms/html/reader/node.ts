import type { Element, ElementContent, Properties } from "hast";

/** Has no meaning in HTML or does harm: control characters but tab and line end, and halves of characters. */
const UNSHOWABLE = /(?![\t\n])\p{Cc}|\p{Surrogate}/gu;

/** A text as pages can show it: what can't be shown becomes U+FFFD, so that one sees that something was there. */
export function showable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n").replace(UNSHOWABLE, "\uFFFD");
}

/** An element of the tree that the reader's HTML is made of; texts in its attributes become showable. */
export function node(name: string, children: readonly ElementContent[], properties: Properties = {}): Element {
  const shown = Object.entries(properties).map(([key, value]): [string, Properties[string]] => [
    key,
    typeof value === "string" ? showable(value) : value,
  ]);
  return { type: "element", tagName: name, properties: Object.fromEntries(shown), children: [...children] };
}

/** Words of that tree. */
export function words(text: string): ElementContent {
  return { type: "text", value: showable(text) };
}

/** The words in a part of that tree. */
export function wordsIn(content: readonly ElementContent[]): string {
  return content
    .map((each) => (each.type === "text" ? each.value : each.type === "element" ? wordsIn(each.children) : ""))
    .join("");
}

/** Whether a part of that tree says something to a reader who sees no pictures. */
export function saysSomething(content: readonly ElementContent[]): boolean {
  return content.some((each) => {
    if (each.type === "text") return /[^\s\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF]/.test(each.value);
    return each.type === "element" && (saidBy(each) || saysSomething(each.children));
  });
}

function saidBy({ tagName, properties }: Element): boolean {
  return tagName === "img" && properties["alt"] !== "";
}
