import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pngOf } from "../../helpers/png.js";
import { Noise } from "./noise.js";
import type { Sizes } from "./sizes.js";

const ORIGIN = "https://bench.example";
const RENDITIONS = ["mini", "thumbnail", "140x105", "200x150", "standard", "440x330", "medium", "large", "huge"];
const IN_A_CATEGORY = 100;
const LEAST_STEPS = 4;
const CREATED = 1_700_000_000;
const EDITOR = { userid: 1, username: "Bench", unique_username: "bench", join_date: CREATED, reputation: 1 };
const PICTURE = pngOf(800, 600);

/**
 * Writes the folder of a site that the sandbox serves: guides of some steps with their pictures, in
 * categories.
 */
export async function writeSite(folder: string, { guides, media, mediaBytes }: Sizes): Promise<void> {
  for (const name of ["guides", "files", "wikis/CATEGORY"]) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, "site.json"), JSON.stringify({ name: "bench", title: "Bench", url: ORIGIN }));
  const categories = Array.from({ length: Math.ceil(guides / IN_A_CATEGORY) }, (_, at) =>
    categoryOf(at * IN_A_CATEGORY),
  );
  for (const [at, title] of categories.entries())
    await writeFile(join(folder, "wikis/CATEGORY", `${at}.json`), JSON.stringify(categoryPage(at, title)));
  let image = 0;
  for (let at = 0; at < guides; at += 1) {
    const noise = new Noise(at);
    const until = Math.round(((at + 1) * media) / guides);
    const images = Array.from({ length: until - image }, (_, offset) => image + offset + 1);
    image = until;
    await writeFile(join(folder, "guides", `${at + 1}.json`), JSON.stringify(guideOf(at, images, noise)));
    for (const id of images) {
      // Sizes from a tenth to nearly twice the average; what follows the end of a picture makes it
      // another file.
      const tail = noise.bytes(Math.floor(mediaBytes * (0.1 + 1.8 * noise.next())));
      await writeFile(join(folder, "files", `${guidOf(id)}.png`), Buffer.concat([PICTURE, tail]));
    }
  }
}

function categoryOf(at: number): string {
  return `Looms ${Math.floor(at / IN_A_CATEGORY)}`;
}

function categoryPage(at: number, title: string) {
  const contents = new Noise(at + 1_000_000).words(200);
  return {
    wikiid: at + 1,
    langid: "en",
    title,
    display_title: title,
    namespace: "CATEGORY",
    contents_raw: contents,
    revisionid: at + 1,
    modified_date: CREATED,
  };
}

function guideOf(at: number, images: readonly number[], noise: Noise) {
  const id = at + 1;
  const steps = Array.from({ length: Math.max(LEAST_STEPS, images.length) }, (_, number) =>
    stepOf(id, number, images[number], noise),
  );
  return {
    guideid: id,
    guide_revisionid: id * 100,
    revisionid: id * 100 + 1,
    locale: "en",
    langid: "en",
    title: `Guide ${id}: ${noise.words(4)}`,
    category: categoryOf(at),
    subject: "",
    type: "how-to",
    summary: noise.words(12),
    introduction_raw: `${noise.words(80)}\n\nGo on with [guide|${id > 1 ? id - 1 : id}|this one].`,
    conclusion_raw: noise.words(30),
    difficulty: "Easy",
    documents: [],
    prerequisites: [],
    parts: [],
    tools: [],
    flags: [],
    steps,
    author: EDITOR,
    created_date: CREATED,
    published_date: CREATED,
    modified_date: CREATED + id,
    public: true,
  };
}

function stepOf(guideid: number, number: number, image: number | undefined, noise: Noise) {
  const lines = [25, 20, 30].map((count) => ({
    text_raw: noise.words(count),
    bullet: "black",
    level: 0,
    lineid: null,
  }));
  return {
    stepid: guideid * 100 + number,
    guideid,
    orderby: number + 1,
    revisionid: guideid * 100 + 10 + number,
    title: noise.words(3),
    lines,
    media: { type: "image", data: image === undefined ? [] : [imageOf(image)] },
    comments: [],
  };
}

function imageOf(id: number) {
  const guid = guidOf(id);
  const addresses = RENDITIONS.map((size) => [size, `${ORIGIN}/media/${guid}.${size}`]);
  return { id, guid, ...Object.fromEntries(addresses), original: `${ORIGIN}/media/${guid}.full` };
}

function guidOf(id: number): string {
  return `Bench${String(id).padStart(11, "0")}`;
}
