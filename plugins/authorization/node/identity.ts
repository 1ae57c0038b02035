/** The node that a user is. */
import type { UserInfo } from '../../../runtime/contract/index.js';

const prefix = 'system:node:';
const nodes = 'system:nodes';

/** Returns the name of the node; empty for one without a name, `undefined` for users who are none. */
export const nodeOf = ({ name, groups }: UserInfo): string | undefined =>
  name.startsWith(prefix) && groups.includes(nodes) ? name.slice(prefix.length) : undefined;
