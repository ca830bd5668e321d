import { createContext } from "preact";
import type { ComponentChildren, VNode } from "preact";
import { useContext } from "preact/hooks";
import { cut, shown } from "./text.ts";
import { absoluteWords, isoTime, relativeWords } from "./time-words.ts";

/** What the parts of a page know without being told. */
export interface Surroundings {
  /** Relative way to where the service is mounted; ends in `/`. */
  readonly root: string;
  readonly nowMs: number;
}

/** Set by the frame. */
export const Around = createContext<Surroundings>({ root: "./", nowMs: 0 });

/** A link within Alertlore; `to` has no leading slash, e.g. `episodes?class=x`. */
export function Link(props: {
  to: string;
  class?: string;
  current?: boolean;
  children: ComponentChildren;
}): VNode {
  const { root } = useContext(Around);
  return (
    <a
      href={root + props.to}
      class={props.class}
      aria-current={props.current === true ? "page" : undefined}
    >
      {props.children}
    </a>
  );
}

/** A link to somewhere else; what is no `http:` or `https:` URL is shown as text. */
export function OutLink(props: { href: string; children: ComponentChildren }): VNode {
  if (!isWebUrl(props.href)) return <span>{props.children}</span>;
  return (
    <a href={props.href} rel="noopener noreferrer">
      {props.children}
    </a>
  );
}

/** Whether a browser may follow it: no `javascript:`, no credentials, nothing that is no URL. */
export function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/** A time: how long ago, with the absolute time beside it. */
export function When(props: { ms: number }): VNode {
  const { nowMs } = useContext(Around);
  const absolute = absoluteWords(props.ms);
  if (absolute === "") return <span class="soft">unknown</span>;
  return (
    <time class="when" dateTime={isoTime(props.ms)}>
      <span class="ago">{relativeWords(props.ms, nowMs)}</span> <span class="soft">{absolute}</span>
    </time>
  );
}

/** What stands where there is nothing: what that means, and what to do next. */
export function Empty(props: { title: string; children: ComponentChildren }): VNode {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      <p>{props.children}</p>
    </div>
  );
}

/** A part of a page under a heading of the second level, which a link can name by `id`. */
export function Block(props: {
  id: string;
  title: string;
  aside?: ComponentChildren;
  children: ComponentChildren;
}): VNode {
  return (
    <section class="block" aria-labelledby={props.id}>
      <div class="block-head">
        <h2 id={props.id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

/** A table that scrolls by itself when it is wider than the page, also by keyboard. */
export function Table(props: {
  label: string;
  head: readonly { name: string; numeric?: boolean }[];
  children: ComponentChildren;
}): VNode {
  return (
    <div class="table" role="region" aria-label={props.label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {props.head.map(({ name, numeric }) => (
              <th key={name} scope="col" class={numeric === true ? "number" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** Prose from outside: what stands between backticks is shown as code, all else as it is. */
export function Prose({ text }: { text: string }): VNode {
  const parts = shown(text).split(/`([^`\n]{1,400})`/u);
  return (
    <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
  );
}

/** Text from outside in the type of code, controls made visible. */
export function Code(props: { text: string; class?: string }): VNode {
  return <code class={props.class}>{shown(props.text)}</code>;
}

/** A box that says what of a question was not understood, fault by fault. */
export function Faults(props: {
  title: string;
  faults: readonly { readonly field: string; readonly message: string }[];
}): VNode {
  return (
    <div class="fault" role="alert">
      <p>{props.title}</p>
      <ul>
        {props.faults.map(({ field, message }) => (
          <li key={field}>
            <strong>{shown(cut(field, 80))}</strong> {message}
          </li>
        ))}
      </ul>
    </div>
  );
}
