import type { Child } from "hono/jsx";
import type { JSX } from "hono/jsx/jsx-runtime";
import { Icon, type IconName } from "../../components/icon.js";

export interface Fact {
  readonly name: string;
  readonly icon: IconName;
  readonly value: Child;
}

/** A few things to know, each with its name. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): JSX.Element | null {
  if (facts.length === 0) return null;
  return (
    <dl class="facts">
      {facts.map(({ name, icon, value }) => (
        <div>
          <dt>
            <Icon name={icon} />
            {name}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
