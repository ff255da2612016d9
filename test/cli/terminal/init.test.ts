import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type OnTerminal, PROGRAM, plain, startOnTerminal } from "../../helpers/pseudo-terminal.js";
import { runCli } from "../../helpers/run-cli.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";
import { type TwoSites, twoSites } from "../../helpers/two-sites.js";

const FILE = "guideferry.config.json";
const [ENTER, DOWN, CTRL_C] = ["\r", "\u001b[B", "\u0003"];

function init(
  { directory, environment }: Pick<TwoSites, "directory" | "environment">,
  more: Readonly<Record<string, string>> = {},
  ...files: readonly string[]
): OnTerminal {
  const { GUIDEFERRY_WORKSPACE: _workspace, ...around } = environment;
  const words = [process.execPath, PROGRAM, "init", ...files];
  return startOnTerminal(words, { columns: 160, directory, environment: { ...around, ...more } });
}

/** Answers each question as it is asked. */
async function answer(terminal: OnTerminal, answers: readonly (readonly [question: RegExp, keys: string])[]) {
  for (const [question, keys] of answers) {
    await terminal.seen(question);
    terminal.type(keys);
  }
}

const uptoCheck = ({ source, target }: TwoSites) =>
  [
    [/What do you want to do/, ENTER],
    [/From which site/, `${source.url}${ENTER}`],
    [/How do you sign in/, ENTER],
    [/To which site/, `${target.url}${ENTER}`],
    [/How do you sign in/, ENTER],
    [/Include private guides/, ENTER],
    [/How many requests/, `50/s${ENTER}`],
    [/Which folder/, ENTER],
  ] as const;

describe("guideferry init", { tags: ["python3"] }, () => {
  it("asks, tries both sites, shows and writes what plan and migrate take, and no secret is shown or kept", async () => {
    const sites = await twoSites();
    const terminal = init(sites);
    await answer(terminal, [...uptoCheck(sites), [/Write this file/, ENTER]]);
    const { code, text } = await terminal.ended;
    const shown = plain(text);
    expect([code, shown.match(/\d+ checks: .* 0 failed/g)?.length]).toEqual([0, 2]);
    expect(shown).toMatch(/ {2}guideferry plan\r?\n {2}guideferry migrate\r?\n/);
    const written = await readFile(join(sites.directory, FILE), "utf8");
    expect(JSON.parse(written)).toEqual({
      $schema: expect.stringMatching(/config\.schema\.json$/),
      source: sites.source.url,
      target: sites.target.url,
      sourceTokenVariable: "GUIDEFERRY_SOURCE_TOKEN",
      targetTokenVariable: "GUIDEFERRY_TARGET_TOKEN",
      workspace: "./guideferry-workspace",
      rate: "50/s",
    });
    for (const secret of [sites.source.token, sites.target.token]) expect(text + written).not.toContain(secret);
    expect(sites.writes()).toBe(0);
    const planned = await runCli(["plan"], {
      directory: sites.directory,
      environment: { ...sites.environment, GUIDEFERRY_WORKSPACE: "" },
    });
    expect([planned.code, (await readdir(sites.directory)).toSorted()]).toEqual([
      0,
      [FILE, "guideferry-workspace", "home"].toSorted(),
    ]);
  });

  it("names what fails, goes back with the answers kept, and replaces no file without an agreement", async () => {
    const sites = await twoSites();
    const terminal = init(sites, { GUIDEFERRY_TARGET_TOKEN: "wrong-token" });
    await answer(terminal, [
      ...uptoCheck(sites),
      [/Some checks failed/, ENTER],
      [/What do you want to do/, ENTER],
      [/From which site/, ENTER],
      [/How do you sign in/, ENTER],
      [/To which site/, ENTER],
      [/How do you sign in/, `${DOWN}${DOWN}${ENTER}`],
      [/The name of the variable/, `pasted-token${ENTER}`],
      [/expected a name in capitals/, `\u0015NEW_TOKEN${ENTER}`],
      [/Include private guides/, ENTER],
      [/How many requests/, ENTER],
      [/Which folder/, ENTER],
      [/Some checks failed/, `${DOWN}${DOWN}${ENTER}`],
      [/Write this file/, ENTER],
    ]);
    expect((await terminal.ended).code).toBe(0);
    const file = join(sites.directory, FILE);
    const written = await readFile(file, "utf8");
    expect(JSON.parse(written)).toMatchObject({ rate: "50/s", targetTokenVariable: "NEW_TOKEN" });
    expect(plain(terminal.written())).toMatch(/401|refused/);
    // A broken file may be replaced too. Without an agreement the command fails, so that no command
    // after `&&` runs.
    await writeFile(file, '{"rate": "1/s",');
    const again = init(sites);
    await answer(again, [[/exists\. Replace/, ENTER]]);
    expect([(await again.ended).code, await readFile(file, "utf8")]).toEqual([4, '{"rate": "1/s",']);
  });

  it("adds a profile to a file, whose other keys keep their order and form, and runs by its name", async () => {
    const sites = await twoSites();
    const file = join(sites.directory, FILE);
    const before = '{\n    "exclude": ["wiki/USER/*", "category:Drafts/**"],\n    "fit": "split"\n}\n';
    await writeFile(file, before);
    const variables = { ACME_SOURCE_TOKEN: sites.source.token, ACME_TARGET_TOKEN: sites.target.token };
    const terminal = init(sites, { ...variables, GUIDEFERRY_SOURCE_TOKEN: "of-another-customer" });
    await answer(terminal, [
      [/exists\./, ENTER],
      [/The name of the profile/, `Acme${ENTER}`],
      [/expected the name of a profile/, `\u0015acme${ENTER}`],
      [/What do you want to do/, ENTER],
      [/From which site/, `${sites.source.url}${ENTER}`],
      [/How do you sign in/, ENTER],
      [/The name of the variable/, ENTER],
      [/To which site/, `${sites.target.url}${ENTER}`],
      [/How do you sign in/, ENTER],
      [/The name of the variable/, ENTER],
      [/Include private guides/, ENTER],
      [/How many requests/, `500/s${ENTER}`],
      [/Which folder/, ENTER],
      [/Write this file/, ENTER],
    ]);
    const { code, text } = await terminal.ended;
    expect([code, plain(text)]).toEqual([0, expect.stringContaining("guideferry migrate --profile acme")]);
    const written = await readFile(file, "utf8");
    expect(written.startsWith(before.slice(0, before.indexOf("\n}")))).toBe(true);
    const environment = { ...sites.environment, ...variables, GUIDEFERRY_WORKSPACE: "" };
    const done = await runCli(["migrate", "--profile", "acme"], { directory: sites.directory, environment });
    expect([done.code, await readdir(sites.directory)]).toEqual([
      0,
      expect.arrayContaining(["guideferry-workspace-acme"]),
    ]);
    const again = init(sites, {}, "--profile", "acme");
    expect((await again.ended).code).toBe(2);
  });

  it.each([
    ["no/such/acme.json", 10, /No file can be written in \S*no\/such: /],
    ["acme.mjs", 2, /writes JSON/],
    [".", 2, /is a folder\. Name a file: guideferry init FILE/],
  ])("asks nothing where %s cannot be written", async (file, expected, words) => {
    const terminal = init({ directory: await temporaryFolder(), environment: {} }, {}, file);
    const { code, text } = await terminal.ended;
    expect([code, plain(text)]).toEqual([expected, expect.stringMatching(words)]);
    expect(plain(text)).not.toContain("What do you want to do");
  });

  it("leaves nothing after Ctrl-C at a question", async () => {
    const sites = await twoSites();
    const terminal = init(sites);
    await answer(terminal, [...uptoCheck(sites).slice(0, 3), [/To which site/, CTRL_C]]);
    const { code, text } = await terminal.ended;
    expect([code, plain(text)]).toEqual([130, expect.stringContaining("Nothing was written.")]);
    expect(await readdir(sites.directory)).toEqual(["home"]);
  });
});

describe("guideferry init without a terminal", () => {
  it("ends with 2 and says what to write by hand", async () => {
    const directory = await temporaryFolder();
    const { code, stderr } = await runCli(["init"], { directory });
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/needs a terminal\. Without one, write .*guideferry\.config\.json by hand/),
    ]);
    expect(await readdir(directory)).toEqual([]);
  });
});
