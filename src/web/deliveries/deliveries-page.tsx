import type { RequestHandler } from "express";
import type { VNode } from "preact";
import { useContext } from "preact/hooks";
import type { DeadLetter } from "../../enrich/delivery-ports.ts";
import { pageHandler } from "../frame/page.ts";
import type { PageKit } from "../frame/page.ts";
import { Around, Code, Empty, Link, When } from "../frame/parts.tsx";
import { counted, cut, shown } from "../frame/text.ts";
import { LISTED_MAX, sendAgain } from "./deliveries.ts";
import type { ResendOptions } from "./deliveries.ts";

const SHOWN_MAX = 100;

/** `GET /deliveries`: what was given up, with a button to send it again. */
export function getDeliveriesPage(kit: PageKit, { deliveries }: ResendOptions): RequestHandler {
  return pageHandler(kit, async ({ query }) => {
    const letters = await deliveries.deadLetters(LISTED_MAX);
    return {
      title: "Dead letters",
      section: "Deliveries",
      body: <DeliveriesPage letters={letters} result={query.get("result") ?? ""} />,
    };
  });
}

/** `POST /deliveries/:id/resend`: what the button does; leads back to the list, which says how it went. */
export function postResendForm(options: ResendOptions): RequestHandler {
  return async (request, response) => {
    const isSent = await sendAgain(options, String(request.params["id"]));
    // Relative, for a proxy may serve the pages under a prefix.
    response.setHeader("Location", `../../deliveries?result=${isSent ? "due" : "gone"}`);
    response.status(303).end();
  };
}

function DeliveriesPage(props: { letters: readonly DeadLetter[]; result: string }): VNode {
  const { letters, result } = props;
  const more = letters.length - SHOWN_MAX;
  return (
    <>
      <h1>Dead letters</h1>
      <p class="soft">
        Notifications that a destination did not take, and that are not tried any more.
      </p>
      <Result result={result} />
      {letters.length === 0 ? (
        <Empty title="There are no dead letters.">
          Every notification was taken or is still being tried;{" "}
          <Link to="">the overview says how many wait</Link>.
        </Empty>
      ) : (
        <ul class="rows" aria-label="Dead letters">
          {letters.slice(0, SHOWN_MAX).map((letter) => (
            <Letter key={letter.id} letter={letter} />
          ))}
        </ul>
      )}
      {more > 0 ? <p class="soft">{counted(more, "older one")} not shown.</p> : null}
    </>
  );
}

function Result({ result }: { result: string }): VNode | null {
  if (result === "due") {
    return (
      <p class="notice" role="status">
        ✓ It is on its way again. If it fails it comes back here.
      </p>
    );
  }
  if (result !== "gone") return null;
  return (
    <p class="fault" role="status">
      ✕ Not sent: it is gone, or a newer notification of its group is on its way.
    </p>
  );
}

function Letter({ letter }: { letter: DeadLetter }): VNode {
  const { id, destination, groupKey, receiver, reason, attempts, createdMs } = letter;
  return (
    <li>
      <div class="row-main">
        <strong>{shown(cut(destination, 80))}</strong>{" "}
        <span class="soft">receiver {shown(cut(receiver, 80))}</span>
        <div>
          <Code text={cut(groupKey, 300)} />
        </div>
      </div>
      <div class="row-class">
        {reason === "" ? "No reason is known." : shown(cut(reason, 300))}
        <div class="soft small">after {counted(attempts, "try", "tries")}</div>
      </div>
      <div class="row-when">
        <When ms={createdMs} />
      </div>
      <ResendForm id={id} name={`${destination}, ${groupKey}`} />
    </li>
  );
}

function ResendForm({ id, name }: { id: string; name: string }): VNode {
  const { root } = useContext(Around);
  return (
    <form method="post" action={`${root}deliveries/${encodeURIComponent(id)}/resend`}>
      <button type="submit" aria-label={`Send again: ${shown(cut(name, 160))}`}>
        Send again
      </button>
    </form>
  );
}
