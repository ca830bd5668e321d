import { z } from "zod";
import { ERRLOOKUP_OPERATIONS } from "./errlookup-operations.ts";
import type { Answer, Operation } from "./operation.ts";
import { OPERATIONS } from "./operations.ts";

/** What only the running service knows. */
export interface DocumentWishes {
  /** Of the program. */
  readonly version: string;
  /** Base of every path, without a final slash; `undefined`: where the document came from. */
  readonly externalUrl: string | undefined;
}

/**
 * The OpenAPI document of every route that answers JSON, but those of the proxy, which are
 * Alertmanager's own API.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html
 */
export function buildDocument({ version, externalUrl }: DocumentWishes): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of [...OPERATIONS, ...ERRLOOKUP_OPERATIONS]) {
    const { path, method } = operation;
    paths[path] = { ...paths[path], [method]: describeOperation(operation) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Alertlore",
      version,
      summary: "Explains alerts by known errors in the log lines behind them",
      description:
        "Clients ignore keys that they do not know. Every query parameter may be given once; an empty one is as good as absent.",
    },
    servers: [{ url: externalUrl ?? "/" }],
    tags: [
      { name: "Alertlore", description: "Its own API" },
      { name: "ErrLookup", description: "The loaded records in the form of ErrLookup's API" },
    ],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        basic: { type: "http", scheme: "basic" },
      },
    },
  };
}

function describeOperation(operation: Operation): object {
  const { id, summary, tag, body, answers, isGuarded } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: contentOf({ schema: body }) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [status, describeAnswer(answer)]),
    ),
    // The empty one stands for a service without `web.auth`.
    security: isGuarded === true ? [{ bearer: [] }, { basic: [] }, {}] : [],
  };
}

function pathParameters({ parameters = {} }: Operation): readonly object[] {
  return Object.entries(parameters).map(([name, schema]) => ({
    ...{ name, in: "path", required: true },
    schema: jsonSchemaOf(schema),
  }));
}

function queryParameters({ query }: Operation): readonly object[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchemaOf(query);
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = schema as { description?: string };
    return {
      ...{ name, in: "query", required: required.includes(name) },
      ...(description !== undefined && { description }),
      schema: rest,
    };
  });
}

function describeAnswer(answer: Answer): object {
  const { description } = answer;
  return { description, content: contentOf(answer) };
}

function contentOf({ schema, mediaType = "application/json" }: Omit<Answer, "description">) {
  return { [mediaType]: schema === undefined ? {} : { schema: jsonSchemaOf(schema) } };
}

/** As clients send and read it: keys that are added later are allowed. */
function jsonSchemaOf(schema: z.ZodType) {
  const described = z.toJSONSchema(schema, { target: "draft-2020-12", io: "input" });
  // The document says it for all.
  delete described.$schema;
  return described;
}
