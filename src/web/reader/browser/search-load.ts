/**
 * `name`: without `.js`. `version`: see `SegmentFacts`, or anything that makes the address new.
 * Rejects where there is no such file.
 */
type LoadSearchFile = (name: string, version: string) => Promise<string>;

const receivedSearchFiles = new Map<string, string>();

/** Files of the index call this on pages from a disk, which may load scripts only. */
function searchFile(name: string, json: string): void {
  receivedSearchFiles.set(name, json);
}

/** The JSON of a file of the index; see `src/web/reader/search/search-index.ts`. */
function searchFileIn(script: string): string {
  return script.slice(script.indexOf("'") + 1, script.lastIndexOf("'")).replace(/\\([\\'])/g, "$1");
}

/** `root`: the path from the page to the root of the snapshot. */
function createSearchLoad(root: string): LoadSearchFile {
  function address(name: string, version: string): string {
    return `${root}search/${name}.js?${version}`;
  }

  async function fetched(name: string, version: string): Promise<string> {
    const response = await fetch(address(name, version));
    if (!response.ok) throw new Error(`${name} cannot be loaded: ${response.status}`);
    return searchFileIn(await response.text());
  }

  function run(name: string, version: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = address(name, version);
      script.addEventListener("load", () => {
        script.remove();
        const json = receivedSearchFiles.get(name);
        receivedSearchFiles.delete(name);
        if (json === undefined) reject(new Error(`${name} is not part of the index`));
        else resolve(json);
      });
      script.addEventListener("error", () => {
        script.remove();
        reject(new Error(`${name} cannot be loaded`));
      });
      document.head.append(script);
    });
  }

  return location.protocol === "file:" ? run : fetched;
}
