import { Command, Option } from "commander";
import type { ConfigSources } from "../app/config-sources.ts";

/** Flags that stand for keys of the configuration file, by key path. */
const KEY_FLAGS = {
  "web.listen-address": "web.listen_address",
  "web.external-url": "web.external_url",
  "log.level": "log.level",
  "log.format": "log.format",
  threshold: "match.threshold",
} as const;
