import type { Sandbox } from "../../../src/sandbox/index.js";

/**
 * Guides of two steps in one category, each with a picture of its own, all public but the last, and
 * a page.
 */
export function fillLooms({ edit }: Pick<Sandbox, "edit">, guides = 13): void {
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "All of them." });
  edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "On sheds." });
  for (let at = 1; at <= guides; at += 1) {
    const guide = edit.createGuide({ category: "Looms", type: "how-to", title: `Guide ${at}`, introduction: "Begin." });
    const step = edit.addStep(guide, {
      orderby: 1,
      title: "One",
      lines: [{ text: "Do it.", bullet: "black", level: 0 }],
    });
    edit.exchangeImage(guide, step, `picture ${at}`);
    edit.setPublic(guide, at !== guides);
  }
}
