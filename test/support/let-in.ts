/** Flags that let a test into a server that it starts. */

/** Who says nothing about credentials needs none. */
export const letIn = (flags: readonly string[]): readonly string[] =>
  flags.some((flag) => /^--(token-auth-file|anonymous-auth|credentials-dir)$/.test(flag)) ? [] : ['--allow-everyone'];
