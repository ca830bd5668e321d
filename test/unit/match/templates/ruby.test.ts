import { describe, expect, it } from "vitest";
import { showMessage } from "../../../support/show-template.ts";

const rows: readonly (readonly [message: string, shown: string])[] = [
  ["undefined method #{name} for #{obj.inspect}", "undefined method ‹any› for ‹any›"],
  ["#{a}#{b}", "‹any›‹any›"],
  ['#{h[:a]} and #{h["}"]}', "‹any› and ‹any›"],
  ["#{list.map { |x| x.id }.join(', ')}.", "‹any›."],
  ["#{@name} or #@name or #$0", "‹any› or ‹any› or #$0"],
  ["issue #5 and # and #{}", "issue #5 and # and #{}"],
  ["cut #{names.map", "cut ‹any›"],
  ["wrong size %<n>d for %{what}", "wrong size ‹integer› for ‹any›"],
  ["%<x>.2f and %-10<y>s and %<z>05d", "‹number› and ‹any› and ‹integer›"],
  ["%s %d %p %x %f", "‹any› ‹integer› ‹debug› ‹hex› ‹number›"],
  ["%-10s|%05d|%+d|%.3e", "‹any›|‹integer›|‹integer›|‹number›"],
  ["%c %b %o %i %u %g", "‹char› ‹integer› ‹integer› ‹integer› ‹integer› ‹number›"],
  ["%{count}%% of %{total}", "‹any›% of ‹any›"],
  ["#{pct}% full", "‹any›% full"],
  ["#{pct}%% full", "‹any›%% full"],
  ["100% done", "100% done"],
  ["%Y-%m-%d expected", "%Y-%m-%d expected"],
  ["%{two words} and %{}", "%{two words} and %{}"],
  ["%<n and %<>d", "%<n and %<>d"],
  ["{name} and ${x}", "{name} and ${x}"],
  ["ends with %", "ends with %"],
  ['no " + name + " here', "no ‹any› here"],
  ["no ' + name.to_s", "no ‹any›"],
  ["'no ' + name + '.'", "no ‹any›."],
  ["it can't be", "it can't be"],
  ["größe #{größe} ü", "größe ‹any› ü"],
];

describe("parseTemplate of Ruby", () => {
  it.each(rows)("reads %j as %j", (message, shown) => {
    expect(showMessage(message, "rb")).toBe(shown);
  });
});
