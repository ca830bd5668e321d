import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

type Row = readonly [message: string, shown: string];

const printf: readonly Row[] = [
  ["open %s: %s", "open ‹any›: ‹any›"],
  ["%d %i %u %o", "‹integer› ‹integer› ‹integer› ‹integer›"],
  ["%ld %lld %lu %llu %hd %hhu", "‹integer› ‹integer› ‹integer› ‹integer› ‹integer› ‹integer›"],
  ["%zu %zd %jd %td %qd %Lf", "‹integer› ‹integer› ‹integer› ‹integer› ‹integer› ‹number›"],
  ["%x %X %llx %08lx %#x", "‹hex› ‹hex› ‹hex› ‹hex› ‹hex›"],
  ["%I64d and %I64x", "‹integer› and ‹hex›"],
  ["%p", "‹pointer›"],
  ["%c or '%c'", "‹char› or '‹char›'"],
  ["%f %5.1f %e %g %a %.3G", "‹number› ‹number› ‹number› ‹number› ‹number› ‹number›"],
  ["%.*s and %*d and %-*.*s", "‹any› and ‹integer› and ‹any›"],
  ["%.40s %-10s %128s", "‹any› ‹any› ‹any›"],
  ['could not write "%s": %m', 'could not write "‹any›": ‹any›'],
  ["%2$s before %1$d, %1$*2$d", "‹any› before ‹integer›, ‹integer›"],
  ["%'d records", "‹integer› records"],
  ["%ls and %S and %lc", "‹any› and ‹any› and ‹char›"],
  ["%d%% of %%", "‹integer›% of %"],
  ["read%n", "read"],
  ["%U and %I", "‹integer› and ‹integer›"],
  ["100% full, ends %", "100% full, ends %"],
  ["100% done", "100% done"],
  ["% d degrees", "‹integer› degrees"],
  ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S"],
  ["%s: %m", "‹any›: ‹any›"],
  ["%pI4 and %pe", "‹any› and ‹any›"],
  ["[%s]{%d}", "[‹any›]{‹integer›}"],
  ["{} and {name} stay", "{} and {name} stay"],
  ["%y %k", "%y %k"],
];

const macros: readonly Row[] = [
  ['read %" PRIu64 " bytes', "read ‹integer› bytes"],
  ['read %"PRIu64" of %"PRId32"', "read ‹integer› of ‹integer›"],
  ["read %PRIu64 bytes", "read ‹integer› bytes"],
  ['at 0x%016" PRIx64 "!', "at 0x‹hex›!"],
  ['offset %" PRId64', "offset ‹integer›"],
  ['%" PRIuPTR " and %" PRIXMAX', "‹integer› and ‹hex›"],
  ['%" G_GSIZE_FORMAT " bytes', "‹any› bytes"],
  ['block " UINT64_FORMAT " is bad', "block ‹any› is bad"],
  ['%" lower " case', '%" lower " case'],
];

const cplusplus: readonly Row[] = [
  ['open " << path << ": " << strerror(errno) << "', "open ‹any›: ‹any›"],
  ['open " << path', "open ‹any›"],
  ['"size " << v.size() << " bytes"', "size ‹any› bytes"],
  ["part {} of {}", "part ‹any› of ‹any›"],
  ["{:d} {:#x} {:.2f} {:>8} {:?}", "‹integer› ‹hex› ‹number› ‹any› ‹debug›"],
  ["{0:{1}} and {name}", "‹any› and ‹any›"],
  ["{{literal}} and {}", "{literal} and ‹any›"],
  ["std::map{{1, 2}}", "std::map{{1, 2}}"],
  ["expected {, got %s", "expected {, got ‹any›"],
  ["struct { int a; }", "struct { int a; }"],
];

describe("parseTemplate of C and C++", () => {
  it.each(printf)("reads printf %j as %j", (message, shown) => {
    expect(showMessage(message, "c")).toBe(shown);
  });

  it.each(macros)("reads macros %j as %j", (message, shown) => {
    expect(showMessage(message, "h")).toBe(shown);
  });

  it.each(cplusplus)("reads C++ %j as %j", (message, shown) => {
    expect(showMessage(message, "cpp")).toBe(shown);
  });
});
