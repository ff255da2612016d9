import type { Sandbox } from "../../../src/sandbox/index.js";
import { stepBody } from "../../helpers/small-sites.js";

/**
 * Two guides of two steps in one category, and a page; the second guide refers to the first and
 * needs it.
 */
export function twoGuides({ edit }: Sandbox): void {
  edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  edit.createWiki({ namespace: "WIKI", title: "Sheds", contents: "On sheds." });
  for (const title of ["Warp", "Weft"]) {
    const id = edit.createGuide({ category: "Looms", type: "how-to", subject: title, title, difficulty: "Easy" });
    for (const [index, text] of ["First.", "Second."].entries()) edit.addStep(id, stepBody(index + 1, text));
    edit.setPublic(id, true);
  }
  edit.setGuideTags(1, ["wool"]);
  edit.guide(2, { prerequisites: [1], introduction: "See [guide|1|the first] and [guide|77|another]." });
}
