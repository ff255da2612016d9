import { execFile } from "node:child_process";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.js";
import { lastReport } from "../helpers/last-report.js";
import { pngOf } from "../helpers/png.js";
import { post, upload } from "../helpers/small-sites.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const PROJECT = dirname(fileURLToPath(new URL("../../package.json", import.meta.url)));

/**
 * The built program with all packages but sharp, as npm leaves it where no binary of sharp can be
 * had.
 */
async function installedWithoutSharp(): Promise<string> {
  const folder = join(await temporaryFolder(), "guideferry");
  const packages = join(PROJECT, "node_modules");
  await mkdir(join(folder, "node_modules"), { recursive: true });
  await cp(join(PROJECT, "dist"), join(folder, "dist"), { recursive: true });
  await cp(join(PROJECT, "package.json"), join(folder, "package.json"));
  const names = (await readdir(packages)).filter((name) => name !== "sharp" && name !== "@img");
  for (const name of names) await symlink(join(packages, name), join(folder, "node_modules", name));
  return join(folder, "dist/src/cli.js");
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

function run(program: string, words: readonly string[], cwd: string, tokens: NodeJS.ProcessEnv): Promise<Ended> {
  const env = { ...process.env, ...tokens, XDG_STATE_HOME: cwd, NODE_PATH: "" };
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { cwd, env }, (error, stdout) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error === null ? 0 : -1, stdout }),
    );
  });
}

test("where sharp is not installed small pictures are left out, and the report says how to install it", async () => {
  const [source, target] = [await startSandbox({ stepLimits: "none" }), await startSandbox()];
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => undefined));
  source.edit.createWiki({ namespace: "CATEGORY", title: "Looms", contents: "On looms." });
  const id = source.edit.createGuide({ category: "Looms", type: "how-to", title: "Warp" });
  const data = [await upload(source, "images", "small.png", pngOf(640, 480))];
  const lines = [{ text: "Look.", bullet: "black", level: 0 }];
  await post(source, `guides/${id}/steps`, { orderby: 1, lines, media: { type: "image", data } });
  const tokens = { GUIDEFERRY_SOURCE_TOKEN: source.token, GUIDEFERRY_TARGET_TOKEN: target.token };
  const [program, folder] = [await installedWithoutSharp(), await temporaryFolder()];
  const words = [source.url, target.url, "--workspace", "work", "--fit", "split", "--small-images", "enlarge"];
  const done = await run(program, ["migrate", ...words, "--verbose"], folder, tokens);
  expect(done.code).toBe(0);
  const [guide] = target.state().guides;
  expect(guide).toMatchObject({ title: "Warp", steps: [{ lines: [{ text: "Look." }] }] });
  expect(target.recorded.filter(({ path, query }) => path === "/user/media/images" && query.includes("small"))).toEqual(
    [],
  );
  const { report } = lastReport(join(folder, "work"));
  const [small] = (report.losses ?? []).filter(({ code }) => code === "image-too-small");
  expect([small?.level, small?.examples[0]?.issue.message]).toEqual([
    "loss",
    expect.stringMatching(/it was left out, because no image can be resized on this machine; .*npm install sharp/),
  ]);
});
