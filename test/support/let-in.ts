/** Flags that let a test into a server that it starts. */

/** Without flags about credentials, none are needed. */
export const letIn = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^--(token-auth-file|anonymous-auth|credentials-dir)$/.test(flag)) ? [] : ['--allow-everyone'];
