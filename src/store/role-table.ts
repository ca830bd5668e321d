import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Role, Roles } from "../enrich/ports.ts";
import type { Database } from "./database.ts";

/** Creates the claims of one process, which is told apart from others by a name made up here. */
export function createRoles(db: Database): Roles {
  const owner = randomUUID();
  return {
    holdRole: (role, nowMs, leaseMs) => holdRole(db, { role, owner, nowMs, leaseMs }),
    async leaveRole(role) {
      await db.write((tx) =>
        tx.deleteFrom("role_claims").where("role", "=", role).where("owner", "=", owner).execute(),
      );
    },
  };
}

/** One statement, so that of two replicas that come together one finds the other's claim. */
async function holdRole(
  db: Database,
  claim: {
    readonly role: Role;
    readonly owner: string;
    readonly nowMs: number;
    readonly leaseMs: number;
  },
): Promise<boolean> {
  const { role, owner, nowMs, leaseMs } = claim;
  return db.write(async (tx) => {
    const { rows } = await sql<{ role: string }>`insert into role_claims (role, owner, until_ms)
      values (${role}, ${owner}, ${nowMs + leaseMs})
      on conflict (role) do update set owner = excluded.owner, until_ms = excluded.until_ms
        where role_claims.owner = excluded.owner or role_claims.until_ms <= ${nowMs}
      returning role`.execute(tx);
    return rows.length > 0;
  });
}
