import { z } from "zod";
import type { TransformSpec } from "../../src/core/contracts.js";
import type { Guide, Step } from "../../src/core/model/guide.js";
import type { Item } from "../../src/core/model/item.js";
import type { Wiki } from "../../src/core/model/wiki.js";
import { readOwnAddress } from "../references/own-address.js";
import { hostSchema, readHost, writeHost } from "./host/host.js";
import { replaceInText } from "./host/replace-in-text.js";
import { mapStrings } from "./map-strings.js";
import { mapTexts } from "./map-texts.js";
import { mapSame, withFields } from "./same.js";

const options = z.strictObject({ from: hostSchema, to: hostSchema });

/**
 * `replace-host`: addresses of one host lead to another one, wherever an item has them. Those of the source itself that
 * name a guide, a page or a file stay: the load points them home, and with another host alone they would hit strangers.
 */
export const replaceHost: TransformSpec<z.infer<typeof options>> = {
  name: "replace-host",
  about: "addresses of one host lead to another: from=old.example,to=new.example",
  options,
  create: ({ from, to }, { source }) => {
    const hosts = { from: readHost(from), to: readHost(to) };
    const keeps = (address: string): boolean => typeof readOwnAddress(address, 0, source)?.key === "string";
    return (item, report) => {
      const change = (text: string, path: string): string => {
        const changed = replaceInText(text, { ...hosts, keeps });
        if (changed !== text) report({ ...REPLACED, key: item.key, path, message: message(hosts) });
        return changed;
      };
      return [
        inFields(
          mapTexts(item, (text, _, path) => change(text, path)),
          change,
        ),
      ];
    };
  },
};

const REPLACED = { code: "host-replaced", level: "note" } as const;

function message({ from, to }: Readonly<Record<"from" | "to", ReturnType<typeof readHost>>>): string {
  return `Addresses of ${writeHost(from)} lead to ${writeHost(to)} now.`;
}

/** Gives another string for one; `path` says where it stands. */
type Change = (text: string, path: string) => string;

/** Everything beside the wiki texts that is sent or shown and may hold an address. Where an item came from stays. */
function inFields(item: Item, change: Change): Item {
  if (item.kind === "guide") return withFields(item, { body: inGuide(item.body, change) });
  if (item.kind === "category" || item.kind === "wiki") return withFields(item, { body: inWiki(item.body, change) });
  return item;
}

function inGuide(guide: Guide, change: Change): Guide {
  const urls = (list: "parts" | "tools"): Guide["parts"] =>
    mapSame(guide[list], (part, index) =>
      withFields(part, { url: part.url === null ? null : change(part.url, `${list}[${index}].url`) }),
    );
  return withFields(guide, {
    summary: change(guide.summary, "summary"),
    parts: urls("parts"),
    tools: urls("tools"),
    steps: mapSame(guide.steps, (step, index) => inStep(step, `steps[${index}].media.url`, change)),
  });
}

function inStep(step: Step, path: string, change: Change): Step {
  if (step.media.type !== "embed") return step;
  return withFields(step, { media: withFields(step.media, { url: change(step.media.url, path) }) });
}

function inWiki(wiki: Wiki, change: Change): Wiki {
  return withFields(wiki, {
    description: change(wiki.description, "description"),
    info: mapSame(wiki.info, (row, index) => withFields(row, { value: change(row.value, `info[${index}].value`) })),
    suppliers: mapSame(wiki.suppliers, (row, index) => mapStrings(row, `suppliers[${index}]`, change)),
    tree: mapStrings(wiki.tree, "tree", change),
    html: change(wiki.html, "html"),
  });
}
