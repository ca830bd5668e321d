import { describe, expect, it } from "vitest";
import { findHazard } from "../../../src/recommend/find-hazard.ts";
import { buildRecord } from "../../support/advice-builders.ts";

describe("findHazard", () => {
  it.each([
    [{ backgroundTag: "disk-full" }, "disk"],
    [{ tags: ["postgres", "disk"] }, "disk"],
    [{ httpStatus: 507 }, "disk"],
    [{ errorMessage: 'could not extend file "%s": %m' }, "disk"],
    [{ errorMessage: "etcdserver: mvcc: database space exceeded" }, "disk"],
    [{ backgroundTag: "storage-quota-exceeded" }, "quota"],
    [{ errorClass: "ResourceExhausted" }, "quota"],
    [
      { errorMessage: "Not enough memory to run this query, batch memory limit is {0} bytes" },
      "memory",
    ],
    [{ errorClass: "OutOfMemoryError" }, "memory"],
    [{ tags: ["oom"] }, "memory"],
    [{ backgroundTag: "permission-denied" }, "authentication"],
    [{ errorClass: "AccessDeniedException" }, "authentication"],
    [{ errorCode: "SignatureDoesNotMatch" }, "authentication"],
    [{ httpStatus: 401 }, "authentication"],
    [{ errorMessage: 'password authentication failed for user "%s"' }, "authentication"],
    [{ errorMessage: "Checksum mismatch: expected {expected}, found: {found}" }, "corruption"],
    [{ tags: ["data-corruption"] }, "corruption"],
    [{ errorMessage: "index file is corrupted" }, "corruption"],
    [{ errorMessage: "duplicate key value violates unique constraint" }, "non-idempotent-write"],
    [{ tags: ["non-idempotent"] }, "non-idempotent-write"],
    [{ errorMessage: "transaction result is undetermined" }, "non-idempotent-write"],
  ])("%j is about %s", (changes, name) => {
    expect(findHazard(buildRecord(changes), [])?.name).toBe(name);
  });

  it.each([
    ["No space left on device (os error 28)", "disk"],
    ["PermissionDenied (persistent) at read, context: { uri: x }", "authentication"],
    ["read-only file system", "disk"],
    ["rpc error: code = ResourceExhausted desc = q", "quota"],
    ["http status 403", "authentication"],
    ["java.lang.OutOfMemoryError: Java heap space", "memory"],
  ])("finds it in the text that was printed: %s", (printed, name) => {
    expect(findHazard(buildRecord(), ["x", printed])?.name).toBe(name);
  });

  it.each([
    "Timeout error: Retry attempts exhausted for read_obj, last error: Unexpected (temporary)",
    "connection refused",
    "diskette labels are unauthorizedly long",
    "no space",
    "",
  ])("finds nothing in %j", (printed) => {
    expect(findHazard(buildRecord(), [printed])).toBeUndefined();
  });

  it("does not put a phrase together from two texts", () => {
    expect(findHazard(buildRecord(), ["no space", "left"])).toBeUndefined();
  });
});
