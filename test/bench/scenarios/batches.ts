import { type Sandbox, startSandbox } from "../../../src/sandbox/index.js";
import { type Pair, pairOf } from "./program.js";

const GUIDES = Number(process.env["SCENARIO_GUIDES"] ?? 1000);
const PAGES = 200;
const CATEGORIES = 20;
/** What each run takes; an empty one is everything. */
const BATCHES = ["guide/1*,guide/5*", "guide/2*,guide/3*", ""];

/** How much of a site that was moved in three runs differs from the same site moved in one. */
export async function benchBatches(): Promise<void> {
  const source = await startSandbox();
  fill(source);
  const [batches, whole] = [await pairOf(source, {}), await pairOf(source, {})];
  try {
    const move = ({ target, run }: Pair, include: string) =>
      run(["migrate", source.url, target.url, "--verify", "none", ...(include === "" ? [] : ["--include", include])]);
    const codes = [await move(whole, "")];
    for (const include of BATCHES) codes.push(await move(batches, include));
    const [one, three] = [itemsOf(whole.target), itemsOf(batches.target)];
    const differing = [...new Set([...one, ...three])].filter((item) => countOf(one, item) !== countOf(three, item));
    console.log(`items | in three runs | in one run | differ | exit codes
${one.length} | ${three.length} | ${one.length} | ${differing.length} | ${codes.join(" ")}`);
    for (const item of differing.slice(0, 10)) console.log(item.slice(0, 500));
  } finally {
    await Promise.all([batches.close(), whole.close()]);
    await source.close();
  }
}

/**
 * Guides that name guides, pages, parts and tools all over the site, each with a picture of its
 * own.
 */
function fill({ edit }: Sandbox): void {
  for (let page = 1; page <= CATEGORIES; page += 1)
    edit.createWiki({
      namespace: "CATEGORY",
      title: `Category ${page}`,
      contents: `See [guide|${1 + ((page * 37) % GUIDES)}|one of them] and [[Help ${page}|help]].`,
    });
  for (let page = 1; page <= PAGES; page += 1) {
    const contents = `Used in [guide|${1 + ((page * 7) % GUIDES)}|a guide].`;
    edit.createWiki({ namespace: "ITEM", title: `Part ${page}`, contents });
    edit.createWiki({ namespace: "ITEM", title: `Tool ${page}`, contents });
    edit.createWiki({ namespace: "WIKI", title: `Help ${page}`, contents });
  }
  for (let number = 1; number <= GUIDES; number += 1) {
    const category = `Category ${1 + (number % CATEGORIES)}`;
    const guide = edit.createGuide({
      ...{ category, type: "how-to", subject: "A part", title: `Guide ${number}` },
      introduction: `See [guide|${1 + ((number * 613) % GUIDES)}|another] and [guide|99999|nothing].`,
      parts: [{ name: `Part ${1 + (number % PAGES)}`, quantity: 1 }],
      tools: [{ name: `Tool ${1 + ((number * 3) % PAGES)}`, quantity: 1 }],
    });
    edit.addStep(guide, {
      orderby: 1,
      title: "Begin",
      lines: [{ text: `[guide|${1 + ((number * 271) % GUIDES)}|First this].`, bullet: "black", level: 0 }],
      media: { type: "image", data: [edit.newImage(`picture ${number}`)] },
    });
    edit.setPublic(guide, true);
  }
  // Behind all of them: what a guide needs may have any number.
  for (let number = 1; number <= GUIDES; number += 5)
    edit.guide(number, { prerequisites: [1 + ((number * 311) % GUIDES)].filter((needed) => needed !== number) });
}

/** Each item as one text, with names in place of numbers. */
function itemsOf({ namedState }: Sandbox): readonly string[] {
  const { guides, wikis, media, hierarchy, tags } = namedState();
  return [...guides, ...wikis, ...media, ...Object.entries(hierarchy), ...tags].map((item) => JSON.stringify(item));
}

function countOf(items: readonly string[], item: string): number {
  return items.filter((one) => one === item).length;
}
