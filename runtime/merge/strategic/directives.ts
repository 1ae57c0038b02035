/** The members of strategic merge patches that are instructions, not values. */

/** Says what to do with the object or list item that has it. */
export const DIRECTIVE = '$patch';

/** Lists the members that an object keeps. */
export const RETAIN_KEYS = '$retainKeys';

const ORDER_PREFIX = '$setElementOrder/';
const DELETE_PREFIX = '$deleteFromPrimitiveList/';

/** The member whose items an instruction orders, if it is one that does. */
export function orderedMember(key: string): string | undefined {
  return key.startsWith(ORDER_PREFIX) ? key.slice(ORDER_PREFIX.length) : undefined;
}

/** The member from which an instruction deletes values, if it is one that does. */
export function deletedFromMember(key: string): string | undefined {
  return key.startsWith(DELETE_PREFIX) ? key.slice(DELETE_PREFIX.length) : undefined;
}
