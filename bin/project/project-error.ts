/** The error of a configuration that cannot be used. */

/** The message has the file, the line where it is known, and what was expected; each mistake on a line of its own. */
export class ProjectError extends Error {}
