/** A flag's value is wrong, or does not go with others; the message names the flag. */
export class FlagError extends Error {}
