// `npm run release:check -- v1.2.3`: is everything ready to publish the version of this tag? Prints the changes of the version, for
// the notes of the release, or what is missing, and ends with 1.
import { readFileSync } from "node:fs";

const tag = process.argv[2] ?? "";
const { version, repository } = JSON.parse(readFileSync("package.json", "utf8"));
const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const [heading, changes] = sectionOf(version);
const faults = [
  tag !== `v${version}` &&
    `The tag is "${tag}", but package.json has version ${version}. Run \`npm version\` and push the tag that it creates.`,
  lock.version !== version &&
    `package-lock.json has version ${lock.version}, package.json ${version}. Run \`npm install\` and commit both.`,
  !/^## \S+ - \d{4}-\d\d-\d\d$/.test(heading) &&
    `CHANGELOG.md has no heading "## ${version} - YYYY-MM-DD". Rename "## Unreleased", and commit it before the tag.`,
  heading !== "" && changes === "" && `CHANGELOG.md says nothing about ${version}.`,
  isElsewhere(process.env.GITHUB_REPOSITORY) &&
    `package.json names the repository ${repository.url}, but this is ${process.env.GITHUB_REPOSITORY}. npm refuses the provenance of ` +
      "another repository. Correct repository, homepage and bugs.",
].filter((fault) => fault !== false);

console.log(faults.length === 0 ? changes : faults.join("\n"));
process.exitCode = faults.length === 0 ? 0 : 1;

/** The heading of a version and the text below it; empty when there is none. */
function sectionOf(wanted) {
  const sections = readFileSync("CHANGELOG.md", "utf8").split(/^(?=## )/m);
  const section = sections.find((text) => text.startsWith(`## ${wanted} `) || text.startsWith(`## ${wanted}\n`)) ?? "";
  const [first, ...rest] = section.split("\n");
  return [first.trimEnd(), rest.join("\n").trim()];
}

/** @param name `owner/name` of the repository that runs the workflow; undefined outside of one */
function isElsewhere(name) {
  return name !== undefined && !repository.url.replace(/\.git$/, "").endsWith(`/${name}`);
}
