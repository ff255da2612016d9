import { describe, expect, it } from "vitest";
import { fromHtml } from "../../../transforms/html/from-html.js";
import { createResolver } from "../../../transforms/html/resolver.js";
import { toHtml } from "../../../transforms/html/to-html.js";
import { parse } from "../../../transforms/wiki/parse.js";
import { print } from "../../../transforms/wiki/print.js";
import { normaliseRendered } from "./normalise-rendered.js";
import { OWN_HOST, type Pair, readGuidePairs, readPairs } from "./pairs.js";

const resolver = createResolver({ ownHosts: [OWN_HOST] });
const site = { origin: `https://${OWN_HOST}`, hosts: [] };

/**
 * Whether a guide still exists is known to the site alone: the only pairs that no text decides, by
 * what the raw text holds.
 */
const EXPLAINED = ["[guide|1740|below|stepid=8956]"];

function rendered({ raw, context }: Pair): string {
  return normaliseRendered(toHtml(parse(raw, { context }).tree, resolver), OWN_HOST);
}

describe("the site's own HTML", { tags: ["shared"] }, () => {
  const pairs = readPairs();

  it("is what the raw text becomes, but where only the site can know", () => {
    const [equal, different] = split(pairs, (pair) => rendered(pair) === normaliseRendered(pair.rendered, OWN_HOST));
    const [explained, failed] = split(different, ({ raw }) => EXPLAINED.some((part) => raw.includes(part)));
    console.info(`raw to HTML: ${equal.length} equal, ${explained.length} explained, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(explained.length).toBe(EXPLAINED.length);
    expect(pairs.length).toBe(1020);
  });

  it("is what every text of whole guides becomes, but where only the site can know", () => {
    const all = readGuidePairs();
    const [equal, different] = split(all, (pair) => rendered(pair) === normaliseRendered(pair.rendered, OWN_HOST));
    const [explained, failed] = split(different, ({ raw }) => EXPLAINED.some((part) => raw.includes(part)));
    console.info(`whole guides: ${equal.length} equal, ${explained.length} explained, ${failed.length} failed`);
    expect(failed).toEqual([]);
    expect(all.length).toBeGreaterThan(1000);
  });

  it("is what the explained pairs become too once it is known that the guide is gone", () => {
    const knowing = createResolver({ ownHosts: [OWN_HOST], guide: () => "dead" });
    const explained = pairs.filter(({ raw }) => EXPLAINED.some((part) => raw.includes(part)));
    for (const { raw, context, rendered: html } of explained) {
      expect(toHtml(parse(raw, { context }).tree, knowing)).toBe(html);
    }
  });

  it("is what its own wiki text becomes", () => {
    const [equal, failed] = split(pairs, ({ rendered: html, context }) => {
      const text = print(fromHtml(html, { context, site }).tree);
      return sameOnSite(toHtml(parse(text, { context }).tree, resolver)) === sameOnSite(html);
    });
    console.info(`HTML to wiki text to HTML: ${equal.length} equal, ${failed.length} failed`);
    expect(failed).toEqual([]);
  });

  it("says again what the raw text says, but for dead guides, links to the site, and parameters of videos", () => {
    const [same, other] = split(
      pairs,
      ({ raw, rendered: html, context }) => print(fromHtml(html, { context, site }).tree) === raw,
    );
    console.info(`HTML to raw text: ${same.length} the same, ${other.length} otherwise`);
    expect(other.filter(({ raw }) => !/^\[video\||\[guide\||\.dozuki\.com\//.test(raw))).toEqual([]);
  });
});

/** A link to the site may be written with its host or without. */
function sameOnSite(html: string): string {
  return normaliseRendered(html, OWN_HOST).replaceAll(`https://${OWN_HOST}/`, "/");
}

function split(pairs: readonly Pair[], belongs: (pair: Pair) => boolean): readonly [readonly Pair[], readonly Pair[]] {
  const first = pairs.filter(belongs);
  return [first, pairs.filter((pair) => !first.includes(pair))];
}
