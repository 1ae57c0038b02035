/** Flags that let a test use a server that it starts. */

/** Adds flags that allow everyone everything, unless the flags are about credentials. */
export const letIn = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^--(token-auth-file|anonymous-auth|credentials-dir)$/.test(flag)) ? [] : ['--allow-everyone'];
