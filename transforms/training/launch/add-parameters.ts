/**
 * An address with an item's parameters, by the rule of SCORM 2004 CAM (4.3.2.1.1): leading `?` and `&` go, a fragment counts where the
 * address has none, all else is joined with `?` or `&`, before the address' own fragment.
 */
export function addParameters(address: string, parameters: string): string {
  const bare = parameters.trim().replace(/^[?&]+/, "");
  if (bare === "") return address;
  const [, path = "", fragment = ""] = /^([^#]*)(#[\s\S]*)?$/.exec(address) ?? [];
  if (bare.startsWith("#")) return fragment === "" ? address + bare : address;
  return `${path}${path.includes("?") ? "&" : "?"}${bare}${fragment}`;
}
