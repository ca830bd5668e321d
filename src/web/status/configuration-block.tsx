import type { VNode } from "preact";
import { Block, Table } from "../frame/parts.tsx";
import { counted, cut, shown } from "../frame/text.ts";
import type { ShownSetting } from "./service-status.ts";

const VALUE_CHARACTERS_MAX = 300;
const MEMBERS_SHOWN = 12;
/** Of one section; a page stays small whatever the file holds. */
const ROWS_SHOWN = 60;

/** Shows every key of the configuration in force by section: first what was changed, the rest folded. */
export function ConfigurationBlock({ settings }: { settings: readonly ShownSetting[] }): VNode {
  const changed = settings.filter(({ isChanged }) => isChanged).length;
  return (
    <Block id="configuration" title="Configuration in force">
      <p class="soft small">
        {changed === 0 ? "Everything is as by default." : `${counted(changed, "key")} changed.`}{" "}
        Secrets are not shown; <code>{"${NAME}"}</code> stands for a variable of the environment.
      </p>
      {[...bySection(settings)].map(([section, rows]) => (
        <Section key={section} section={section} rows={rows} />
      ))}
    </Block>
  );
}

function bySection(settings: readonly ShownSetting[]): ReadonlyMap<string, ShownSetting[]> {
  const sections = new Map<string, ShownSetting[]>();
  for (const setting of settings) {
    const name = /^\w+/u.exec(setting.path)?.[0] ?? "";
    const rows = sections.get(name) ?? [];
    sections.set(name, rows);
    rows.push(setting);
  }
  return sections;
}

function Section(props: { section: string; rows: readonly ShownSetting[] }): VNode {
  const { section, rows } = props;
  const changed = rows.filter(({ isChanged }) => isChanged);
  const rest = rows.filter(({ isChanged }) => !isChanged);
  return (
    <>
      <h3>
        <code>{section}</code>
        {changed.length === 0 ? <span class="soft small"> as by default</span> : null}
      </h3>
      {changed.length === 0 ? null : (
        <Rows label={`Changed keys of ${section}`} rows={changed} note="changed" />
      )}
      {rest.length === 0 ? null : (
        <details>
          <summary>{counted(rest.length, "key")} as by default</summary>
          <Rows label={`Other keys of ${section}`} rows={rest} note="default" />
        </details>
      )}
    </>
  );
}

function Rows(props: { label: string; rows: readonly ShownSetting[]; note: string }): VNode {
  const { label, rows, note } = props;
  const more = rows.length - ROWS_SHOWN;
  return (
    <>
      <Table label={label} head={[{ name: "Key" }, { name: "Value" }, { name: "" }]}>
        {rows.slice(0, ROWS_SHOWN).map(({ path, value }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
            </th>
            <td>
              <Value value={value} />
            </td>
            <td class="soft">{note}</td>
          </tr>
        ))}
      </Table>
      {more > 0 ? <p class="soft small">{counted(more, "more key")} in the JSON.</p> : null}
    </>
  );
}

function Value({ value }: { value: ShownSetting["value"] }): VNode {
  if (value === null) return <span class="soft">not set</span>;
  if (typeof value === "string") {
    return value === "" ? <span class="soft">empty</span> : <Long text={value} />;
  }
  if (value.length === 0) return <span class="soft">empty list</span>;
  const more = value.length - MEMBERS_SHOWN;
  return (
    <ul class="plain">
      {value.slice(0, MEMBERS_SHOWN).map((member, index) => (
        <li key={index}>
          <Long text={member} />
        </li>
      ))}
      {more > 0 ? <li class="soft">{counted(more, "more entry", "more entries")}</li> : null}
    </ul>
  );
}

function Long({ text }: { text: string }): VNode {
  return <code>{shown(cut(text, VALUE_CHARACTERS_MAX))}</code>;
}
