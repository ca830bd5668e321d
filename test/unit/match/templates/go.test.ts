import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["read %s: %w", "read ‹any›: ‹any›"],
  ["%v %+v %#v %#+v", "‹any› ‹any› ‹debug› ‹debug›"],
  ["type %T", "type ‹any›"],
  ["name %q, raw %#q, ascii %+q", "name ‹quoted›, raw ‹quoted›, ascii ‹quoted›"],
  ["%d of %5d, %-5d, %05d, %+d", "‹integer› of ‹integer›, ‹integer›, ‹integer›, ‹integer›"],
  ["took %.2f of %6.2f or %f", "took ‹number› of ‹number› or ‹number›"],
  ["%e %E %g %G %F", "‹number› ‹number› ‹number› ‹number› ‹number›"],
  ["magic %x %X %#x %016x %0x", "magic ‹hex› ‹hex› ‹hex› ‹hex› ‹hex›"],
  ["bytes % x", "bytes ‹any›"],
  ["mode %o %b 0b%b", "mode ‹integer› ‹integer› 0b‹integer›"],
  ["mode %#o %O %#b", "mode ‹any› ‹any› ‹any›"],
  ["column %p", "column ‹pointer›"],
  ["char %c, %U, %#U", "char ‹char›, ‹any›, ‹any›"],
  ["enabled: %t", "enabled: ‹bool›"],
  ["%-8s|%8s|%.50s|%-8.3s", "‹any›|‹any›|‹any›|‹any›"],
  ["%*d and %-*s and %.*f", "‹integer› and ‹any› and ‹number›"],
  ["%[1]s is %[1]T", "‹any› is ‹any›"],
  ["%[2]*[1]d, %[3]*.[2]*[1]f", "‹integer›, ‹number›"],
  ["%[2]*d", "‹integer›"],
  ["%-[1]s and %[2]q", "‹any› and ‹quoted›"],
  ["disk %d%% full", "disk ‹integer›% full"],
  ["at 100%% now", "at 100% now"],
  ["%%s is no verb", "%s is no verb"],
  ["%s%s%d", "‹any›‹any›‹integer›"],
  ["%!d is broken", "%!d is broken"],
  ["ends with %", "ends with %"],
  ["ends with %5.", "ends with %5."],
  ["%[a]s and %[]d", "%[a]s and %[]d"],
  ["100% sure", "100% sure"],
  ["100% done with 5% data", "100% done with 5% data"],
  ["%dms after %ds", "‹integer›ms after ‹integer›s"],
  ["wrong verb %u", "wrong verb ‹any›"],
  ["bad mapping {uid: %d}", "bad mapping {uid: ‹integer›}"],
  ["resolve ${SELECTOR} in {num}: %w", "resolve ${SELECTOR} in {num}: ‹any›"],
  ["see https://x/y?a=%2Fb%3Ec", "see https://x/y?a=%2Fb%3Ec"],
  ["layout %Y-%m-%d is wrong", "layout %Y-%m-%d is wrong"],
  ['open " + path + ": denied', "open ‹any›: denied"],
  ['"open " + path', "open ‹any›"],
  ["%s\n\t%v", "‹any›\n\t‹any›"],
  ["größe %d ü", "größe ‹integer› ü"],
];

describe("parseTemplate of Go", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "go")).toBe(shown);
  });
});
