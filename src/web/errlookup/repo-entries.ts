import type { RecordIndex } from "../records/record-index.ts";

/** A repository as ErrLookup lists it. What records do not tell is null, 0 or `HEAD`. */
export interface RepoEntry {
  readonly repo: string;
  readonly description: null;
  readonly language: string | null;
  readonly stars: 0;
  readonly sourceFiles: null;
  /** `HEAD` leads to the default branch in links of GitHub, whatever its name. */
  readonly defaultBranch: "HEAD";
  readonly analyzedSha: string;
  readonly analyzedAt: string;
  readonly errorCount: number;
}

const LANGUAGES: readonly (readonly [language: string, extensions: string])[] = [
  ["Rust", "rs"],
  ["Go", "go"],
  ["C", "c h"],
  ["C++", "cc cpp cxx hpp hh hxx"],
  ["Python", "py pyi pyx"],
  ["Java", "java"],
  ["Kotlin", "kt kts"],
  ["Scala", "scala"],
  ["C#", "cs"],
  ["JavaScript", "js mjs cjs jsx"],
  ["TypeScript", "ts mts cts tsx"],
  ["Ruby", "rb"],
  ["PHP", "php"],
];
const LANGUAGE_BY_EXTENSION = new Map(
  LANGUAGES.flatMap(([language, extensions]) =>
    extensions.split(" ").map((extension) => [extension, language] as const),
  ),
);

/** The repositories of the loaded records, by name. */
export function repoEntries({ repos }: Pick<RecordIndex, "repos">): readonly RepoEntry[] {
  return repos.map(({ repo, records, analyzedSha, analyzedAt, extension }) => ({
    repo,
    description: null,
    language: LANGUAGE_BY_EXTENSION.get(extension) ?? null,
    stars: 0,
    sourceFiles: null,
    defaultBranch: "HEAD",
    analyzedSha,
    analyzedAt,
    errorCount: records,
  }));
}
