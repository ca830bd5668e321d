import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { ICON_PATH, STYLE_PATH } from "./assets.ts";
import { Around, Empty, Link } from "./parts.tsx";
import type { Surroundings } from "./parts.tsx";
import type { PageView } from "./page-view.ts";
import { SECTIONS } from "./sections.ts";
import { shown } from "./text.ts";

const NOT_FOUND: PageView = {
  title: "Not found",
  section: undefined,
  status: 404,
  body: (
    <>
      <h1>Not found</h1>
      <Empty title="There is nothing here (any more).">
        Episodes and dead letters are removed after the retention time, records when a reload drops
        them. <Link to="">Go to the overview.</Link>
      </Empty>
    </>
  ),
};

/** Renders a whole page, the page "not found" when there is nothing to show. */
export function renderDocument(
  view: PageView | undefined,
  around: Surroundings & { readonly version: string },
): string {
  const page = <Document view={view ?? NOT_FOUND} around={around} />;
  return `<!DOCTYPE html>\n${renderToString(page)}\n`;
}

function Document(props: {
  view: PageView;
  around: Surroundings & { readonly version: string };
}): VNode {
  const { view, around } = props;
  return (
    <Around.Provider value={around}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>{`${shown(view.title)} · Alertlore`}</title>
          <link rel="stylesheet" href={around.root + STYLE_PATH} />
          <link rel="icon" type="image/svg+xml" href={around.root + ICON_PATH} />
        </head>
        <body>
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <header class="top">
            <Link to="" class="brand">
              Alertlore
            </Link>
            <Navigation current={view.section} />
          </header>
          <main id="main" tabIndex={-1}>
            {view.body}
          </main>
          <footer class="foot soft">Alertlore {around.version}</footer>
        </body>
      </html>
    </Around.Provider>
  );
}

function Navigation(props: { current: PageView["section"] }): VNode {
  return (
    <nav aria-label="Pages">
      <ul>
        {SECTIONS.map(({ path, name }) => (
          <li key={name}>
            <Link to={path} current={name === props.current}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
