import { describe, expect, it } from "vitest";
import { WaitingLine } from "../../../src/retrieve/waiting-line.ts";

const never = new AbortController().signal;

describe("waiting line", () => {
  it("admits in order and turns away what exceeds its length", async () => {
    const line = new WaitingLine(1, 2);
    const order: string[] = [];
    expect(await line.enter(never)).toBe("entered");
    const second = line.enter(never).then(() => order.push("second"));
    const third = line.enter(never).then(() => order.push("third"));
    expect(await line.enter(never)).toBe("full");
    line.leave();
    await second;
    line.leave();
    await third;
    expect(order).toEqual(["second", "third"]);
  });

  it("gives the place of one who gave up to the next", async () => {
    const line = new WaitingLine(1, 5);
    const impatient = new AbortController();
    await line.enter(never);
    const given = line.enter(impatient.signal);
    const next = line.enter(never);
    impatient.abort();
    expect(await given).toBe("aborted");
    line.leave();
    expect(await next).toBe("entered");
    line.leave();
    expect(await line.enter(never)).toBe("entered");
  });
});
