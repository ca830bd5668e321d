import type { VNode } from "preact";
import { Block, Link } from "../frame/parts.tsx";

/** Shows what fires now, and how the service is. */
export function OverviewPage(): VNode {
  return (
    <>
      <h1>Overview</h1>
      <Block id="service" title="Service">
        <ul>
          <li>
            <Link to="status">Status</Link>
          </li>
          <li>
            <Link to="metrics">Metrics</Link>
          </li>
          <li>
            <Link to="-/healthy">Health</Link>
          </li>
          <li>
            <Link to="-/ready">Readiness</Link>
          </li>
        </ul>
        <p>
          Alertmanager posts to <code>/webhook</code>.
        </p>
      </Block>
    </>
  );
}
