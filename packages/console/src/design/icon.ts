/**
 * The shapes of an icon of 24 by 24 units, in the form that imports of `~icon/NAME` have: each is an element with its
 * attributes.
 */
export type IconShapes = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
