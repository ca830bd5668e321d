import type { z } from "zod";

/** One answer of an operation. */
export interface Answer {
  readonly description: string;
  /** `undefined`: no body, or one that is not JSON. */
  readonly schema?: z.ZodType;
  /** `application/json` unless it says otherwise. */
  readonly mediaType?: string;
}

/** One method of one path, as the document describes it. */
export interface Operation {
  readonly method: "get" | "post" | "put";
  /** With its parameters as OpenAPI writes them, e.g. `/api/v1/episodes/{id}`. */
  readonly path: string;
  /** A name that generated clients use; unique. */
  readonly id: string;
  readonly summary: string;
  readonly tag: "Alertlore" | "ErrLookup";
  /** What each parameter of the path is. */
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  /** The parameters of the query, by name. */
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** By status. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Whether `web.auth`, where it is set, guards it. */
  readonly isGuarded?: boolean;
}
