import { expect, it } from "vitest";
import { address } from "../../../transforms/omanual/values.js";

it.each([["https://e.org:8443/a?b#c"], ["https://weaver@e.org/a"], ["mailto:weaver@e.org"], ["parts/reed.html"]])(
  "writes the address %s as it is",
  (text) => {
    expect(address(text)).toBe(text);
  },
);

// Valid by RFC 3986 or by browsers, and refused as anyURI by libxml2 2.9.
it.each([["https://e.org:/a"], ["http://e.orghttps://e.org/a"], ["http://a@b@e.org/"], ["//e.org:x/a"]])(
  "does not write the address %s",
  (text) => {
    expect(address(text)).toBeNull();
  },
);
