import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TestTagDefinition } from "@vitest/runner";

/**
 * Something outside of the checkout that some tests need: a test carries its name as a tag, and is
 * skipped without it.
 */
interface Need {
  readonly name: string;
  readonly isHere: boolean;
  /** How somebody who reads `N skipped` gets it. */
  readonly remedy: string;
}

/** Where the programs of Debian, Fedora and macOS put Chromium. */
const CHROMIUM_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/** The browser that tests start; undefined where there is none. `CHROMIUM` names another. */
export const CHROMIUM: string | undefined = [process.env["CHROMIUM"] ?? "", ...CHROMIUM_PLACES].find(
  (place) => place !== "" && existsSync(place),
);

/**
 * The specification and the real data, which lie beside a maintainer's checkout and are not
 * published.
 */
export const SHARED = join(import.meta.dirname, "../../../shared");

const NEEDS: readonly Need[] = [
  {
    name: "shared",
    isHere: existsSync(SHARED),
    remedy: "the maintainers' folder ../shared beside the checkout (not published)",
  },
  { name: "chromium", isHere: CHROMIUM !== undefined, remedy: "apt-get install chromium, or CHROMIUM=/path/of/it" },
  program("xmllint", ["--version"], "apt-get install libxml2-utils"),
  program("unzip", ["-v"], "apt-get install unzip"),
  program("age", ["--version"], "apt-get install age"),
  program("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode(0)"], "apt-get install python3 (3.9 or newer)"),
  program("bash", ["--version"], "apt-get install bash"),
  program("zsh", ["--version"], "apt-get install zsh"),
  program("fish", ["--version"], "apt-get install fish"),
  program("groff", ["--version"], "apt-get install groff"),
  program("nginx", ["-v"], "apt-get install nginx"),
  {
    // They take minutes.
    name: "radosgw",
    isHere: process.env["OBJECT_STORAGE"] !== undefined && spawnSync("radosgw", ["--version"]).status === 0,
    remedy: "OBJECT_STORAGE=true, and apt-get install ceph-mon ceph-osd radosgw (an S3 server, on Linux)",
  },
  program("postgres", ["--version"], "apt-get install postgresql (its folder of programs in PATH)"),
  program("sha256sum", ["--version"], "apt-get install coreutils"),
  program(
    "unshare",
    ["-rm", "true"],
    "Linux that lets users make namespaces (sysctl kernel.unprivileged_userns_clone=1)",
  ),
  {
    name: "mount",
    isHere: spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"], { stdio: "ignore" }).status === 0,
    remedy: "Linux as root, to mount small disks",
  },
  {
    name: "network-namespace",
    isHere: spawnSync("unshare", ["-rn", "ip", "link", "set", "lo", "up"], { stdio: "ignore" }).status === 0,
    remedy: "Linux that lets users make namespaces, and apt-get install iproute2",
  },
  {
    name: "open-checkout",
    isHere: isReadableByOthers(import.meta.dirname),
    remedy: "a checkout in a folder that other users may enter (chmod o+x)",
  },
  { name: "not-root", isHere: process.getuid?.() !== 0, remedy: "a user other than root" },
  { name: "linux", isHere: process.platform === "linux", remedy: "Linux" },
];

/**
 * What vitest knows as tags: `npx vitest run --tags-filter=shared` runs the tests that need the
 * shared folder, and no other.
 */
export const TAGS: TestTagDefinition[] = NEEDS.map(({ name, isHere, remedy }) => ({
  name,
  description: remedy,
  ...(!isHere && { skip: true }),
}));

/**
 * What a skipped test lacks, one line each, by its tags.
 *
 * @param tags of the test
 */
export function lacking(tags: readonly string[]): readonly string[] {
  return NEEDS.filter(({ name, isHere }) => !isHere && tags.includes(name)).map(
    ({ name, remedy }) => `${name} (${remedy})`,
  );
}

/**
 * May every user enter the folder and those above it? A test that runs the program as another user
 * needs that.
 */
function isReadableByOthers(folder: string): boolean {
  const parent = dirname(folder);
  return (statSync(folder).mode & 0o001) !== 0 && (parent === folder || isReadableByOthers(parent));
}

function program(name: string, words: readonly string[], remedy: string): Need {
  return { name, isHere: spawnSync(name, words, { stdio: "ignore" }).status === 0, remedy };
}
