import { describe, expect, it } from "vitest";
import { plainLine, plainText } from "../../../src/annotate/plain-text.ts";

describe("plainLine", () => {
  it.each([
    ["a  b\tc\r\nd", "a b c d"],
    ["  a \n", "a"],
    ["\u001b[1;31merror\u001b[0m: x", "error: x"],
    ["a\u0000b\u0007c\u007fd\u0085e", "abcd e"],
    ["a\u2028b\u2029c", "a b c"],
    ["a\u202eb\u200bc\u2066d\ufeffe", "abcde"],
    ["half \ud800 pair \udc00", "half pair"],
    ["a\ud83d\ude00b", "a\ud83d\ude00b"],
    [
      "<!channel> <@U1> <https://evil.example|bank>",
      "‹!channel› ‹@U1› ‹https://evil.example|bank›",
    ],
    ["<img src=x onerror=alert(1)>", "‹img src=x onerror=alert(1)›"],
    ["![x](http://evil.example)", "![x] (http://evil.example)"],
    [
      "ping @here @Everyone @all bob@allied.example",
      "ping @ here @ Everyone @ all bob@allied.example",
    ],
    ["a ``` b `c`", "a ''' b `c`"],
    ["Vec<Option<T>>", "Vec‹Option‹T››"],
    ["", ""],
  ])("%j becomes %j", (text, plain) => {
    expect(plainLine(text)).toBe(plain);
  });
});

describe("plainText", () => {
  it("keeps lines and blanks inside them", () => {
    expect(plainText("a\r\n  b\rc\u2028d\u000be")).toBe("a\n  b\nc\nd\ne");
  });
});
