/** The environment of the program, or a table in its place. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Puts environment variables into a text: `${NAME}` becomes the variable's value, `$$` one `$`, and
 * any other `$` stands for itself, as in the expression `foo$`. What a variable holds is not
 * expanded again. `report` is called for each reference that cannot be resolved, never with a value.
 */
export function expandEnvironment(
  text: string,
  env: Environment,
  report: (message: string) => void,
): string {
  return text.replace(/\$\$|\$\{([^}]*)(\}?)/gu, (found, name?: string, closing?: string) => {
    if (name === undefined) return "$";
    if (closing === "") {
      report('the closing } of "${" is missing; write $${ for the characters themselves');
      return found;
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) {
      report(
        '"${…}" must hold the name of an environment variable; write $${ for the characters themselves',
      );
      return found;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) report(`environment variable ${name.slice(0, 100)} is not set`);
    return value ?? found;
  });
}
