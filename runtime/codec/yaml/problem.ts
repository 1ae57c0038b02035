/** The mistakes of YAML documents that are not of form. */

/** A document that means no JSON value; the message says why. */
export class YamlProblem extends Error {}
