/** Flags that let a test into a server that it starts. */

/** Adds flags that let everybody in, unless the flags are about credentials. */
export const letIn = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^--(token-auth-file|anonymous-auth|credentials-dir)$/.test(flag)) ? [] : ['--allow-everyone'];
