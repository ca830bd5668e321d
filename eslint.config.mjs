import { defineConfig } from "eslint/config";
import jsdoc from "eslint-plugin-jsdoc";
import prettier from "eslint-config-prettier";
import tseslint from "typescript-eslint";

// Limits are smells, not law: an exception carries its reason on the same line.
const limits = {
  complexity: ["error", 10],
  "max-depth": ["error", 3],
  "max-params": ["error", 4],
  "max-lines": ["error", { max: 300 }],
  "max-lines-per-function": ["error", { max: 60 }],
};

// Slips that neither the compiler nor typescript-eslint's sets report.
const slips = Object.fromEntries(
  [
    "array-callback-return",
    "no-cond-assign",
    "no-control-regex",
    "no-empty",
    "no-irregular-whitespace",
    "no-misleading-character-class",
    "no-prototype-builtins",
    "no-self-assign",
    "no-self-compare",
    "no-sparse-arrays",
    "no-unmodified-loop-condition",
    "no-unreachable-loop",
    "no-unsafe-finally",
    "no-unsafe-optional-chaining",
    "no-useless-backreference",
    "no-useless-escape",
  ].map((rule) => [rule, "error"]),
);

/** Selects what a file exports under a name of its own: the declarations that owe a docstring. */
const exported = (type) => `ExportNamedDeclaration[declaration.type="${type}"]`;

export default defineConfig(
  { ignores: ["dist/", "coverage/", "data/", "node_modules/", "screenshots/"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      ...limits,
      ...slips,
      eqeqeq: "error",
      "no-console": "error",
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "Named exports only." },
        { selector: "ExportAllDeclaration", message: "No barrels: they hide who imports whom." },
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: "Text in braces is escaped; only rendered Markdown may pass, with its reason.",
        },
      ],
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/switch-exhaustiveness-check": [
        "error",
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A leading underscore says: the signature asks for it, this version does not use it.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      // Numbers print the same way everywhere; only objects and nullish values mislead.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      "@typescript-eslint/explicit-module-boundary-types": "error",
    },
  },
  {
    files: ["src/**/*.ts", "src/**/*.tsx"],
    extends: [jsdoc.configs["flat/contents-typescript-error"]],
    plugins: { jsdoc },
    settings: { jsdoc: { mode: "typescript" } },
    rules: {
      "jsdoc/require-jsdoc": [
        "error",
        {
          publicOnly: true,
          require: { ClassDeclaration: true, FunctionDeclaration: true },
          contexts: [
            exported("TSInterfaceDeclaration"),
            exported("TSTypeAliasDeclaration"),
            exported("VariableDeclaration"),
          ],
        },
      ],
      "jsdoc/check-tag-names": "error",
      "jsdoc/check-param-names": "error",
      "jsdoc/empty-tags": "error",
      "jsdoc/no-types": "error",
      "jsdoc/require-description": "error",
      "jsdoc/match-description": "off",
      "jsdoc/match-name": "off",
      "jsdoc/text-escaping": "off",
    },
  },
  {
    // A table of cases or a bench reads better in one piece; the file limit stays.
    files: ["test/**/*.ts", "bench/**/*.ts"],
    rules: {
      "max-lines-per-function": ["error", { max: 280 }],
      "@typescript-eslint/explicit-module-boundary-types": "off",
    },
  },
  { files: ["bench/**/*.ts", "src/cli/**/*.ts"], rules: { "no-console": "off" } },
  {
    // The tools' own files belong to no tsconfig, and their loaders ask for a default export.
    files: ["*.config.ts", "*.mjs", ".*.mjs"],
    extends: [tseslint.configs.strict, tseslint.configs.disableTypeChecked],
    languageOptions: { parserOptions: { projectService: false } },
    rules: { "no-restricted-syntax": "off" },
  },
  {
    // Every read of a flat array carries a `??` for the compiler, and each of them counts as a branch.
    files: ["src/match/**/*.ts", "src/parse/**/*.ts"],
    rules: { complexity: ["error", 20] },
  },
  prettier,
);
