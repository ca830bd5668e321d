/** Fingerprints of the members of a body, by their status. */
export interface Members {
  readonly firing: readonly string[];
  readonly resolved: readonly string[];
}

/** The last body that a destination took. */
export interface LastSuccess extends Members {
  readonly sentMs: number;
}

/** A body that was not taken yet. */
export interface Unsent extends Members {
  /** Whether it may have been taken although no success was recorded. */
  readonly maybeTaken: boolean;
}

/**
 * Whether a body says something that the last one did not: a member newly fires or newly resolves,
 * or so much time has passed that it is a repeat and no copy of a peer.
 *
 * Without a success before, everything is news; a resolve of a firing that never came here was
 * announced by somebody else.
 */
export function isNews(
  last: LastSuccess | undefined,
  body: Members,
  { nowMs, copyWindowMs }: { nowMs: number; copyWindowMs: number },
): boolean {
  if (last === undefined) return true;
  if (nowMs - last.sentMs >= copyWindowMs) return true;
  const { firing, resolved } = newMembers(last, body);
  return firing.length > 0 || resolved.length > 0;
}

/** The members of a body that newly fire or newly resolve. */
export function newMembers(last: Members | undefined, body: Members): Members {
  const known = { firing: new Set(last?.firing), resolved: new Set(last?.resolved) };
  return {
    firing: body.firing.filter((fingerprint) => !known.firing.has(fingerprint)),
    resolved: body.resolved.filter((fingerprint) => !known.resolved.has(fingerprint)),
  };
}

/**
 * The members of an unsent body that its successor lacks and that would be lost with it: their sender
 * counts them as told. A peer that has not seen a member yet sends a body without it, and a resolved
 * member leaves the group for good.
 */
export function membersToCarry(
  last: LastSuccess | undefined,
  unsent: Members,
  successor: Members,
): ReadonlySet<string> {
  const present = new Set([...successor.firing, ...successor.resolved]);
  const { firing, resolved } = newMembers(last, unsent);
  return new Set([...firing, ...resolved].filter((fingerprint) => !present.has(fingerprint)));
}

/**
 * Whether all members of a body are resolved and fired only while nothing could be sent: then nobody
 * knows of them and nobody needs to.
 */
export function isNeverSeen(
  last: LastSuccess | undefined,
  unsent: Unsent,
  successor: Members,
): boolean {
  if (unsent.maybeTaken || successor.firing.length > 0) return false;
  const told = new Set(last?.firing);
  const untold = new Set(unsent.firing.filter((fingerprint) => !told.has(fingerprint)));
  return successor.resolved.every((fingerprint) => untold.has(fingerprint));
}
