import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { loadInto, verifyAt } from "../helpers/migration.js";
import { pngOf } from "../helpers/png.js";
import { type Pair, post, stepBody, twoGuides, upload } from "../helpers/small-sites.js";

test("verify finds a picture that an editor exchanged for another one of ours", async () => {
  const pair = await withPictures();
  const { guide, step } = await pictured(pair);
  expect((await pair.verify()).differences).toEqual([]);
  const [shed = 0, reed = 0] = step.images;
  const media = { type: "image", data: [reed, shed] };
  await edit(pair, `guides/${guide.id}/steps/${step.id}`, step.revision, { media });
  await edit(pair, `guides/${guide.id}`, (await pictured(pair)).guide.revision, { image: reed });
  const { differences } = await pair.verify();
  expect(differences.map(({ path }) => path).sort()).toEqual(["image", "steps[0].media"]);
});

test("a picture that the site gave an id of its own is no difference", async () => {
  const pair = await withPictures();
  const { guide } = await pictured(pair);
  const image = await upload(pair.target, "images", "anew.png", pngOf(900, 700));
  await edit(pair, `guides/${guide.id}`, guide.revision, { image });
  expect((await pair.verify()).differences).toEqual([]);
});

test("how many differences the report names does not depend on what is equal by chance", async () => {
  const pair = await twoGuides();
  await pair.run();
  const other = await startSandbox();
  onTestFinished(() => other.close());
  // Siblings come in the order in which they were made, so the place of ours is another one here.
  other.edit.createWiki({ namespace: "CATEGORY", title: "Already there", contents: "." });
  await loadInto(other, pair.workspace);
  const [there, elsewhere] = [await pair.verify(), await verifyAt(other, pair.workspace)];
  expect([there.differences, elsewhere.differences]).toEqual([[], []]);
  expect(elsewhere.summary.explained).toBe(there.summary.explained);
});

type Json = Readonly<Record<string, unknown>>;

/** Two pictures, both in one step, the first one also on its guide. */
async function withPictures(): Promise<Pair> {
  const pair = await twoGuides();
  const pictures = [
    await upload(pair.source, "images", "shed.png", pngOf(800, 600)),
    await upload(pair.source, "images", "reed.png", pngOf(800, 600, 40)),
  ];
  const [image] = pictures;
  const guide = { category: "Looms", type: "how-to", subject: "p", title: "Pictures", image };
  const { guideid } = await post(pair.source, "guides", guide);
  const media = { type: "image", data: pictures };
  await post(pair.source, `guides/${String(guideid)}/steps`, { ...stepBody(1, "See."), media });
  await pair.run();
  return pair;
}

/** The guide of the pictures and its step, as the target shows them now. */
async function pictured(pair: Pair) {
  const id = pair.guide("Pictures").guideid;
  const guide = await read(pair, `guides/${id}`);
  const [step] = guide["steps"] as readonly Json[];
  const media = step?.["media"] as { readonly data: readonly { readonly id: number }[] } | undefined;
  return {
    guide: { id, revision: guide["guide_revisionid"] },
    step: {
      id: step?.["stepid"],
      revision: step?.["revisionid"],
      images: media?.data.map(({ id: image }) => image) ?? [],
    },
  };
}

async function read({ target }: Pair, path: string): Promise<Json> {
  const answer = await fetch(`${target.url}/${path}`, { headers: { authorization: `api ${target.token}` } });
  return (await answer.json()) as Json;
}

/** Writes as the account that owns the pictures: nobody else may use them. */
async function edit({ target }: Pair, path: string, revision: unknown, body: Json): Promise<void> {
  await post(target, `${path}?revisionid=${String(revision)}`, body, "PATCH");
}
