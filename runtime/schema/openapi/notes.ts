/** Leaves out the notes in schemas of custom resources that documents do not repeat: examples and links. */
import type { Schema } from '../../contract/index.js';

/** A node without its notes and those in its junctors; its other parts keep theirs. Without notes it is the node itself. */
export function withoutNotes(node: Schema): Schema {
  return hasNotes(node) ? strip(node) : node;
}

const junctorsOf = ({ allOf = [], anyOf = [], oneOf = [], not }: Schema): readonly Schema[] => [
  ...allOf,
  ...anyOf,
  ...oneOf,
  ...(not === undefined ? [] : [not]),
];

function hasNotes(node: Schema): boolean {
  return node.example !== undefined || node.externalDocs !== undefined || junctorsOf(node).some(hasNotesBelow);
}

function hasNotesBelow(part: Schema): boolean {
  const { properties = {}, items, additionalProperties } = part;
  const inner = [...Object.values(properties), items, additionalProperties];
  return hasNotes(part) || inner.some((one) => typeof one === 'object' && hasNotesBelow(one));
}

function strip({ example: _example, externalDocs: _externalDocs, ...rest }: Schema): Schema {
  const { allOf, anyOf, oneOf, not } = rest;
  return {
    ...rest,
    ...(allOf && { allOf: allOf.map(stripBelow) }),
    ...(anyOf && { anyOf: anyOf.map(stripBelow) }),
    ...(oneOf && { oneOf: oneOf.map(stripBelow) }),
    ...(not && { not: stripBelow(not) }),
  };
}

/** Parts of a junctor are not converted one by one, so what is below them is stripped with them. */
function stripBelow(part: Schema): Schema {
  const stripped = strip(part);
  const { properties, items, additionalProperties } = stripped;
  return {
    ...stripped,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, stripBelow(one)])),
    }),
    ...(items && { items: stripBelow(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: stripBelow(additionalProperties) }),
  };
}
