/** The shapes of an icon of 24 by 24 units, as imports of `~icon/NAME` give them: each an element with its attributes. */
export type IconShapes = readonly (readonly [tag: string, attributes: Readonly<Record<string, string>>])[];
